// What can be copied, and how what is shown can be had elsewhere.
import { useEffect, useState } from "preact/hooks";
import { address, csv, type Asked, type Route } from "../api";

/** Copies a text, and says that it did. */
export function Copy({ text, label = "Copy", primary }: { text: string; label?: string; primary?: boolean }) {
  const [done, setDone] = useState<"" | "Copied" | "Not allowed">("");
  useEffect(() => {
    const timer = setTimeout(() => setDone(""), 1500);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = () => {
    const board: Clipboard | undefined = navigator.clipboard; // there is none on plain HTTP from elsewhere
    (board ? board.writeText(text) : Promise.reject(new Error())).then(
      () => setDone("Copied"),
      () => setDone("Not allowed"),
    );
  };
  return (
    <button type="button" class={primary ? "primary" : "quiet"} onClick={copy}>
      {done || label}
      <span class="unseen" role="status">{done}</span>
    </button>
  );
}

interface ElsewhereProps<R extends Route> {
  route: R;
  asked: Asked<R>;
  command?: string; // the command of weir that prints the same
  list?: boolean; // it can be had as CSV
}

/** The same answer as a command, as a call of curl, and as CSV. */
export function Elsewhere<R extends Route>({ route, asked, command, list }: ElsewhereProps<R>) {
  return (
    <>
      <span class="copies">
        {command && <Copy text={command} label="Copy command" />}
        <Copy text={curl(route, asked)} label="Copy curl" />
      </span>
      {list && <a class="button quiet" href={csv(route, asked)} download="">CSV</a>}
    </>
  );
}

function curl<R extends Route>(route: R, asked: Asked<R>): string {
  return `curl -s ${quoted(location.origin + address(route, asked))} -H "Authorization: Bearer $(cat weir-data/admin.token)"`;
}

/** A word of a command line. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
