// Cells that the tables of keys and teams share.
import type { Key, Team } from "../api";
import { exactMoney, money } from "../format";
import { Spark } from "../ui/spark";
import { limitsOf, stateOf } from "./names";
import type { Spending } from "./spent";

/** A state, as a dot and a word. */
export function StateWord({ of }: { of: Key | Team }) {
  const { word, tone } = stateOf(of);
  return <span class={`state-word ${tone}`}>{word}</span>;
}

export function StateCell({ of }: { of: Key | Team }) {
  return (
    <>
      <StateWord of={of} />
      <span class="second">{of.source === "config" ? "config file" : "store"}</span>
    </>
  );
}

/** Budgets above limits. */
export function Bounds({ of }: { of: Key | Team }) {
  const limits = limitsOf(of);
  if (!of.budgets && limits === "") return <span class="muted">none</span>;
  return (
    <div class="words bounds">
      {of.budgets?.map((one) => <span key={one} class="whole">{one}</span>)}
      {limits !== "" && <span class={of.budgets ? "second" : undefined}>{limits}</span>}
    </div>
  );
}

/** Patterns: the first few, or all. */
export function Models({ models, all }: { models: string[] | null; all?: boolean }) {
  if (!models) return <span class="muted">all</span>;
  if (all) return <>{models.join(", ")}</>;
  const more = models.length - 3;
  return <div class="words" title={models.join(", ")}>{models.slice(0, 3).join(", ")}{more > 0 && <span class="muted"> + {more}</span>}</div>;
}

/** What was spent in 30 days, and on which of them. */
export function SpentCell({ spending, id }: { spending: Spending; id: string }) {
  const spent = spending.of.get(id);
  if (!spent) return <span class="muted">{spending.whole ? money(0) : "–"}</span>;
  return <span class="spent"><Spark values={spent.days} /><span title={exactMoney(spent.cost)}>{money(spent.cost)}</span></span>;
}
