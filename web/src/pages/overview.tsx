// Overview: is it well, and what does it cost?
import type { Model, UsageList, UsageRow } from "../api";
import { useCall, type Answer } from "../data";
import { useGrouped } from "../grouped";
import { change, count, duration, exactMoney, money, percent, plural, short, shortDuration, shortMoney } from "../format";
import { buckets, nameIn, quantiles, stacked } from "../series";
import { useKnown } from "../session";
import { link, set, usePlace } from "../state";
import { before, bucketsIn, grainOf, minute, nameOf, periodOf, type Period } from "../time";
import { Elsewhere } from "../ui/copy";
import { Segments } from "../ui/forms";
import { Page } from "../ui/page";
import { Plot } from "../ui/plot";
import { Failed, Shown } from "../ui/states";
import { Name, Share, Table, type Column } from "../ui/table";
import { Tile, Tiles } from "../ui/tiles";

/** What all reports of the page are about. */
interface About {
  period: Period;
  team: string;
}

export function Overview() {
  const { params } = usePlace();
  const about = { period: periodOf(params), team: params.get("team") ?? "" };
  const totals = useCall("GET /admin/v1/usage", { query: { by: "model", ...span(about) } });
  return (
    <Page title="Overview" period team of={totals}>
      {totals.data === null && totals.error ? <div class="panel"><Failed error={totals.error} retry={totals.reload} /></div> : <Parts about={about} totals={totals} />}
    </Page>
  );
}

/** What the page has unless its first answer failed: then so would the others. */
function Parts({ about, totals }: { about: About; totals: Answer<UsageList> }) {
  const { params } = usePlace();
  const unused = totals.data?.data.length === 0;
  return (
    <>
      <Figures about={about} totals={totals} />
      <Troubles />
      {unused ? <section class="panel state"><NoUsage /></section> : (
        <div class="halves">
          <div class="stack">
            <CostPlot about={about} by={params.get("by") ?? "model"} />
            {about.team === "" && <SpeedPlot about={about} />}
          </div>
          <Keys about={about} />
        </div>
      )}
    </>
  );
}

/** The filters of a report. */
function span({ period, team }: About) {
  return { since: period.since, ...(period.until && { until: period.until }), ...(team && { team }) };
}

function sum(rows: UsageRow[], of: (row: UsageRow) => number): number {
  return rows.reduce((all, row) => all + of(row), 0);
}

function Figures({ about, totals }: { about: About; totals: Answer<UsageList> }) {
  const { zone } = useKnown();
  const past = useCall("GET /admin/v1/usage", { query: { by: "model", ...span({ ...about, period: before(about.period, zone) }) } });
  const speeds = useCall("GET /admin/v1/latency", { query: { by: "all", ...span({ ...about, team: "" }) } });
  const latest = useCall("GET /admin/v1/requests", { query: { limit: 100, ...(about.team && { team: about.team }) } });
  const spent = past.data ? sum(past.data.data, (row) => row.cost_nanodollars) : 0;
  return (
    <section aria-label="Figures">
      <Shown of={totals} beside={[past, speeds, latest]} framed>
        {({ data }) => {
          const cost = sum(data, (row) => row.cost_nanodollars);
          const tokens = sum(data, (row) => row.input_tokens + row.output_tokens);
          const calls = sum(data, (row) => row.attempts);
          const all = speeds.data?.data[0];
          const own = middle((latest.data?.data ?? []).map((row) => row.own_us));
          return (
            <Tiles>
              <Tile label="Cost" figure={money(cost)} hint={exactMoney(cost)}>{change(cost, spent) ? `${change(cost, spent)} on the span before` : past.data && "nothing in the span before"}</Tile>
              <Tile label="Requests" figure={count(sum(data, (row) => row.requests))}>{about.team ? plural(calls, "call") : speeds.data && `${percent(all?.failed ?? 0, all?.calls ?? 0)} of ${plural(all?.calls ?? 0, "call")} failed`}</Tile>
              <Tile label="Tokens" figure={short(tokens)} hint={count(tokens)}>{percent(sum(data, (row) => row.cache_read_tokens), sum(data, (row) => row.input_tokens))} from caches</Tile>
              <Tile label="First token, p95" figure={duration(all?.first.p95_us ?? null)}>{own === null ? latest.data && "no requests yet" : `Weir’s own part ${duration(own)}`}</Tile>
              <Ledger rows={data} />
            </Tiles>
          );
        }}
      </Shown>
    </section>
  );
}

/** The middle one. */
function middle(values: number[]): number | null {
  const ordered = values.toSorted((a, b) => a - b);
  return ordered[Math.floor(ordered.length / 2)] ?? null;
}

function Ledger({ rows }: { rows: UsageRow[] }) {
  const [orphaned, doubt, estimated] = [sum(rows, (row) => row.orphaned), sum(rows, (row) => row.in_doubt), sum(rows, (row) => row.estimated)];
  const open = orphaned + doubt;
  return (
    <Tile label="Ledger" figure={open === 0 ? "Complete" : plural(open, "open row")} tone={open === 0 ? "" : "warn"}>
      {plural(estimated, "estimated row")}
      {open > 0 && `, ${count(orphaned)} orphaned, ${count(doubt)} in doubt`}
    </Tile>
  );
}

/** Targets that are down now. */
function Troubles() {
  const { zone } = useKnown();
  const models = useCall("GET /admin/v1/models", {});
  const down = new Map((models.data?.data ?? []).flatMap(troubled));
  if (down.size === 0) return null;
  return (
    <section class="stack" aria-label="Troubles">
      {[...down].map(([target, health]) => (
        <div class="panel alert" key={target}>
          <span class="mono">{target}</span>
          <span class="warn">breaker {health.breaker}{health.open_until ? ` until ${minute(new Date(health.open_until), zone)}` : ""}</span>
          <a href={link("/providers")}>Providers</a>
        </div>
      ))}
    </section>
  );
}

