// Providers: are they well, were they, and which credentials may be used?
import { useMemo, useState } from "preact/hooks";
import type { Health, Model, SpeedList, SpeedRow } from "../api";
import { useCall } from "../data";
import { count, duration, percent, plural } from "../format";
import { useKnown } from "../session";
import { dateTime, minute } from "../time";
import { Elsewhere } from "../ui/copy";
import { Segments } from "../ui/forms";
import { HealthOf } from "../ui/health";
import { Page } from "../ui/page";
import { Shown } from "../ui/states";
import { Strip, cellsOf, type Cells } from "../ui/strip";
import { Table, type Column } from "../ui/table";

const since = "24h";
const fivesAsked = { query: { by: "target,5m", since } };

export function Providers() {
  const models = useCall("GET /admin/v1/models", {});
  const fives = useCall("GET /admin/v1/latency", fivesAsked);
  const [asTable, setAsTable] = useState(false);
  return (
    <Page title="Providers" of={models}>
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
          <Shown of={models}>{({ data }) => <List models={data} fives={fives.data} />}</Shown>
        )}
      </section>
    </Page>
  );
}

/** Targets wherever models name them. One that ends in * stands for many. */
function byProvider(models: Model[], names: string[]): Map<string, Map<string, Health | null>> {
  const found = new Map(names.map((name) => [name, new Map<string, Health | null>()]));
  for (const { target, health } of models.flatMap((model) => model.targets)) {
    const name = target.slice(0, target.indexOf("/"));
    found.set(name, (found.get(name) ?? new Map<string, Health | null>()).set(target, health));
  }
  return found;
}

function List({ models, fives }: { models: Model[]; fives: SpeedList | null }) {
  const { providers, zone } = useKnown();
  const targets = useCall("GET /admin/v1/latency", { query: { by: "target", since } });
  const sums = useCall("GET /admin/v1/latency", { query: { by: "provider", since } });
  const cells = useMemo(() => fives && cellsOf(fives), [fives]);
  const speeds = new Map([...(targets.data?.data ?? []), ...(sums.data?.data ?? [])].map((row) => [row.target ?? row.provider ?? "", row]));
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
        {[...byProvider(models, providers)].map(([name, states]) => (
          <Group key={name} name={name} states={states} cells={cells} speeds={speeds} />
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
  name: string;
  states: Map<string, Health | null>;
  cells: Cells | null;
  speeds: Map<string, SpeedRow>;
}

function Group({ name, states, cells, speeds }: GroupProps) {
  const running = [...states.values()].reduce((sum, health) => sum + (health?.in_flight ?? 0), 0);
  return (
    <tbody>
      <tr class="first">
        <th scope="rowgroup">{name}</th>
        <td><Credentials states={states} /></td>
        <Figures name={name} cells={cells} row={speeds.get(name)} />
        <td class="num">{count(running)}</td>
      </tr>
      {[...states].map(([target, health]) => (
        <tr key={target}>
          <td class="target"><code>{target.slice(name.length + 1)}</code></td>
          <td><HealthOf health={health} /></td>
          <Figures name={target} cells={cells} row={speeds.get(target)} />
          <td class="num">{health ? count(health.in_flight) : "–"}</td>
        </tr>
      ))}
    </tbody>
  );
}

function Credentials({ states }: { states: Map<string, Health | null> }) {
  const health = [...states.values()].find((one) => one !== null);
  if (!health) return <span class="muted">no model uses it</span>;
  return <span class="muted">{health.credentials === 0 ? "no credential wanted" : plural(health.credentials, "credential")}</span>;
}

function Figures({ name, cells, row }: { name: string; cells: Cells | null; row: SpeedRow | undefined }) {
  return (
    <>
      <td class="strip-cell">{cells && <Strip name={name} of={cells} />}</td>
      <td class="num">{row ? count(row.calls) : "–"}</td>
      <td class={row && row.failed > 0 ? "num warn" : "num"}>{row ? percent(row.failed, row.calls) : "–"}</td>
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
