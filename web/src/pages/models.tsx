// Models: what callers can ask for, where it goes, and how that fares.
import type { Model, ModelTarget, SpeedRow, UsageRow } from "../api";
import { useCall, type Answer } from "../data";
import { count, duration, exactMoney, money, percent } from "../format";
import { useKnown, useMay } from "../session";
import { link, set, usePlace, withFilters } from "../state";
import { nameOf, periodOf } from "../time";
import { Copy, Elsewhere } from "../ui/copy";
import { Dialog } from "../ui/dialog";
import { TextField } from "../ui/forms";
import { FailedCell, HealthOf } from "../ui/health";
import { Page } from "../ui/page";
import { Shown } from "../ui/states";
import { Share } from "../ui/table";
import { yamlOf } from "../yaml";

/** What the ledger says of all models in the period. */
interface Figures {
  usage: Map<string, UsageRow>; // by model
  speeds: Map<string, SpeedRow>; // by model
  targets: Map<string, SpeedRow[]>; // by model
  answers: Answer<unknown>[]; // that they are from
}

export function Models() {
  const { zone } = useKnown();
  const { params } = usePlace();
  const period = periodOf(params);
  const models = useCall("GET /admin/v1/models", {});
  const figures = useFigures(period.since, period.until);
  const find = params.get("find") ?? "";
  const open = params.get("model");
  return (
    <Page title="Models" period of={models}>
      <section class="panel" aria-label="Models">
        <header>
          <TextField bare label="Find a model or target" type="search" placeholder="Find a model or target" value={find} onInput={(text) => set({ find: text }, true)} />
          <span class="muted small">Health now; the rest {nameOf(period, zone).toLowerCase()}</span>
          <div class="rest"><Elsewhere list route="GET /admin/v1/models" asked={{}} command="weir models" /></div>
        </header>
        <Shown of={models} beside={figures.answers} isEmpty={({ data }) => data.length === 0} empty={<NoModels />}>
          {({ data }) => {
            const found = data.filter((model) => matches(model, find));
            return found.length === 0 ? <div class="state">No model and no target has “{find}” in its name.</div> : <List models={found} figures={figures} />;
          }}
        </Shown>
      </section>
      {open !== null && models.data && <Detail model={models.data.data.find((one) => one.id === open)} name={open} />}
    </Page>
  );
}

function useFigures(since: string, until: string): Figures {
  const span = { since, ...(until && { until }) };
  const usage = useCall("GET /admin/v1/usage", { query: { by: "model", ...span } });
  const speeds = useCall("GET /admin/v1/latency", { query: { by: "model", ...span } });
  const targets = useCall("GET /admin/v1/latency", { query: { by: "model,target", ...span } });
  return {
    usage: new Map((usage.data?.data ?? []).map((row) => [row.model ?? "", row])),
    speeds: new Map((speeds.data?.data ?? []).map((row) => [row.model ?? "", row])),
    targets: byModel(targets.data?.data ?? []),
    answers: [usage, speeds, targets],
  };
}

function byModel(rows: SpeedRow[]): Map<string, SpeedRow[]> {
  const found = new Map<string, SpeedRow[]>();
  for (const row of rows) found.set(row.model ?? "", [...(found.get(row.model ?? "") ?? []), row]);
  return found;
}

function matches(model: Model, text: string): boolean {
  const has = (name: string) => name.toLowerCase().includes(text.trim().toLowerCase());
  return has(model.id) || model.targets.some(({ target }) => has(target));
}

const heads: [title: string, hint: string][] = [
  ["Requests", "Of a target: calls to it"],
  ["Share", "Of the calls that requests for the model led to"],
  ["Failed", "Calls of which the target is at fault"],
  ["First token, p95", "95 % of calls had their first content within"],
  ["Whole, p95", "95 % of answered calls ended within"],
  ["Cost of 1,000", "What 1,000 requests cost"],
  ["From caches", "The share of prompts that providers read from their caches"],
];

