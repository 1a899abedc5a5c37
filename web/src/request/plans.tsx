// The targets of a request in the order in which they would be tried, and why.
import type { Plan, Prospect } from "../api";
import { count, exactMoney, money } from "../format";
import { link } from "../state";
import { why } from "../targets";
import { Words, wordsOf } from "../ui/health";

const heads: [title: string, hint?: string][] = [
  ["Would cost", "The prompt as estimated, none of it from a cache, and the answer that it allows, or 500 tokens"],
  ["Million tokens in", "What they cost in a prompt of this length"],
  ["Out"],
  ["In flight"],
];

/** The targets in the order in which they would be tried: those of the model, then those of its fallbacks. */
export function Plans({ plans }: { plans: Plan[] }) {
  return (
    <section class="panel" aria-label="Targets">
      <div class="scroll" tabIndex={0} role="group" aria-label="Targets in the order of trying">
        <table class="grouped">
          <thead>
            <tr>
              <th scope="col">Turn</th>
              <th scope="col">Target</th>
              <th scope="col">Why</th>
              {heads.map(([title, hint]) => (
                <th key={title} scope="col" class="num" title={hint}>{title}</th>
              ))}
            </tr>
          </thead>
          {plans.map((plan, i) => (
            <tbody key={i}>
              <tr class="first">
                <th scope="rowgroup" colSpan={7}>
                  <div class="row">
                    {plan.on !== null && <span class="muted small">then, on {plan.on.map((word) => word.replace("_", " ")).join(", ")}:</span>}
                    <a href={link("/models", { model: plan.route })}>{plan.route}</a>
                    <span class="muted small">{plan.policy}{plan.sticky !== "none" && ` · sticky by ${plan.sticky}`}</span>
                  </div>
                </th>
              </tr>
              {plan.targets.map((target) => (
                <Target key={target.target} target={target} />
              ))}
            </tbody>
          ))}
        </table>
      </div>
    </section>
  );
}

function Target({ target }: { target: Prospect }) {
  const { turn, price, cost_nanodollars: cost } = target;
  return (
    <tr>
      <td class={turn === null ? "muted" : undefined}>{turn ?? "skipped"}</td>
      <td><code class={turn === null ? "muted" : undefined}>{target.target}</code></td>
      <td class="wrap"><Why target={target} /></td>
      <td class="num">{cost === null ? "–" : <span title={exactMoney(cost)}>{money(cost, 4)}</span>}</td>
      {price ? <td class="num">{money(price.input * 1000)}</td> : <td class="num muted">not known</td>}
      <td class="num">{price && money(price.output * 1000)}</td>
      <td class="num">{count(target.in_flight)}</td>
    </tr>
  );
}

function Why({ target }: { target: Prospect }) {
  const said = why(target, new Date());
  if (target.turn === null) return <Words words={[{ text: said, tone: target.skip === "down" || target.skip === "no_credential" ? "bad" : "warn" }]} />;
  if (said !== "") return <Words words={[{ text: said, tone: "warn" }]} />;
  return <Words words={wordsOf(target)} />;
}
