// Search: keys and models by their names, requests by their ids. The key / puts the cursor here.
import { useEffect, useRef, useState } from "preact/hooks";
import { useCall } from "./data";
import { useKnown } from "./session";
import { go, link } from "./state";

interface Hit {
  kind: string;
  name: string;
  href: string;
}

const most = 12;

export function Search() {
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const box = useRef<HTMLInputElement>(null);
  const hits = useHits(text.trim(), open);
  useSlash(box);
  const choose = (hit: Hit | undefined) => {
    if (!hit) return;
    setOpen(false);
    setText("");
    box.current?.blur();
    go(hit.href);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setAt(Math.min(at + 1, hits.length - 1));
    else if (event.key === "ArrowUp") setAt(Math.max(at - 1, 0));
    else if (event.key === "Enter") choose(hits[at]);
    else if (event.key === "Escape") setOpen(false);
    else return;
    event.preventDefault();
  };
  const shown = open && hits.length > 0;
  return (
    <div class="search" role="search">
      <input
        ref={box} role="combobox" aria-label="Search keys, models, request ids" aria-expanded={shown} aria-controls="hits" aria-autocomplete="list" aria-activedescendant={shown ? `hit-${at}` : undefined}
        placeholder="Search  /" autocomplete="off" spellcheck={false} value={text}
        onInput={(event) => { setText(event.currentTarget.value); setOpen(true); setAt(0); }} onFocus={() => setOpen(true)} onBlur={() => setOpen(false)} onKeyDown={press}
      />
      <ul id="hits" role="listbox" aria-label="Found" hidden={!shown}>
        {hits.map((hit, i) => (
          <li key={hit.href} id={`hit-${i}`} role="option" aria-selected={i === at} onMouseDown={(event) => { event.preventDefault(); choose(hit); }}>
            <span>{hit.name}</span>
            <span class="muted small">{hit.kind}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What the text may mean. Keys are asked for when the cursor is here. */
function useHits(text: string, open: boolean): Hit[] {
  const { models } = useKnown();
  const keys = useCall("GET /admin/v1/keys", open ? { query: { limit: 1000 } } : null);
  if (text === "") return [];
  if (/^req_/.test(text)) return [{ kind: "request", name: text, href: link("/requests", { request: text }) }];
  const named = (name: string) => name.toLowerCase().includes(text.toLowerCase());
  const found = models.filter(named).map((name) => ({ kind: "model", name, href: link("/requests", { model: name }) }));
  for (const key of keys.data?.data ?? []) {
    if (named(key.name) || key.id === text) found.push({ kind: "key", name: key.name, href: link("/keys/" + encodeURIComponent(key.id)) });
  }
  return found.slice(0, most);
}

function useSlash(box: { current: HTMLInputElement | null }): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const busy = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
      if (event.key !== "/" || busy || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      box.current?.focus();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
