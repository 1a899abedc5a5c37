// From the rows of a report to the series of a plot.
import type { SpeedRow, UsageRow } from "./api";
import { instant } from "./time";
import { others } from "./ui/colors";
import type { Series } from "./ui/plot";

/** What is counted. */
export type Metric = "cost_nanodollars" | "requests" | "attempts" | "input_tokens" | "output_tokens";

export type Grain = "hour" | "day" | "month";

/** What is left of a plot's colours when others have theirs. */
const most = 7;

/** When a row's bucket begins. */
export function bucketOf(row: UsageRow, zone: string): Date {
  return row.hour !== undefined ? new Date(row.hour) : instant(row.day ?? (row.month ?? "1970-01") + "-01", zone);
}

/** All buckets of a span, those without rows too. */
export function buckets(from: Date, to: Date, grain: Grain, zone: string): Date[] {
  const all: Date[] = [];
  for (let at = from; at < to && all.length < 5000; at = after(at, grain, zone)) all.push(at);
  return all;
}

function after(at: Date, grain: Grain, zone: string): Date {
  if (grain === "hour") return new Date(at.getTime() + 3600e3);
  const parts = new Date(at.getTime() + 1).toLocaleDateString("en-CA", { timeZone: zone }).split("-").map(Number);
  const [year = 0, month = 1, day = 1] = parts;
  const next = grain === "day" ? new Date(Date.UTC(year, month - 1, day + 1)) : new Date(Date.UTC(year, month, 1));
  return instant(next.toISOString().slice(0, 10), zone);
}

interface Stacking {
  rows: UsageRow[];
  xs: Date[];
  zone: string;
  group: (row: UsageRow) => string;
  value: (row: UsageRow) => number;
}

/** The largest groups and what is left, each with a value for every bucket. */
export function stacked({ rows, xs, zone, group, value }: Stacking): Series[] {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(group(row), (sums.get(group(row)) ?? 0) + value(row));
  const largest = [...sums].filter(([name, sum]) => sum > 0 && name !== others).toSorted((a, b) => b[1] - a[1]).slice(0, most).map(([name]) => name);
  const series = new Map(largest.map((name) => [name, { name, values: xs.map(() => 0) }]));
  const index = new Map(xs.map((at, i) => [at.getTime(), i]));
  for (const row of rows) {
    const name = series.has(group(row)) ? group(row) : others;
    if (value(row) === 0) continue;
    let one = series.get(name);
    if (!one) series.set(name, (one = { name, values: xs.map(() => 0) }));
    const i = index.get(bucketOf(row, zone).getTime());
    if (i !== undefined) one.values[i] = (one.values[i] ?? 0) + value(row);
  }
  return [...series.values()];
}

/** The shares of calls of a report of speeds, each as a line. */
export function quantiles(rows: SpeedRow[], xs: Date[], of: "first" | "took"): Series[] {
  const index = new Map(rows.map((row) => [new Date(row.at ?? 0).getTime(), row[of]]));
  return (["p50", "p95", "p99"] as const).map((name) => ({ name, values: xs.map((at) => index.get(at.getTime())?.[`${name}_us`] ?? null) }));
}
