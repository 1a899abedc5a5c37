// What groups used over time, for a plot.
import type { UsageList, UsageRow } from "./api";
import { useCall, type Answer } from "./data";
import { most, type Grain } from "./series";

/** There may be any number of these. */
const many = ["key", "team", "tag"];

/** Of how many lines an answer has about at most: more take longer than a tenth of a second. */
const lines = 7_000;

/** In how many buckets all models or providers are asked for: a week has 170 hours. */
const few = 200;

interface Grouping {
  by: string;
  grain: Grain;
  buckets: number; // about how many the plot has
  dearest: boolean; // the groups that cost most are those that the plot is about
  span: Record<string, string>;
}

interface Grouped {
  asked: { query: Record<string, string | number> };
  of: Answer<UsageList>;
  beside: Answer<UsageList>[]; // what the rest is found out by
  whole?: UsageRow[] | undefined; // of all groups together, where the rows are of the dearest alone
}

/** Of groups of which there may be many, or many lines, the dearest are asked for, and all of them together. What has several tags is no sum of them. */
export function useGrouped({ by, grain, buckets, dearest, span }: Grouping): Grouped {
  const some = many.includes(by) || buckets > few;
  const top = dearest ? most : Math.max(most, Math.min(50, Math.floor(lines / buckets)));
  const asked = { query: { by: `${by},${grain}`, ...(some && { top }), ...span } };
  const of = useCall("GET /admin/v1/usage", asked);
  const sums = some && by !== "tag";
  const whole = useCall("GET /admin/v1/usage", sums ? { query: { by: grain, ...span } } : null);
  return { asked, of, beside: sums ? [whole] : [], whole: of.current === whole.current ? whole.data?.data : undefined };
}
