// From the rows of a report to the series of a plot.
import type { SpeedRow, UsageRow } from "./api";
import { instant, local } from "./time";
import { others } from "./ui/colors";
import type { Series } from "./ui/plot";

export type Grain = "hour" | "day" | "month";

/** What is left of a plot's colours when others have theirs. */
export const most = 7;

/** When days began, by zone and date. To find that out takes long, and a report has thousands of rows of a few days. */
const begun = new Map<string, Date>();

/** When a row's bucket begins. */
export function bucketOf(row: UsageRow, zone: string): Date {
  if (row.hour !== undefined) return new Date(row.hour);
  const date = row.day ?? (row.month ?? "1970-01") + "-01";
  let at = begun.get(zone + date);
  if (!at) begun.set(zone + date, (at = instant(date, zone)));
  return at;
}

/** All buckets of a span, those without rows too. The first day or month may begin before the span does. */
export function buckets(from: Date, to: Date, grain: Grain, zone: string): Date[] {
  const all: Date[] = [];
  for (let at = begin(from, grain, zone); at < to && all.length < 5000; at = after(at, grain, zone)) all.push(at);
  return all;
}

function begin(at: Date, grain: Grain, zone: string): Date {
  if (grain === "hour") return at;
  const date = local(at, zone).slice(0, 10);
  return instant(grain === "day" ? date : date.slice(0, 8) + "01", zone);
}

/** When the next bucket begins. */
export function after(at: Date, grain: Grain, zone: string): Date {
  if (grain === "hour") return new Date(at.getTime() + 3600e3);
  const [year = 0, month = 1, day = 1] = local(at, zone).slice(0, 10).split("-").map(Number);
  const next = grain === "day" ? new Date(Date.UTC(year, month - 1, day + 1)) : new Date(Date.UTC(year, month, 1));
  return instant(next.toISOString().slice(0, 10), zone);
}

/** How the group of a row is called. */
export function nameIn(row: UsageRow, by: string): string {
  switch (by) {
    case "team":
      return row.team === "" ? "no team" : row.team_name || (row.key === undefined && row.name) || row.team || "";
    case "key":
      return row.name || row.key || "";
    case "tag":
      return row.tag ?? "";
    case "provider":
      return row.provider ?? "";
    default:
      return row.model ?? "";
  }
}

interface Stacking {
  rows: UsageRow[];
  whole?: UsageRow[] | undefined; // of all groups together, where rows has not all of them
  xs: Date[];
  zone: string;
  group: (row: UsageRow) => string;
  value: (row: UsageRow) => number;
}

/** The largest groups and what is left, each with a value for every bucket. */
export function stacked({ rows, whole, xs, zone, group, value }: Stacking): Series[] {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(group(row), (sums.get(group(row)) ?? 0) + value(row));
  const largest = [...sums].filter(([name, sum]) => sum > 0 && name !== others).toSorted((a, b) => b[1] - a[1]).slice(0, most).map(([name]) => name);
  const shown = new Set(largest);
  const series = new Map(largest.map((name) => [name, { name, values: xs.map(() => 0) }]));
  const index = new Map(xs.map((at, i) => [at.getTime(), i]));
  const add = (name: string, row: UsageRow, amount: number) => {
    if (amount === 0) return;
    let one = series.get(name);
    if (!one) series.set(name, (one = { name, values: xs.map(() => 0) }));
    const at = bucketOf(row, zone);
    const i = index.get(at.getTime()) ?? Math.max(0, xs.findLastIndex((begun) => begun < at)); // hours of another time zone begin within one
    one.values[i] = (one.values[i] ?? 0) + amount;
  };
  for (const row of rows) {
    if (shown.has(group(row))) add(group(row), row, value(row));
    else if (!whole) add(others, row, value(row));
  }
  if (whole) rest(whole, rows.filter((row) => shown.has(group(row))), value, add);
  return [...series.values()].filter((one) => shown.has(one.name) || one.values.some(Boolean));
}

/** Adds what is left of the whole, whose rows may be from a moment before or after. */
function rest(whole: UsageRow[], of: UsageRow[], value: (row: UsageRow) => number, add: (name: string, row: UsageRow, amount: number) => void): void {
  const left = new Map<string, number>();
  const when = (row: UsageRow) => row.hour ?? row.day ?? row.month ?? "";
  for (const row of of) left.set(when(row), (left.get(when(row)) ?? 0) - value(row));
  for (const row of whole) add(others, row, Math.max(0, value(row) + (left.get(when(row)) ?? 0)));
}

/** The shares of calls of a report of speeds, each as a line. */
export function quantiles(rows: SpeedRow[], xs: Date[], of: "first" | "took"): Series[] {
  const index = new Map(rows.map((row) => [new Date(row.at ?? 0).getTime(), row[of]]));
  return ([["p50", 1], ["p95", 6], ["p99", 8]] as const).map(([name, slot]) => ({ name, slot, values: xs.map((at) => index.get(at.getTime())?.[`${name}_us`] ?? null) }));
}