type Down = NonNullable<Model["targets"][number]["health"]>;

function troubled(model: Model): [string, Down][] {
  return model.targets.flatMap(({ target, health }) => (health && health.breaker !== "closed" ? [[target, health] as [string, Down]] : []));
}

const groups = ["model", "team", "key", "provider"];

function CostPlot({ about, by }: { about: About; by: string }) {
  const { zone } = useKnown();
  const grain = grainOf(about.period, zone);
  const { asked, of, beside, whole } = useGrouped({ by, grain, buckets: bucketsIn(about.period, grain, zone), dearest: true, span: span(about) });
  const tools = (
    <>
      <Segments label="Divide by" value={by} options={groups.map((one) => ({ value: one, label: one }))} onChange={(value) => set({ by: value === "model" ? null : value })} />
      <Elsewhere list route="GET /admin/v1/usage" asked={asked} command={`weir usage --by ${by},${grain}${asked.query.top ? ` --top ${asked.query.top}` : ""} --since ${about.period.since}`} />
    </>
  );
  return (
    <Shown of={of} beside={beside} framed>
      {({ data, since, until }) => {
        const xs = buckets(new Date(since), new Date(until), grain, zone);
        const series = stacked({ rows: data, whole, xs, zone, group: (row) => nameIn(row, by), value: (row) => row.cost_nanodollars });
        return <Plot title={`Cost per ${grain}, by ${by}`} kind="bars" grain={grain} xs={xs} until={new Date()} series={series} format={money} axis={shortMoney} tools={tools} onPick={(name) => set(pick(by, name))} />;
      }}
    </Shown>
  );
}

/** A click on a group's name: its team here, everything else where requests are. */
function pick(by: string, name: string): Record<string, string> {
  return by === "team" ? { team: name } : { [by]: name };
}

function SpeedPlot({ about }: { about: About }) {
  const { zone } = useKnown();
  const grain = grainOf(about.period, zone) === "hour" ? "hour" : "day";
  const asked = { query: { by: grain, ...span({ ...about, team: "" }) } };
  const speeds = useCall("GET /admin/v1/latency", asked);
  return (
    <Shown of={speeds} framed>
      {({ data, since, until }) => {
        const xs = buckets(new Date(since), new Date(until), grain, zone);
        return <Plot title={`Time of calls per ${grain}`} kind="lines" grain={grain} xs={xs} until={new Date()} series={quantiles(data, xs, "took")} format={duration} axis={shortDuration} tools={<Elsewhere list route="GET /admin/v1/latency" asked={asked} />} />;
      }}
    </Shown>
  );
}

function Keys({ about }: { about: About }) {
  const { zone } = useKnown();
  const asked = { query: { by: "key", top: 50, ...span(about) } };
  const usage = useCall("GET /admin/v1/usage", asked);
  return (
    <section class="panel" aria-label="Keys by cost">
      <header>
        <h2>Keys by cost</h2>
        <span class="muted small">{nameOf(about.period, zone)}</span>
        <div class="rest"><Elsewhere list route="GET /admin/v1/usage" asked={asked} command={`weir usage --by key --top 50 --since ${about.period.since}`} /></div>
      </header>
      <Shown of={usage} isEmpty={({ data }) => data.length === 0} empty={<NoUsage />}>
        {({ data }) => <Table label="Keys by cost" columns={keyColumns(data)} rows={data} id={(row) => row.key ?? ""} sorted="-cost" />}
      </Shown>
    </section>
  );
}

function keyColumns(rows: UsageRow[]): Column<UsageRow>[] {
  const most = Math.max(0, ...rows.map((row) => row.cost_nanodollars));
  return [
    { key: "key", title: "Key", cell: (row) => <Name whole={row.name || row.key || ""}><a href={link("/requests", { key: row.key ?? "" })}>{row.name || row.key}</a></Name>, sort: (row) => row.name || row.key || "" },
    { key: "cost", title: "Cost", num: true, cell: (row) => <span title={exactMoney(row.cost_nanodollars)}>{money(row.cost_nanodollars)}</span>, sort: (row) => row.cost_nanodollars },
    { key: "share", title: "Share", cell: (row) => <Share part={row.cost_nanodollars} whole={most} /> },
    { key: "requests", title: "Requests", num: true, cell: (row) => count(row.requests), sort: (row) => row.requests },
    { key: "input", title: "Tokens in", num: true, cell: (row) => count(row.input_tokens), sort: (row) => row.input_tokens },
    { key: "output", title: "Tokens out", num: true, cell: (row) => count(row.output_tokens), sort: (row) => row.output_tokens },
    { key: "cached", title: "From caches", num: true, cell: (row) => percent(row.cache_read_tokens, row.input_tokens), sort: (row) => (row.input_tokens ? row.cache_read_tokens / row.input_tokens : 0) },
  ];
}

/** What to do where nothing was used yet. */
export function NoUsage() {
  return (
    <>
      <strong>No request in this span</strong>
      <span>Make a key and call a model with it:</span>
      <pre class="code">{"weir keys create my-app\ncurl http://127.0.0.1:8930/v1/chat/completions -H 'Authorization: Bearer sk-weir-…' -H 'Content-Type: application/json' \\\n  -d '{\"model\": \"smart\", \"messages\": [{\"role\": \"user\", \"content\": \"Hello\"}]}'"}</pre>
    </>
  );
}