function List({ models, figures }: { models: Model[]; figures: Figures }) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Models and their targets">
      <table class="grouped">
        <thead>
          <tr>
            <th scope="col">Model, and its targets in order</th>
            <th scope="col">Health</th>
            {heads.map(([title, hint]) => (
              <th key={title} scope="col" colSpan={title === "Share" ? 2 : 1} class={title === "Share" ? undefined : "num"} title={hint}>{title}</th>
            ))}
          </tr>
        </thead>
        {models.map((model) => (
          <Group key={model.id} model={model} figures={figures} />
        ))}
      </table>
    </div>
  );
}

function Group({ model, figures }: { model: Model; figures: Figures }) {
  const usage = figures.usage.get(model.id);
  const speed = figures.speeds.get(model.id);
  const rows = figures.targets.get(model.id) ?? [];
  const calls = rows.reduce((sum, row) => sum + row.calls, 0);
  const lines = model.targets.map((target) => ({ target, rows: rows.filter((row) => meets(target.target, row.target ?? "")) }));
  const rest = rows.filter((row) => !model.targets.some(({ target }) => meets(target, row.target ?? "")));
  return (
    <tbody>
      <tr class="first">
        <th scope="rowgroup" colSpan={2}>
          <div class="row"><a href={withFilters({ model: model.id })}>{model.id}</a><span class="muted small">{about(model)}</span></div>
        </th>
        <td class="num">{usage ? count(usage.requests) : "–"}</td>
        <td colSpan={2} />
        <Speed row={speed} />
        <td class="num">{usage && usage.requests > 0 ? <span title={exactMoney(usage.cost_nanodollars) + " in all"}>{money((usage.cost_nanodollars * 1000) / usage.requests)}</span> : "–"}</td>
        <td class="num">{usage && usage.input_tokens > 0 ? percent(usage.cache_read_tokens, usage.input_tokens) : "–"}</td>
      </tr>
      {lines.map(({ target, rows: mine }, i) => (
        <Target key={target.target} turn={model.policy === "ordered" ? i + 1 : 0} target={target} rows={mine} calls={calls} />
      ))}
      {rest.length > 0 && <Rest rows={rest} calls={calls} />}
      {model.fallbacks.map((fallback) => (
        <tr key={fallback.on.join()} class="then">
          <td colSpan={10} class="muted">
            on {fallback.on.map((word) => word.replace("_", " ")).join(", ")}: {fallback.to.map((to, i) => (
              <span key={to}>{i > 0 && ", "}<a href={withFilters({ model: to })}>{to}</a></span>
            ))}
          </td>
        </tr>
      ))}
    </tbody>
  );
}

/** A target that ends in * stands for all that begin so. */
function meets(target: string, called: string): boolean {
  return target.endsWith("*") ? called.startsWith(target.slice(0, -1)) : called === target;
}

function about(model: Model): string {
  const words = [model.policy];
  if (model.sticky !== "none") words.push(`sticky by ${model.sticky}`);
  if (model.context_length !== null) words.push(`${count(model.context_length)} tokens`);
  return words.join(" · ");
}

function Target({ turn, target, rows, calls }: { turn: number; target: ModelTarget; rows: SpeedRow[]; calls: number }) {
  const mine = rows.reduce((sum, row) => sum + row.calls, 0);
  return (
    <tr>
      <td class="target"><span class="turn muted">{turn > 0 ? turn : "·"}</span><code>{target.target}</code>{target.models_down > 0 && <span class="warn small"> {target.models_down} of its models down</span>}</td>
      <td><HealthOf health={target.health} /></td>
      <td class="num">{calls > 0 ? count(mine) : "–"}</td>
      <td class="num">{calls > 0 ? percent(mine, calls) : "–"}</td>
      <td class="part">{calls > 0 && <Share part={mine} whole={calls} />}</td>
      <Speed row={joined(rows)} />
      <td colSpan={2} class="muted num">{target.priced === false && "no known price"}</td>
    </tr>
  );
}

/** Calls that went elsewhere than to the targets that the model has now. */
function Rest({ rows, calls }: { rows: SpeedRow[]; calls: number }) {
  const mine = rows.reduce((sum, row) => sum + row.calls, 0);
  return (
    <tr>
      <td class="target" colSpan={2} title={rows.map((row) => row.target).join(", ")}><span class="turn muted">·</span><span class="muted">fallbacks, and targets of before</span></td>
      <td class="num">{count(mine)}</td>
      <td class="num">{percent(mine, calls)}</td>
      <td class="part"><Share part={mine} whole={calls} /></td>
      <Speed row={joined(rows)} />
      <td colSpan={2} />
    </tr>
  );
}

