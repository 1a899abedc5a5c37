// What runs now, and what has just ended.
import { useEffect, useState } from "preact/hooks";
import { call, type ApiError, type Running, type RunningList } from "../api";
import { asError } from "../data";
import { duration, plural, short } from "../format";
import { useKnown, useMay } from "../session";
import { set } from "../state";
import { Confirm } from "../ui/dialog";
import { Failed } from "../ui/states";
import { Name, Table, type Column } from "../ui/table";
import { Money, requestColumns, Target, type Row } from "./columns";
import { useTail, type Query, type Tail } from "./tail";

const pause = 1000;
const kept = 200;

/** The filters that a list of what runs has, too. */
const filters = ["key", "team", "model", "provider", "tag"];

export function Live({ query, opened }: { query: Query; opened: string | null }) {
  const narrow = Object.fromEntries(Object.entries(query).filter(([name]) => filters.includes(name)));
  const { list, error } = useRunning(narrow);
  return (
    <>
      {error && <div class="panel"><Failed error={error} /></div>}
      <RunningNow list={list} />
      <Ended tail={useTail(narrow)} opened={opened} />
    </>
  );
}

/** What runs, each second while the tab is seen. */
function useRunning(narrow: Query): { list: RunningList | null; error: ApiError | null } {
  const question = JSON.stringify(narrow);
  const [state, setState] = useState<{ list: RunningList | null; error: ApiError | null }>({ list: null, error: null });
  useEffect(() => {
    const stopped = new AbortController();
    let timer = 0;
    const look = async () => {
      if (!document.hidden) {
        const asked = { query: { ...(JSON.parse(question) as Query), limit: kept } };
        const next = await call("GET /admin/v1/running", asked, stopped.signal).then(
          (list) => ({ list, error: null }),
          (reason: unknown) => ({ list: null, error: asError(reason) }),
        );
        if (stopped.signal.aborted) return;
        setState((old) => ({ list: next.list ?? old.list, error: next.error }));
      }
      timer = setTimeout(() => void look(), pause);
    };
    void look();
    return () => {
      stopped.abort();
      clearTimeout(timer);
    };
  }, [question]);
  return state;
}

function RunningNow({ list }: { list: RunningList | null }) {
  const mayCut = useMay("DELETE /admin/v1/running/{request}");
  const [cutting, setCutting] = useState<Running | null>(null);
  const rows = list?.data ?? [];
  return (
    <section class="panel" aria-label="Running">
      <header>
        <h2>{list === null ? "Running" : `${plural(list.admitted, "request")} running`}</h2>
        {list && <span class="muted small">at the Weir <span class="mono">{list.instance}</span></span>}
      </header>
      {rows.length > 0 && <Table label="Running" columns={runningColumns(mayCut ? setCutting : null)} rows={rows} id={(row) => row.request} />}
      {list !== null && rows.length === 0 && <div class="state small">Nothing runs at this Weir. This is looked at each second.</div>}
      {cutting && <Cut request={cutting} onClose={() => setCutting(null)} />}
    </section>
  );
}

function runningColumns(onCut: ((row: Running) => void) | null): Column<Running>[] {
  const columns: Column<Running>[] = [
    { key: "age", title: "Age", num: true, cell: (row) => duration(row.age_us), sort: (row) => row.age_us },
    { key: "key", title: "Key", cell: (row) => <Name whole={row.key_name || row.key} />, sort: (row) => row.key_name },
    { key: "model", title: "Model", cell: (row) => <Name whole={row.model} />, sort: (row) => row.model },
    { key: "target", title: "Target", cell: (row) => (row.provider === null || row.upstream === null ? <span class="muted">waits for a place</span> : <Name far whole={`${row.provider}/${row.upstream}`}><Target provider={row.provider} upstream={row.upstream} /></Name>) },
    { key: "attempts", title: "Tries", num: true, cell: (row) => row.attempts, sort: (row) => row.attempts },
    { key: "first", title: "First token", num: true, cell: (row) => duration(row.first_us), sort: (row) => row.first_us ?? Infinity },
    { key: "bytes", title: "Bytes out", num: true, cell: (row) => short(row.bytes_out), sort: (row) => row.bytes_out },
    { key: "held", title: "Held", num: true, cell: (row) => <Money nanodollars={row.held_nanodollars} />, sort: (row) => row.held_nanodollars, hint: "Of budgets in dollars" },
  ];
  if (onCut) columns.push({ key: "cut", title: "End it", num: true, cell: (row) => <button class="quiet" aria-label={`Cut the request of ${row.key_name}, ${row.model}`} onClick={() => onCut(row)}>Cut</button> });
  return columns;
}

/** Asks before a request is ended. */
function Cut({ request, onClose }: { request: Running; onClose: () => void }) {
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const cut = () => {
    setBusy(true);
    call("DELETE /admin/v1/running/{request}", { path: { request: request.request } }).then(onClose, (reason: unknown) => {
      setBusy(false);
      setError(asError(reason));
    });
  };
  return (
    <Confirm title="Cut this request?" action="Cut" onConfirm={cut} onClose={onClose} disabled={busy}>
      <p>
        A request of <strong>{request.key_name || request.key}</strong> for <strong>{request.model}</strong>, {duration(request.age_us)} old. Its caller gets an error, and does not repeat it. What it took so far is charged.
      </p>
      <p class="mono">{request.request}</p>
      {error && <p class="bad" role="alert">{error.message}</p>}
    </Confirm>
  );
}

function Ended({ tail, opened }: { tail: Tail; opened: string | null }) {
  const { zone } = useKnown();
  const [held, setHeld] = useState<Row[] | null>(null);
  const { rows, dropped, connected } = tail;
  return (
    <section class="panel" aria-label="Ended">
      <header>
        <h2>Just ended</h2>
        <span class="muted small">{zone}</span>
        {!connected && <span class="warn small">not connected</span>}
        {dropped > 0 && <span class="warn small">{plural(dropped, "event")} came too fast to be shown</span>}
        <div class="rest"><button class="quiet" onClick={() => setHeld(held === null ? rows : null)}>{held === null ? "Hold still" : "Go on"}</button></div>
      </header>
      {rows.length === 0 ? <div class="state small">No request has ended within the last minute.</div> : <Table label="Ended" columns={requestColumns(zone)} rows={held ?? rows} id={(row) => row.request} selected={opened} onOpen={(row) => set({ request: row.request })} />}
    </section>
  );
}
