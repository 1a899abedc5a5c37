// What keys and teams spent in the last 30 days, day by day.
import { useMemo } from "preact/hooks";
import type { UsageList, UsageRow } from "../api";
import { useCall, type Answer } from "../data";
import { useKnown } from "../session";
import { bucketOf, buckets } from "../series";
import { instant, local } from "../time";

/** What one of them spent. */
export interface Spent {
  cost: number;
  requests: number;
  days: number[]; // the cost of each day
  last: Date | null; // the last day with a request
}

/** What all of them spent, by their ids. */
export interface Spending {
  of: Map<string, Spent>;
  whole: boolean; // what is missing spent nothing
  answer: Answer<UsageList>;
}

/** As many of them as are asked for: those that cost most. The answer has a line for each of them and day. */
const most = 200;
const span = 30;

/** The first of the last 30 days, as a date. */
export function monthAgo(zone: string, now = new Date()): string {
  const today = instant(local(now, zone).slice(0, 10) + "T12:00", zone);
  return local(new Date(today.getTime() - (span - 1) * 86_400e3), zone).slice(0, 10);
}

export function useSpending(by: "key" | "team", only: { key?: string; team?: string } = {}): Spending {
  const { zone } = useKnown();
  const since = monthAgo(zone);
  const answer = useCall("GET /admin/v1/usage", { query: { by: `${by},day`, since, top: most, ...only } });
  const rows = answer.data?.data;
  const of = useMemo(() => sumsOf(rows ?? [], by, since, zone), [rows, by, since, zone]);
  return { of, whole: rows !== undefined && of.size < most, answer };
}

function sumsOf(rows: UsageRow[], by: "key" | "team", since: string, zone: string): Map<string, Spent> {
  const days = buckets(instant(since, zone), new Date(), "day", zone).map((at) => at.getTime());
  const of = new Map<string, Spent>();
  for (const row of rows) add(of, row[by] ?? "", row, days, bucketOf(row, zone));
  return of;
}

function add(all: Map<string, Spent>, id: string, row: UsageRow, days: number[], day: Date): void {
  let one = all.get(id);
  if (!one) all.set(id, (one = { cost: 0, requests: 0, days: days.map(() => 0), last: null }));
  one.cost += row.cost_nanodollars;
  one.requests += row.requests;
  const i = days.indexOf(day.getTime());
  if (i >= 0) one.days[i] = (one.days[i] ?? 0) + row.cost_nanodollars;
  if (row.attempts > 0 && (one.last === null || day > one.last)) one.last = day;
}
