// How keys, teams and what bounds them are called.
import type { BudgetUse, Key, LimitUse, Team } from "../api";
import { count, money, plural, short } from "../format";

/** A state in words, and how much care it asks for. */
export interface State {
  word: string;
  tone: "good" | "warn" | "bad" | "muted";
}

/** A key that expires within this is one to look at. */
export const soon = 7 * 86_400e3;

export function stateOf(of: Key | Team, now = Date.now()): State {
  switch (of.status) {
    case "revoked":
      return { word: "unsaved" in of && of.unsaved ? "Revoked, not saved" : "Revoked", tone: "unsaved" in of && of.unsaved ? "bad" : "muted" };
    case "team_revoked":
      return { word: "Team revoked", tone: "warn" };
    case "expired":
      return { word: "Expired", tone: "warn" };
    default: {
      const left = "expires_at" in of && of.expires_at ? Date.parse(of.expires_at) - now : soon;
      return left < soon ? { word: "Expires soon", tone: "warn" } : { word: "Active", tone: "good" };
    }
  }
}

/** An amount of a budget. */
export function amount(unit: BudgetUse["unit"], n: number): string {
  return unit === "nanodollars" ? money(n) : `${short(n).replace(/\.?0+ /, " ")} ${n === 1 ? "token" : "tokens"}`;
}

const periods: Record<string, string> = { hour: "an hour", day: "a day", week: "a week", month: "a month", total: "in total" };

/** The period of a budget, such as 50usd/month. */
export function periodOf(budget: string): string {
  return budget.slice(budget.lastIndexOf("/") + 1);
}

/** $50.00 a month */
export function budgetName(use: BudgetUse): string {
  const period = periodOf(use.budget);
  return `${amount(use.unit, use.most)} ${periods[period] ?? "a " + period}`;
}

/** 600 requests a minute */
export function limitName({ limit, most }: LimitUse): string {
  switch (limit) {
    case "rpm":
      return `${plural(most, "request")} a minute`;
    case "tpm":
      return `${plural(most, "token")} a minute`;
    default:
      return `${plural(most, "request")} at once`;
  }
}

/** The limits of a key or a team, each in a few letters. */
export function limitsOf(of: Key | Team): string {
  const all = [of.rpm !== null && `${count(of.rpm)} rpm`, of.tpm !== null && `${count(of.tpm)} tpm`, of.concurrent !== null && `${count(of.concurrent)} at once`];
  return all.filter((one) => one !== false).join(", ");
}

/** Budgets and limits in one text. */
export function boundsOf(of: Key | Team): string {
  return [...(of.budgets ?? []), limitsOf(of)].join();
}

/** Whether a pattern allows a model. */
export function allows(pattern: string, model: string): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(model);
}
