// Usage: who spent what, divided by any two things.
import type { UsageRow } from "../api";
import { useCall } from "../data";
import { useGrouped } from "../grouped";
import { change, count, exactMoney, money, percent, plural, short, shortMoney } from "../format";
import { buckets, nameIn, stacked } from "../series";
import { useKnown } from "../session";
import { link, set, usePlace, withFilters } from "../state";
import { before, bucketsIn, grainOf, nameOf, periodOf, type Period } from "../time";
import { Elsewhere, quoted } from "../ui/copy";
import { Check, Select, type Option } from "../ui/forms";
import { Page } from "../ui/page";
import { Plot } from "../ui/plot";
import { Shown } from "../ui/states";
import { Name, Share, Table, type Column } from "../ui/table";
import { NoUsage } from "./overview";

/** What the URL asks for. */
interface Question {
  by: string;
  then: string;
  metric: Metric;
  grain: "hour" | "day" | "month";
  period: Period;
  compare: boolean;
  classes: boolean;
  filters: Filters;
}

type Filters = Partial<Record<"key" | "team" | "model", string>>;

/** A figure that is plotted and sorted by. */
interface Metric {
  name: string;
  title: string;
  of: (row: UsageRow) => number;
  format: (value: number) => string;
  axis: (value: number) => string;
}

const metrics: Metric[] = [
  { name: "cost", title: "Cost", of: (row) => row.cost_nanodollars, format: money, axis: shortMoney },
  { name: "requests", title: "Requests", of: (row) => row.requests, format: count, axis: short },
  { name: "tokens", title: "Tokens", of: (row) => row.input_tokens + row.output_tokens, format: count, axis: short },
  { name: "calls", title: "Calls", of: (row) => row.attempts, format: count, axis: short },
];

const groups = ["model", "team", "key", "provider", "tag"];
const mostRows = 500;

export function Usage() {
  const { zone } = useKnown();
  const question = questionOf(usePlace().params, zone);
  const asked = { query: { by: [question.by, question.then].filter(Boolean).join(","), ...span(question) } };
  const sums = useCall("GET /admin/v1/usage", asked);
  return (
    <Page title="Usage" period team of={sums}>
      <Controls question={question} />
      <OverTime question={question} />
      <section class="panel" aria-label="Sums">
        <header>
          <h2>{question.metric.title} by {question.by}{question.then && ` and ${question.then}`}</h2>
          <span class="muted small">{nameOf(question.period, zone)}</span>
          <div class="rest"><Elsewhere list route="GET /admin/v1/usage" asked={asked} command={command(asked.query)} /></div>
        </header>
        <Shown of={sums} isEmpty={({ data }) => data.length === 0} empty={<NoUsage />}>{({ data }) => <Sums rows={data} question={question} />}</Shown>
      </section>
    </Page>
  );
}

function questionOf(params: URLSearchParams, zone: string): Question {
  const period = periodOf(params);
  const by = groups.find((one) => one === params.get("by")) ?? "model";
  const then = groups.find((one) => one === params.get("then") && one !== by) ?? "";
  const usual = grainOf(period, zone);
  const grain = (["hour", "day", "month"] as const).find((one) => one === params.get("grain")) ?? (by === "tag" && usual === "hour" ? "day" : usual);
  const filters: Filters = {};
  for (const name of ["key", "team", "model"] as const) {
    const value = params.get(name);
    if (value) filters[name] = value;
  }
  return { by, then, grain, period, filters, metric: metrics.find((one) => one.name === params.get("metric")) ?? metrics[0]!, compare: params.get("compare") !== null, classes: params.get("classes") !== null };
}

function span({ period, filters }: Question) {
  return { since: period.since, ...(period.until && { until: period.until }), ...filters };
}

function command(query: Record<string, string | number>): string {
  return ["weir usage", ...Object.entries(query).map(([name, value]) => `--${name} ${quoted(String(value))}`)].join(" ");
}

function options(names: string[]): Option[] {
  return names.map((name) => ({ value: name, label: name || "–" }));
}

function Controls({ question }: { question: Question }) {
  const { by, then, metric, grain, filters } = question;
  const fitting = ["", ...groups].filter((one) => one !== by && (by !== "tag" || one === "" || one === "key") && (one !== "tag" || by === "key"));
  return (
    <div class="filters">
      <Select label="Group by" value={by} options={options(groups)} onChange={(value) => set({ by: value, then: null })} />
      <Select label="then by" value={then} options={options(fitting)} onChange={(value) => set({ then: value })} />
      <Select label="Figure" value={metric.name} options={metrics.map((one) => ({ value: one.name, label: one.title }))} onChange={(value) => set({ metric: value === "cost" ? null : value })} />
      <Select label="Per" value={grain} options={options(by === "tag" ? ["day", "month"] : ["hour", "day", "month"])} onChange={(value) => set({ grain: value })} />
      <Check label="Compare with the span before" checked={question.compare} onChange={(on) => set({ compare: on ? "1" : null })} />
      <Check label="Classes of tokens" checked={question.classes} onChange={(on) => set({ classes: on ? "1" : null })} />
      {(["key", "model"] as const).map((name) => filters[name] !== undefined && (
        <button key={name} type="button" onClick={() => set({ [name]: null })} title="Take this filter out">{name}: {filters[name]} ✕</button>
      ))}
    </div>
  );
}

