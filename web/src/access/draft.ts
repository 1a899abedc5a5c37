// What the forms of keys and teams hold, all of it as text, and what the API takes of it.
import { ApiError, type Key, type KeyChange, type Team } from "../api";
import { instant, local } from "../time";

/** Members go by the names that the API has for them, so that it can say which is wrong. A team has no use for the last three and team. */
export interface Draft {
  name: string;
  team: string;
  models: string;
  rpm: string;
  tpm: string;
  concurrent: string;
  budgets: string;
  reserve: string;
  cut: boolean;
  warn: string;
  expires_at: string; // a local time in the config's zone
  idempotency: string;
  explain: boolean;
}

export const blank: Draft = { name: "", team: "", models: "", rpm: "", tpm: "", concurrent: "", budgets: "", reserve: "expected", cut: false, warn: "", expires_at: "", idempotency: "", explain: false };

/** A key or a team as its form shows it. */
export function draftOf(of: Key | Team, zone: string): Draft {
  const shared: Draft = {
    ...blank,
    name: of.name,
    models: listed(of.models),
    rpm: text(of.rpm),
    tpm: text(of.tpm),
    concurrent: text(of.concurrent),
    budgets: listed(of.budgets),
    reserve: of.reserve ?? blank.reserve,
    cut: of.cut,
    warn: listed(of.warn),
  };
  if (!("idempotency" in of)) return shared;
  return { ...shared, team: of.team ?? "", expires_at: of.expires_at === null ? "" : local(new Date(of.expires_at), zone), idempotency: of.idempotency ?? "", explain: of.explain };
}

/** What is to be changed for a draft to become true. What is empty is null, which the API takes for none. */
export function changes(draft: Draft, before: Draft, zone: string): KeyChange {
  const body: KeyChange = {};
  const differs = (member: keyof Draft) => draft[member] !== before[member];
  if (differs("name")) body.name = draft.name.trim();
  if (differs("team")) body.team = draft.team || null;
  if (differs("models")) body.models = list(draft.models);
  if (differs("rpm")) body.rpm = whole(draft.rpm, "rpm");
  if (differs("tpm")) body.tpm = whole(draft.tpm, "tpm");
  if (differs("concurrent")) body.concurrent = whole(draft.concurrent, "concurrent");
  if (differs("budgets")) body.budgets = list(draft.budgets);
  if (differs("reserve")) body.reserve = draft.reserve === "strict" ? "strict" : "expected";
  if (differs("cut")) body.cut = draft.cut;
  if (differs("warn")) body.warn = list(draft.warn)?.map((share) => whole(share.replace(/\s*%$/, ""), "warn") ?? 0) ?? null;
  if (differs("expires_at")) body.expires_at = draft.expires_at === "" ? null : instant(draft.expires_at, zone).toISOString();
  if (differs("idempotency")) body.idempotency = draft.idempotency.trim() || null;
  if (differs("explain")) body.explain = draft.explain;
  return body;
}

function text(n: number | null): string {
  return n === null ? "" : String(n);
}

function listed(all: (string | number)[] | null): string {
  return (all ?? []).join(", ");
}

function list(line: string): string[] | null {
  const all = line.split(",").map((one) => one.trim()).filter((one) => one !== "");
  return all.length > 0 ? all : null;
}

/** A number as people write it, or null for nothing. What is none is refused here, since JSON has no way to pass it on. */
function whole(written: string, param: string): number | null {
  const digits = written.replace(/[\s,_]/g, "");
  if (digits === "") return null;
  if (!/^\d{1,15}$/.test(digits)) throw new ApiError(400, "invalid_value", `A whole number is expected, and not ${written.trim()}.`, param);
  return Number(digits);
}
