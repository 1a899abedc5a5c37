// Providers: are they well, were they, and which credentials may be used?
import { useMemo, useState } from "preact/hooks";
import { call, type ApiError, type Credential, type Provider, type ProviderTarget, type SpeedList, type SpeedRow } from "../api";
import { asError, refresh, useCall } from "../data";
import { count, duration, plural } from "../format";
import { useKnown, useMay } from "../session";
import { link, set, usePlace } from "../state";
import { dateTime, hover, minute } from "../time";
import { Elsewhere } from "../ui/copy";
import { Dialog } from "../ui/dialog";
import { Segments } from "../ui/forms";
import { FailedCell, HealthOf, Words, type Word } from "../ui/health";
import { Page } from "../ui/page";
import { Shown } from "../ui/states";
import { Strip, cellsOf, type Cells } from "../ui/strip";
import { Table, type Column } from "../ui/table";

const since = "24h";
const fivesAsked = { query: { by: "target,5m", since } };

export function Providers() {
  const providers = useCall("GET /admin/v1/providers", {});
  const open = usePlace().params.get("provider");
  const fives = useCall("GET /admin/v1/latency", fivesAsked);
  const targets = useCall("GET /admin/v1/latency", { query: { by: "target", since } });
  const sums = useCall("GET /admin/v1/latency", { query: { by: "provider", since } });
  const speeds = [...(targets.data?.data ?? []), ...(sums.data?.data ?? [])];
  const [asTable, setAsTable] = useState(false);
  return (
    <Page title="Providers" of={providers}>
      <section class="panel" aria-label="Providers">
        <header>
          <h2>Providers and their targets</h2>
          <span class="muted small">State now; the rest last 24 hours</span>
          <div class="rest">
            <Elsewhere list route="GET /admin/v1/latency" asked={fivesAsked} />
            <Segments label="Show health as" value={asTable ? "table" : "strips"} options={[{ value: "strips", label: "Strips" }, { value: "table", label: "Table" }]} onChange={(value) => setAsTable(value === "table")} />
          </div>
        </header>
        {asTable ? (
          <Shown of={fives} isEmpty={({ data }) => data.length === 0} empty={<span>No call in the last 24 hours.</span>}>{({ data }) => <Twin rows={data} />}</Shown>
        ) : (
          <Shown of={providers} beside={[fives, targets, sums]} isEmpty={({ data }) => data.length === 0} empty={<NoProviders />}>{({ data }) => <List providers={data} fives={fives.data} speeds={speeds} />}</Shown>
        )}
      </section>
      {open !== null && providers.data && <Detail name={open} provider={providers.data.data.find((one) => one.provider === open)} />}
    </Page>
  );
}

function List({ providers, fives, speeds: rows }: { providers: Provider[]; fives: SpeedList | null; speeds: SpeedRow[] }) {
  const { zone } = useKnown();
  const cells = useMemo(() => fives && cellsOf(fives), [fives]);
  const speeds = new Map(rows.map((row) => [row.target ?? row.provider ?? "", row]));
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Providers and targets, with their health">
      <table class="grouped">
        <thead>
          <tr>
            <th scope="col">Provider, and its targets</th>
            <th scope="col">State</th>
            <th scope="col" class="strip-head"><Hours zone={zone} /></th>
            <th scope="col" class="num">Calls</th>
            <th scope="col" class="num">Failed</th>
            <th scope="col" class="num" title="95 % of calls had their first content within">First token, p95</th>
            <th scope="col" class="num">In flight</th>
          </tr>
        </thead>
        {providers.map((provider) => (
          <Group key={provider.provider} provider={provider} cells={cells} speeds={speeds} />
        ))}
      </table>
    </div>
  );
}

/** The time above the strips. */
function Hours({ zone }: { zone: string }) {
  const now = Date.now();
  return (
    <span class="hours">
      <span class="unseen">Last 24 hours</span>
      {[24, 18, 12, 6].map((ago) => <span key={ago} aria-hidden="true">{minute(new Date(now - ago * 3600e3), zone)}</span>)}
      <span aria-hidden="true">now</span>
    </span>
  );
}