function OverTime({ question }: { question: Question }) {
  const { zone } = useKnown();
  const { by, grain, metric } = question;
  const { asked, of, beside, whole } = useGrouped({ by, grain, buckets: bucketsIn(question.period, grain, zone), dearest: metric.name === "cost", span: span(question) });
  return (
    <Shown of={of} beside={beside} framed>
      {({ data, since, until }) => {
        const xs = buckets(new Date(since), new Date(until), grain, zone);
        const series = stacked({ rows: data, whole, xs, zone, group: (row) => nameIn(row, by), value: metric.of });
        return <Plot title={`${metric.title} per ${grain}, by ${by}`} kind="bars" grain={grain} xs={xs} until={new Date()} series={series} format={metric.format} axis={metric.axis} tools={<Elsewhere list route="GET /admin/v1/usage" asked={asked} command={command(asked.query)} />} {...(isFilter(by) && { onPick: (name: string) => set({ [by]: name }) })} />;
      }}
    </Shown>
  );
}

function isFilter(by: string): boolean {
  return by === "key" || by === "team" || by === "model";
}

function Sums({ rows, question }: { rows: UsageRow[]; question: Question }) {
  const { zone } = useKnown();
  const { by, then, period, compare, metric } = question;
  const past = useCall("GET /admin/v1/usage", compare ? { query: { by: [by, then].filter(Boolean).join(","), ...span({ ...question, period: before(period, zone) }) } } : null);
  const earlier = compare ? new Map((past.data?.data ?? []).map((row) => [idOf(row, question), row])) : null;
  const shown = rows.toSorted((a, b) => metric.of(b) - metric.of(a)).slice(0, mostRows);
  return (
    <>
      <Table key={`${by}.${then}`} label="Sums" columns={columnsOf(question, rows, earlier)} rows={shown} id={(row) => idOf(row, question)} sorted={`-${metric.name}`} most={50} />
      {rows.length > mostRows && <p class="state small">The first {count(mostRows)} of {plural(rows.length, "line")}. The CSV has all.</p>}
    </>
  );
}

function idOf(row: UsageRow, { by, then }: Question): string {
  return JSON.stringify([by, then].map((group) => (group === "" ? "" : row[group as "model"])));
}

function columnsOf(question: Question, rows: UsageRow[], earlier: Map<string, UsageRow> | null): Column<UsageRow>[] {
  const { by, then, metric, classes } = question;
  const all = (of: (row: UsageRow) => number) => rows.reduce((sum, row) => sum + of(row), 0);
  const most = Math.max(0, ...rows.map(metric.of));
  const figure = (key: string, title: string, of: (row: UsageRow) => number): Column<UsageRow> => ({ key, title, num: true, cell: (row) => count(of(row)), sort: of, sum: count(all(of)) });
  const columns = [by, then].filter(Boolean).map((group, i) => groupColumn(group, i === 0));
  columns.push(
    { key: "cost", title: "Cost", num: true, cell: (row) => <span title={exactMoney(row.cost_nanodollars)}>{row.estimated > 0 && "~ "}{money(row.cost_nanodollars)}</span>, sort: (row) => row.cost_nanodollars, sum: <span title={exactMoney(all((row) => row.cost_nanodollars))}>{all((row) => row.estimated) > 0 && "~ "}{money(all((row) => row.cost_nanodollars))}</span>, hint: "~: of some calls Weir counted the tokens" },
    { key: "share", title: "Share", cell: (row) => <Share part={metric.of(row)} whole={most} /> },
  );
  if (earlier) columns.push(compared(question, earlier));
  columns.push(figure("requests", "Requests", (row) => row.requests), figure("calls", "Calls", (row) => row.attempts), figure("tokens", "Tokens", (row) => row.input_tokens + row.output_tokens));
  if (classes) {
    columns.push(figure("fresh", "Fresh", (row) => row.input_tokens - row.cache_read_tokens - row.cache_write_tokens), figure("read", "From caches", (row) => row.cache_read_tokens), figure("write", "Into caches", (row) => row.cache_write_tokens), figure("output", "Output", (row) => row.output_tokens), figure("reasoning", "of it reasoning", (row) => row.reasoning_tokens));
  } else {
    columns.push({ key: "cached", title: "From caches", num: true, cell: (row) => percent(row.cache_read_tokens, row.input_tokens), sort: (row) => (row.input_tokens ? row.cache_read_tokens / row.input_tokens : 0), sum: percent(all((row) => row.cache_read_tokens), all((row) => row.input_tokens)) });
  }
  return columns;
}

function groupColumn(group: string, first: boolean): Column<UsageRow> {
  const title = group[0]!.toUpperCase() + group.slice(1);
  return { key: group, title, cell: (row) => <Name whole={nameIn(row, group)}><a href={narrowed(row, group)}>{nameIn(row, group)}</a></Name>, sort: (row) => nameIn(row, group), ...(first && { sum: "All" }) };
}

/** Where a group leads: the same page about it, or its requests. */
function narrowed(row: UsageRow, group: string): string {
  const id = group === "key" ? (row.key ?? "") : group === "team" ? (row.team ?? "") : nameIn(row, group);
  return isFilter(group) && id !== "" ? withFilters({ [group]: id }) : link("/requests", { [group]: id });
}

function compared({ metric, ...question }: Question, earlier: Map<string, UsageRow>): Column<UsageRow> {
  const was = (row: UsageRow) => {
    const old = earlier.get(idOf(row, { metric, ...question }));
    return old ? metric.of(old) : 0;
  };
  return { key: "before", title: "Span before", num: true, cell: (row) => <span title={change(metric.of(row), was(row))}>{metric.format(was(row))}</span>, sort: was, sum: metric.format([...earlier.values()].reduce((sum, row) => sum + metric.of(row), 0)) };
}
