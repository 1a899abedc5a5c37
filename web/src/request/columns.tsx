// The columns of lists of requests.
import type { Ended, Request } from "../api";
import { count, duration, exactMoney, money } from "../format";
import { hover, moment } from "../time";
import { Name, type Column } from "../ui/table";

/** A request that has ended. What a stream tells of one is more than the ledger does; those that were refused before a call have no target. */
export type Row = Request & Partial<Pick<Ended, "answer_status" | "error">>;

export function requestColumns(zone: string): Column<Row>[] {
  return [
    { key: "started", title: "Time", cell: (row) => <Moment at={row.started} zone={zone} />, sort: (row) => row.started },
    { key: "key", title: "Key", cell: (row) => <Name whole={row.key_name || row.key} />, sort: (row) => row.key_name },
    { key: "model", title: "Model", cell: (row) => <Name whole={row.model} />, sort: (row) => row.model },
    { key: "target", title: "Target", cell: (row) => <Name far whole={`${row.provider}/${row.upstream}`}><Target {...row} /></Name>, sort: (row) => `${row.provider}/${row.upstream}` },
    { key: "status", title: "Status", cell: (row) => <Status status={row.status} outcome={row.calls === 0 ? (row.error ?? row.outcome) : row.outcome} attempts={row.attempts} />, sort: (row) => row.status + row.outcome },
    { key: "took", title: "Took", num: true, cell: (row) => duration(row.took_us), sort: (row) => row.took_us },
    { key: "first", title: "First token", num: true, cell: (row) => duration(row.first_us), sort: (row) => row.first_us ?? -1 },
    { key: "tokens", title: "Tokens", num: true, cell: (row) => `${row.estimated ? "~ " : ""}${count(row.input_tokens)} → ${count(row.output_tokens)}`, sort: (row) => row.input_tokens + row.output_tokens, hint: "In and out. ~: Weir counted them, the provider did not say" },
    { key: "cost", title: "Cost", num: true, cell: (row) => <Money nanodollars={row.cost_nanodollars} />, sort: (row) => row.cost_nanodollars },
  ];
}

export function Moment({ at, zone }: { at: string; zone: string }) {
  const date = new Date(at);
  return <time dateTime={at} title={hover(date)}>{moment(date, zone)}</time>;
}

/** An amount of one request: four decimals, and more where it is smaller. */
export function Money({ nanodollars }: { nanodollars: number }) {
  return <span title={exactMoney(nanodollars)}>{money(nanodollars, 4)}</span>;
}

export function Target({ provider, upstream }: { provider: string; upstream: string }) {
  return provider === "" ? <span class="muted">–</span> : <span class="mono">{provider}/{upstream}</span>;
}

interface StatusProps {
  status: string;
  outcome: string;
  attempts?: number;
}

/** How a request ended: a colour and a word, and how often it was tried where that was more than once. */
export function Status({ status, outcome, attempts = 1 }: StatusProps) {
  const tone = status === "ok" ? "good" : status === "failed" ? "bad" : "warn";
  const word = status === "ok" || outcome === status || outcome === "ok" ? status : outcome.replaceAll("_", " ");
  return (
    <span>
      <span class={tone}>{word}</span>
      {attempts > 1 && <span class="muted"> {attempts} tries</span>}
    </span>
  );
}