interface GroupProps {
  provider: Provider;
  cells: Cells | null;
  speeds: Map<string, SpeedRow>;
}

function Group({ provider: { provider: name, kind, targets, credentials }, cells, speeds }: GroupProps) {
  return (
    <tbody>
      <tr class="first">
        <th scope="rowgroup"><div class="row"><a href={link("/providers", { provider: name })}>{name}</a>{kind !== name && <span class="muted small">{kind}</span>}</div></th>
        <td><Words words={credentialWords(credentials)} /></td>
        <Figures name={name} cells={cells} row={speeds.get(name)} />
        <td class="num">{count(targets.reduce((sum, target) => sum + target.in_flight, 0))}</td>
      </tr>
      {targets.length === 0 && <tr><td class="target muted" colSpan={7}>no model uses it</td></tr>}
      {targets.map((target) => (
        <tr key={target.target}>
          <td class="target"><code>{target.target.slice(name.length + 1)}</code>{target.models_down > 0 && <span class="warn small"> {count(target.models_down)} of its models down</span>}</td>
          <td><HealthOf health={target} /></td>
          <Figures name={target.target} cells={cells} row={speeds.get(target.target)} />
          <td class="num">{count(target.in_flight)}</td>
        </tr>
      ))}
    </tbody>
  );
}

/** How many credentials there are, and how many of them cannot be used now. */
function credentialWords(credentials: Credential[]): Word[] {
  const of = (state: string) => credentials.filter((one) => one.state === state).length;
  const [parked, resting] = [of("parked"), of("resting")];
  const words: Word[] = [];
  if (parked > 0) words.push({ text: `${parked} of ${plural(credentials.length, "credential")} parked`, tone: parked === credentials.length ? "bad" : "warn" });
  if (resting > 0) words.push({ text: `${resting} of ${plural(credentials.length, "credential")} at a rate limit`, tone: "warn" });
  return words.length > 0 ? words : [{ text: credentials.length === 0 ? "no credential wanted" : plural(credentials.length, "credential"), tone: "muted" }];
}

/** One provider: its credentials, its breakers, how its calls ended, and a way to have it tried again. */
function Detail({ name, provider }: { name: string; provider: Provider | undefined }) {
  const close = () => set({ provider: null });
  if (!provider) return <Dialog aside title={name} onClose={close}><p>The config has no such provider.</p></Dialog>;
  const troubled = provider.credentials.some(({ state }) => state === "parked") || provider.targets.some(({ breaker, models_down }) => breaker !== "closed" || models_down > 0);
  return (
    <Dialog aside title={name} onClose={close}>
      <div class="row">
        <a class="button" href={link("/requests", { provider: name })}>Requests</a>
        <a class="button" href={link("/requests", { provider: name, status: "failed" })}>Failed requests</a>
        <Elsewhere route="GET /admin/v1/providers" asked={{}} />
      </div>
      <Reset provider={name} troubled={troubled} />
      <Table label="Credentials, without their values" columns={credentialColumns} rows={provider.credentials} id={(row) => String(row.number)} />
      <Failures provider={name} />
      <Table label="Targets and their breakers" columns={targetColumns} rows={provider.targets} id={(row) => row.target} />
    </Dialog>
  );
}

/** Has breakers let calls pass again, and parked credentials be used. */
function Reset({ provider, troubled }: { provider: string; troubled: boolean }) {
  const may = useMay("POST /admin/v1/providers/{provider}/reset");
  const [done, setDone] = useState<ApiError | "" | null>(null);
  if (!may) return null;
  const reset = () => {
    call("POST /admin/v1/providers/{provider}/reset", { path: { provider }, body: {} })
      .then(() => setDone(""), (reason: unknown) => setDone(asError(reason)))
      .finally(refresh);
  };
  return (
    <div class="row">
      <button onClick={reset}>Reset</button>
      <span class={done ? "bad small" : "muted small"} role="status">{done === "" ? "It is tried again with the next request." : done ? done.message : troubled ? "Open breakers let the next request try, and parked credentials are used again." : "All breakers are closed, and no credential is parked."}</span>
    </div>
  );
}

