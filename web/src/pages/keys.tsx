// Keys: who may call, with what, and what that costs.
import { useState } from "preact/hooks";
import { call, type Key } from "../api";
import { NewKey, open, useDoing } from "../access/dialogs";
import { Bounds, Models, SpentCell, StateCell } from "../access/cells";
import { boundsOf, stateOf } from "../access/names";
import { useSpending, type Spending } from "../access/spent";
import { asError, useCall } from "../data";
import { count } from "../format";
import { useKnown, useMay } from "../session";
import { go, link, set, usePlace } from "../state";
import { date, day, hover } from "../time";
import { Elsewhere } from "../ui/copy";
import { Select, TextField } from "../ui/forms";
import { Page } from "../ui/page";
import { say } from "../ui/said";
import { Shown } from "../ui/states";
import { Table, type Column } from "../ui/table";

const asked = { query: { limit: 1000 } };

const states = [
  { value: "", label: "Not revoked" },
  { value: "active", label: "Active" },
  { value: "expired", label: "Expired" },
  { value: "team_revoked", label: "Team revoked" },
  { value: "revoked", label: "Revoked" },
  { value: "all", label: "All" },
];

export function Keys() {
  const keys = useCall("GET /admin/v1/keys", asked);
  const spending = useSpending("key");
  const [doing] = useDoing();
  const may = useMay("POST /admin/v1/keys");
  const { params } = usePlace();
  return (
    <Page title="Keys" team of={keys} tools={may && <button class="primary" onClick={() => open("create")}>Create key</button>}>
      <section class="panel" aria-label="Keys">
        <header>
          <Filters />
          <div class="rest"><Elsewhere list route="GET /admin/v1/keys" asked={asked} command="weir keys list" /></div>
        </header>
        <Shown of={keys} beside={[spending.answer]} isEmpty={({ data }) => data.length === 0} empty={<None may={may} />}>
          {({ data, next }) => <List keys={data} more={next !== null} spending={spending} />}
        </Shown>
      </section>
      {doing === "create" && may && <NewKey team={params.get("team") ?? ""} />}
    </Page>
  );
}

function Filters() {
  const { params } = usePlace();
  return (
    <div class="filters" role="search" aria-label="Keys">
      <TextField bare label="Name, id or model" type="search" placeholder="Name, id or model" value={params.get("q") ?? ""} onInput={(q) => set({ q }, true)} />
      <Select bare label="Status" value={params.get("status") ?? ""} options={states} onChange={(status) => set({ status })} />
    </div>
  );
}

function None({ may }: { may: boolean }) {
  return (
    <>
      <strong>No key yet</strong>
      <span>Callers need one. Make it here or on the command line:</span>
      <pre class="code">weir keys create --name my-app</pre>
      {may && <button class="primary" onClick={() => open("create")}>Create key</button>}
    </>
  );
}

/** The keys that the filters let through. */
function List({ keys, more, spending }: { keys: Key[]; more: boolean; spending: Spending }) {
  const { zone } = useKnown();
  const { params } = usePlace();
  const [text, team, status] = [(params.get("q") ?? "").toLowerCase(), params.get("team") ?? "", params.get("status") ?? ""];
  const shown = keys.filter((key) => found(key, text) && (team === "" || key.team === team) && (status === "all" || (status === "" ? key.status !== "revoked" : key.status === status)));
  return (
    <>
      {shown.length === 0 ? <NoMatch text={params.get("q") ?? ""} /> : <Table label="Keys" columns={columns(zone, spending)} rows={shown} id={(key) => key.id} sorted="-spent" most={50} />}
      {more && <p class="state small">Only the first {count(keys.length)} keys are listed. Look for others by their whole name or id.</p>}
      <p class="unseen" role="status">{shown.length} of {keys.length} keys are shown</p>
    </>
  );
}

function found(key: Key, text: string): boolean {
  return text === "" || key.name.toLowerCase().includes(text) || key.id.toLowerCase() === text || (key.models ?? []).some((model) => model.toLowerCase().includes(text));
}

/** Nothing matches among what is listed; a key that is not can be opened by its whole name. */
function NoMatch({ text }: { text: string }) {
  const [busy, setBusy] = useState(false);
  const look = () => {
    setBusy(true);
    call("GET /admin/v1/keys/{key}", { path: { key: text } })
      .then(({ id }) => go(link("/keys/" + id)), (reason: unknown) => say(asError(reason).message, true))
      .finally(() => setBusy(false));
  };
  return (
    <div class="state">
      <strong>No key matches</strong>
      <div class="row">
        <button onClick={() => set({ q: null, status: null, team: null })}>Clear filters</button>
        {text !== "" && <button disabled={busy} onClick={look}>Look for a key called {text}</button>}
      </div>
    </div>
  );
}

function columns(zone: string, spending: Spending): Column<Key>[] {
  const cost = (key: Key) => spending.of.get(key.id)?.cost ?? -1;
  const last = (key: Key) => spending.of.get(key.id)?.last ?? null;
  return [
    { key: "name", title: "Key", cell: (key) => <div class="words"><a href={link("/keys/" + encodeURIComponent(key.id))}>{key.name}</a><span class="second mono">{key.id}</span></div>, sort: (key) => key.name },
    { key: "team", title: "Team", cell: (key) => key.team && key.team_id ? <a href={link("/teams/" + encodeURIComponent(key.team_id))}>{key.team}</a> : <span class="muted">–</span>, sort: (key) => key.team ?? "" },
    { key: "spent", title: "Spent in 30 days", num: true, cell: (key) => <SpentCell spending={spending} id={key.id} />, sort: cost },
    { key: "last", title: "Last used", cell: (key) => <Last at={last(key)} spending={spending} zone={zone} />, sort: (key) => last(key)?.getTime() ?? 0 },
    { key: "models", title: "Models", cell: (key) => <Models models={key.models} />, sort: (key) => (key.models ?? []).join() },
    { key: "bounds", title: "Budgets, limits", cell: (key) => <Bounds of={key} />, sort: boundsOf },
    { key: "expires", title: "Expires", cell: (key) => key.expires_at ? <time title={hover(new Date(key.expires_at))}>{date(new Date(key.expires_at), zone)}</time> : <span class="muted">never</span>, sort: (key) => (key.expires_at ? Date.parse(key.expires_at) : Infinity) },
    { key: "status", title: "Status", cell: (key) => <StateCell of={key} />, sort: (key) => stateOf(key).word },
  ];
}

function Last({ at, spending, zone }: { at: Date | null; spending: Spending; zone: string }) {
  if (at) return <>{day(at, zone)}</>;
  return <span class="muted">{spending.whole ? "not in 30 days" : "–"}</span>;
}
