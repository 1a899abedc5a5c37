// Requests: find them, look at one, and see what runs now.
import { useEffect, useState } from "preact/hooks";
import type { Request } from "../api";
import { useCall } from "../data";
import { plural } from "../format";
import { usePages, type Pages } from "../paging";
import { RequestPanel } from "../request/panel";
import { requestColumns } from "../request/columns";
import { Live } from "../request/live";
import { useKnown } from "../session";
import { set, usePlace } from "../state";
import { dateTime, periodOf } from "../time";
import { Elsewhere, quoted } from "../ui/copy";
import { Segments, Select, TextField } from "../ui/forms";
import { Page } from "../ui/page";
import { Failed, Loading, Old } from "../ui/states";
import { Table } from "../ui/table";

/** The filters that the API takes as they are, and how the command line calls them. */
const filters = [["key", "key"], ["team", "team"], ["model", "model"], ["provider", "provider"], ["target", "target"], ["status", "status"], ["outcome", "outcome"], ["flag", "flag"], ["tag", "tag"], ["min_took", "slower"]] as const;

export function Requests() {
  const { params } = usePlace();
  const live = params.get("live") !== null;
  const opened = params.get("request");
  const period = periodOf(params);
  const query = queryOf(params, { since: period.since, ...(period.until && { until: period.until }) });
  const found = usePages<Request>("GET /admin/v1/requests", live ? null : query);
  return (
    <Page title="Requests" period={!live} team {...(!live && { of: found })} tools={<Segments label="Which requests" value={live ? "live" : "found"} options={[{ value: "found", label: "Found" }, { value: "live", label: "Live" }]} onChange={(value) => set({ live: value === "live" ? "1" : null })} />}>
      <Filters live={live} />
      {live ? <Live query={query} opened={opened} /> : <Found found={found} query={query} opened={opened} />}
      {opened !== null && <RequestPanel key={opened} id={opened} onClose={() => set({ request: null })} />}
    </Page>
  );
}

export type RequestQuery = Record<string, string | number>;

function queryOf(params: URLSearchParams, span: RequestQuery): RequestQuery {
  const query: RequestQuery = { ...span };
  for (const [name] of filters) {
    const value = params.get(name);
    if (value) query[name] = value;
  }
  const dearer = Number(params.get("dearer"));
  if (dearer > 0) query.min_cost_nanodollars = Math.round(dearer * 1e9);
  return query;
}

/** The command that finds the same. */
function command(query: RequestQuery): string {
  const words = filters.filter(([name]) => query[name] !== undefined).map(([name, flag]) => `--${flag} ${quoted(String(query[name]))}`);
  if (query.min_cost_nanodollars) words.push(`--dearer ${Number(query.min_cost_nanodollars) / 1e9}`);
  for (const name of ["since", "until"]) if (query[name]) words.push(`--${name} ${query[name]}`);
  return ["weir requests", ...words].join(" ");
}

/** Filters apply when a field is left or Enter is pressed: each search reads rows. */
function Filters({ live }: { live: boolean }) {
  const { params } = usePlace();
  const { models, providers } = useKnown();
  const keys = useCall("GET /admin/v1/keys", { query: { limit: 1000 } });
  const names = [...filters.map(([name]) => name), "dearer"].filter((name) => name !== "team");
  const [draft, setDraft] = useState<Record<string, string>>({});
  const [id, setID] = useState("");
  useEffect(() => {
    setDraft(Object.fromEntries(names.map((name) => [name, params.get(name) ?? ""])));
    setID("");
  }, [params.toString()]);
  const shown = names.some((name) => params.get(name));
  const edit = (name: string) => (value: string) => setDraft({ ...draft, [name]: value });
  const apply = (more: Record<string, string> = {}) => set({ ...draft, ...more, ...(id.trim() && { request: id.trim() }) });
  const field = (name: string, label: string, size: number, more: { list?: string[]; placeholder?: string } = {}) => <TextField label={label} value={draft[name] ?? ""} onInput={edit(name)} size={size} {...more} />;
  return (
    <form class="filters many" onSubmit={(event) => { event.preventDefault(); apply(); }} onChange={(event) => event.target instanceof HTMLInputElement && apply()}>
      {field("key", "Key", 12, { list: (keys.data?.data ?? []).map((key) => key.name) })}
      {field("model", "Model", 10, { list: models })}
      {field("provider", "Provider", 10, { list: providers })}
      {!live && (
        <>
          <Select label="Status" value={draft.status ?? ""} options={["", "ok", "failed", "canceled"].map((value) => ({ value, label: value || "any" }))} onChange={(value) => apply({ status: value })} />
          {field("outcome", "Outcome", 10, { list: outcomes })}
          {field("min_took", "Slower than", 7, { placeholder: "10s" })}
          {field("dearer", "Dearer than, $", 7, { placeholder: "0.05" })}
        </>
      )}
      {field("tag", "Tag", 10, { placeholder: "name=value" })}
      <TextField label="Id" value={id} onInput={setID} size={12} placeholder="req_…" />
      <button class="unseen" type="submit">Find</button>
      {shown && <button type="button" class="quiet" onClick={() => set(Object.fromEntries(names.map((name) => [name, null])))}>Clear</button>}
    </form>
  );
}

const outcomes = ["ok", "unreachable", "timeout", "failed", "malformed", "overloaded", "rate_limited", "credential", "denied", "misconfigured", "model_not_found", "too_long", "refused", "moderated", "canceled", "lost", "budget"];

function Found({ found, query, opened }: { found: Pages<Request>; query: RequestQuery; opened: string | null }) {
  const { zone } = useKnown();
  const { rows, loading, error, searched, next } = found;
  return (
    <section class="panel" aria-label="Requests found">
      <header>
        <h2>{rows === null ? "Requests" : `${plural(rows.length, "request")}${next === null ? "" : " so far"}`}</h2>
        <span class="muted small">{zone}</span>
        <div class="rest"><Elsewhere list route="GET /admin/v1/requests" asked={{ query: { ...query, limit: 1000 } }} command={command(query)} /></div>
      </header>
      <Loading shown={loading} />
      {error && found.old && <Old of={found} error={error} />}
      {rows !== null && rows.length > 0 && <Table label="Requests" columns={requestColumns(zone)} rows={rows} id={(row) => row.request} selected={opened} onOpen={(row) => set({ request: row.request })} />}
      {error && !found.old && <Failed error={error} retry={found.more} />}
      {rows !== null && (!error || found.old) && (
        <div class="state small">
          {rows.length === 0 && next === null && <strong>No request is like this</strong>}
          <div class="row">
            <span>{searched ? `Searched back to ${dateTime(searched, zone)}.` : "That is all there is in this period."}</span>
            {next !== null && <button disabled={loading} onClick={found.more}>Search further back</button>}
          </div>
        </div>
      )}
    </section>
  );
}