/** How the newest requests that failed at the provider ended, in the words of the ledger. */
function Failures({ provider }: { provider: string }) {
  const failed = useCall("GET /admin/v1/requests", { query: { provider, status: "failed", since, limit: 100 } });
  const counts = new Map<string, number>();
  for (const { outcome } of failed.data?.data ?? []) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  if (counts.size === 0) return null;
  return (
    <p>
      <span class="muted">Of the newest {plural(failed.data?.data.length ?? 0, "request")} that failed in 24 hours: </span>
      {[...counts].toSorted((a, b) => b[1] - a[1]).map(([outcome, n], i) => <span key={outcome}>{i > 0 && ", "}<a href={link("/requests", { provider, outcome })}>{count(n)} {outcome.replaceAll("_", " ")}</a></span>)}
    </p>
  );
}

function Since({ time }: { time: string | null }) {
  const { zone } = useKnown();
  return time === null ? <span class="muted">–</span> : <span title={hover(new Date(time))}>{dateTime(new Date(time), zone)}</span>;
}

const credentialColumns: Column<Credential>[] = [
  { key: "number", title: "Credential", cell: (row) => `No. ${row.number}` },
  { key: "state", title: "State", cell: (row) => <Words words={[{ text: row.state, tone: row.state === "ready" ? "good" : row.state === "parked" ? "bad" : "warn" }]} /> },
  { key: "reason", title: "Why", wrap: true, cell: (row) => row.reason },
  { key: "since", title: "Since", cell: (row) => <Since time={row.since} /> },
  { key: "until", title: "Tried again", cell: (row) => <Since time={row.until} /> },
];

const targetColumns: Column<ProviderTarget>[] = [
  { key: "target", title: "Target", cell: (row) => <code>{row.target}</code> },
  { key: "health", title: "State", cell: (row) => <HealthOf health={row} /> },
  { key: "since", title: "Open since", cell: (row) => <Since time={row.open_since} /> },
  { key: "models", title: "Of", wrap: true, cell: (row) => row.models.map((model, i) => <span key={model}>{i > 0 && ", "}<a href={link("/models", { model })}>{model}</a></span>) },
];

function NoProviders() {
  return (
    <>
      <strong>The config has no providers</strong>
      <span>Add one to the file, then weir reload:</span>
      <pre class="code">{"providers:\n  openai: {kind: openai, api_key: \"${OPENAI_API_KEY}\"}"}</pre>
    </>
  );
}

function Figures({ name, cells, row }: { name: string; cells: Cells | null; row: SpeedRow | undefined }) {
  return (
    <>
      <td class="strip-cell">{cells && <Strip name={name} of={cells} />}</td>
      <td class="num">{row ? count(row.calls) : "–"}</td>
      <FailedCell row={row} />
      <td class="num">{duration(row?.first.p95_us ?? null)}</td>
    </>
  );
}

/** The cells of all strips as a table, the newest first. */
function Twin({ rows }: { rows: SpeedRow[] }) {
  const { zone } = useKnown();
  const columns: Column<SpeedRow>[] = [
    { key: "at", title: "Five minutes from", cell: (row) => dateTime(new Date(row.at ?? 0), zone), sort: (row) => row.at ?? "" },
    { key: "target", title: "Target", cell: (row) => <code>{row.target}</code>, sort: (row) => row.target ?? "" },
    { key: "calls", title: "Calls", num: true, cell: (row) => count(row.calls), sort: (row) => row.calls },
    { key: "failed", title: "Failed", num: true, cell: (row) => (row.failed > 0 ? <span class="warn">{count(row.failed)}</span> : "0"), sort: (row) => row.failed },
  ];
  return <Table label="Calls and failures of each target in five minutes" columns={columns} rows={rows.slice(-2000)} id={(row) => `${row.target} ${row.at}`} sorted="-at" />;
}