/** Times of several rows cannot be joined, but counts can. */
function joined(rows: SpeedRow[]): SpeedRow | undefined {
  const [first, ...others] = rows;
  if (!first || others.length === 0) return first;
  const none = { calls: 0, p50_us: null, p90_us: null, p95_us: null, p99_us: null };
  return { calls: rows.reduce((sum, row) => sum + row.calls, 0), failed: rows.reduce((sum, row) => sum + row.failed, 0), first: none, took: none };
}

function Speed({ row }: { row: SpeedRow | undefined }) {
  return (
    <>
      <FailedCell row={row} />
      <td class="num">{duration(row?.first.p95_us ?? null)}</td>
      <td class="num">{duration(row?.took.p95_us ?? null)}</td>
    </>
  );
}

/** Where the file has a model, as weir.yaml:31; null if it is not known. */
function usePlaceOf(model: string): string | null {
  const may = useMay("GET /admin/v1/settings");
  const settings = useCall("GET /admin/v1/settings", may ? {} : null);
  const first = settings.data?.values.find((one) => one.name.startsWith(`models.${model}.`) && one.from !== null);
  return first?.from?.replace(/:\d+$/, "").replace(/^.*[/\\]/, "") ?? null;
}

/** All that is known of one model, and how the config says it. */
function Detail({ model, name }: { model: Model | undefined; name: string }) {
  const close = () => set({ model: null });
  const place = usePlaceOf(name);
  if (!model) return <Dialog aside title={name} onClose={close}><p>The config has no such model.</p></Dialog>;
  return (
    <Dialog aside title={model.id} onClose={close}>
      <div class="row">
        <a class="button" href={link("/explain", { model: model.id })}>Explain</a>
        <a class="button" href={link("/playground", { model: model.id })}>Try it</a>
        <a class="button" href={link("/requests", { model: model.id })}>Requests</a>
        <a class="button" href={link("/usage", { model: model.id })}>Usage</a>
      </div>
      <dl class="pairs">
        {model.display_name !== null && <><dt>Shown as</dt><dd>{model.display_name}</dd></>}
        <dt>Order</dt><dd>{model.policy}{model.sticky !== "none" && `, sticky by ${model.sticky}`}</dd>
        <dt>Prompt and answer</dt><dd>{model.context_length === null ? "not known" : `${count(model.context_length)} tokens`}</dd>
        <dt>Answer at most</dt><dd>{model.max_output_tokens === null ? "not known" : `${count(model.max_output_tokens)} tokens`}</dd>
      </dl>
      <h3>Targets</h3>
      {model.targets.map((target) => (
        <dl class="pairs" key={target.target}>
          <dt>Target</dt><dd><code>{target.target}</code></dd>
          <dt>Health</dt><dd><HealthOf health={target.health} />{target.health && target.health.in_flight > 0 && `, ${count(target.health.in_flight)} in flight`}</dd>
          <dt>Known as</dt><dd>{target.row === null ? "nothing known of it" : <code>{target.row}</code>}{target.family && ", its family"}{target.overridden && ", changed by the config"}</dd>
          <dt>Price</dt><dd class={target.priced === false ? "warn" : undefined}>{target.priced === false ? "not known: its calls cost nothing in the account" : target.priced === null ? "that of each model" : "known"}</dd>
        </dl>
      ))}
      <div class="row"><h3>In the config</h3><span class="muted small">{place === null ? "The file decides: change it there." : <><code>{place}</code> decides: change it there.</>}</span><div class="rest"><Copy text={yamlOf(model)} /></div></div>
      <pre class="code">{yamlOf(model)}</pre>
      <p class="muted small">Only what this page knows of the model. Its weights, prices, limits and timeouts, if the file sets them, are not in it.</p>
    </Dialog>
  );
}

function NoModels() {
  return (
    <>
      <strong>The config has no models</strong>
      <span>Add one to the file, then weir reload:</span>
      <pre class="code">{"models:\n  smart: {targets: [openai/gpt-5]}"}</pre>
    </>
  );
}
