// Limits and budgets as bars: what was spent, what running calls hold, and where it leads.
import type { BudgetUse, LimitList, LimitUse } from "../api";
import { count, duration } from "../format";
import { useKnown } from "../session";
import { link } from "../state";
import { day, hover, minute } from "../time";
import { amount, budgetName, limitName, periodOf } from "./names";

export function Meters({ list }: { list: LimitList }) {
  return (
    <>
      <ul class="meters">{list.budgets.map((use) => <li key={`${use.of} ${use.id} ${use.budget}`}><Budget use={use} /></li>)}</ul>
      <ul class="meters small">{list.data.map((use) => <li key={`${use.of} ${use.id} ${use.limit}`}><Limit use={use} /></li>)}</ul>
    </>
  );
}

/** When so much is used, it is said in colour and words. */
const nearly = 0.9;

function Budget({ use }: { use: BudgetUse }) {
  const { zone } = useKnown();
  const { used, held, most, remaining, unit } = use;
  const forecast = use.forecast === 0 ? null : use.forecast;
  const over = forecast !== null && forecast > most;
  const tone = remaining <= 0 ? "bad" : used + held >= nearly * most || over ? "warn" : "";
  const said = `${amount(unit, used)} spent, ${amount(unit, held)} held, ${amount(unit, Math.max(0, remaining))} left of ${amount(unit, most)}`;
  return (
    <>
      <div class="row">
        <span><Owner use={use} /> <strong>{budgetName(use)}</strong></span>
        {remaining <= 0 && <span class="bad">{held > 0 && used < most ? "all of it is used or held" : "used up"}</span>}
        <span class="rest muted small">{use.reset ? <>resets <time title={hover(new Date(use.reset))}>{day(new Date(use.reset), zone)} {minute(new Date(use.reset), zone)}</time></> : "never resets"}</span>
      </div>
      <Bar label={`${use.name}: ${budgetName(use)}`} said={said} most={most} used={used} held={held} mark={forecast} tone={tone} />
      <div class="row small">
        <span>{amount(unit, used)} spent</span>
        {held > 0 && <span class="muted">{amount(unit, held)} held by running calls</span>}
        <span class={remaining <= 0 ? "bad" : "muted"}>{amount(unit, Math.max(0, remaining))} left</span>
        {forecast !== null && <span class={`rest ${over ? "warn" : "muted"}`}>at this rate {amount(unit, forecast)} when the {periodOf(use.budget)} ends</span>}
      </div>
    </>
  );
}

function Limit({ use }: { use: LimitUse }) {
  const { used, most, remaining } = use;
  const tone = remaining <= 0 ? "bad" : used >= nearly * most ? "warn" : "";
  const said = `${used} used, ${remaining} left of ${most}`;
  return (
    <>
      <span><Owner use={use} /> <strong>{limitName(use)}</strong></span>
      <Bar label={`${use.name}: ${limitName(use)}`} said={said} most={most} used={used} held={0} mark={null} tone={tone} />
      <div class="row">
        <span>{count(used)} used</span>
        <span class={remaining <= 0 ? "bad" : "muted"}>{count(Math.max(0, remaining))} left</span>
        {use.reset_ms ? <span class="rest muted">all back in {duration(use.reset_ms * 1000)}</span> : null}
      </div>
    </>
  );
}

/** Whose it is. */
function Owner({ use }: { use: BudgetUse | LimitUse }) {
  switch (use.of) {
    case "key":
      return <span class="muted">Key</span>;
    case "team":
      return <span class="muted">Team <a href={link("/teams/" + encodeURIComponent(use.id))}>{use.name}</a></span>;
    default:
      return <span class="muted">Model {use.name}</span>;
  }
}

interface BarProps {
  label: string;
  said: string;
  most: number;
  used: number;
  held: number;
  mark: number | null; // where it leads to
  tone: string;
}

/** A bar as wide as the whole. More than the whole is cut off, and said in words. */
function Bar({ label, said, most, used, held, mark, tone }: BarProps) {
  const at = (n: number) => `${Math.min(100, Math.max(0, (100 * n) / most))}%`;
  return (
    <div class={`meter ${tone}`} role="meter" aria-label={label} aria-valuemin={0} aria-valuemax={most} aria-valuenow={Math.min(most, used + held)} aria-valuetext={said}>
      <i class="held" style={{ width: at(used + held) }} />
      <i class="used" style={{ width: at(used) }} />
      {mark !== null && <i class="mark" style={{ left: at(mark) }} />}
    </div>
  );
}
