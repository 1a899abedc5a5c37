// Explain: what would become of a request now, and why. No provider is called.
import { useState } from "preact/hooks";
import { Meters } from "../access/meters";
import type { Explanation } from "../api";
import { read, withoutKeys, type Pasted } from "../curl";
import { useCall, type Answer } from "../data";
import { exactMoney, money, plural } from "../format";
import { Plans } from "../request/plans";
import { useKnown } from "../session";
import { set, usePlace } from "../state";
import { Copy, quoted } from "../ui/copy";
import { Area, TextField } from "../ui/forms";
import { Page } from "../ui/page";
import { Shown } from "../ui/states";

export function Explain() {
  const { params } = usePlace();
  const [body, setBody] = useState<Record<string, unknown> | null>(null); // never in the URL: it is a caller's
  const model = params.get("model") ?? "";
  const key = params.get("key") ?? "";
  const query = { ...(model && { model }), ...(key && { key }) };
  const asked = model === "" && body === null ? null : { query };
  const plain = useCall("GET /admin/v1/explain", body === null ? asked : null);
  const given = useCall("POST /admin/v1/explain", body === null ? null : { query, body });
  const answer = body === null ? plain : given;
  return (
    <Page title="Explain" {...(asked && { of: answer })}>
      <Ask model={model} onBody={setBody} />
      {asked === null ? <Nothing /> : <Shown of={answer as Answer<Explanation>} framed>{(explanation) => <Answered explanation={explanation} hasBody={body !== null} />}</Shown>}
    </Page>
  );
}

/** What is to be explained. Model and key are in the URL; a body is not. */
function Ask({ model, onBody }: { model: string; onBody: (body: Record<string, unknown> | null) => void }) {
  const { models } = useKnown();
  const { params } = usePlace();
  const [name, setName] = useState(model);
  const [key, setKey] = useState(params.get("key") ?? "");
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState<string | null>(null);
  const keys = useCall("GET /admin/v1/keys", { query: { limit: 1000 } });
  const living = (keys.data?.data ?? []).filter((one) => one.status === "active").map((one) => one.name);
  const submit = (event: Event) => {
    event.preventDefault();
    const pasted = reading(text);
    setWrong(typeof pasted === "string" ? pasted : null);
    if (typeof pasted === "string") return;
    const caller = key.trim() || pasted?.key || "";
    const named = typeof pasted?.body.model === "string" ? pasted.body.model : "";
    setKey(caller);
    setName(name.trim() || named);
    onBody(pasted?.body ?? null);
    set({ model: name.trim() || named, key: caller });
  };
  return (
    <form class="panel pad stack" onSubmit={submit} aria-label="Request to explain">
      <div class="ask">
        <div class="stack small-gap">
          <TextField label="Model" value={name} onInput={setName} list={models} placeholder="as callers name it" hint="Empty: the one that the body names." />
          <TextField label="Key" value={key} onInput={setKey} list={living} placeholder="any" hint="Its name or id. Empty: one that may use every model." />
        </div>
        <Area code label="Request: a JSON body, or a pasted curl command" rows={6} value={text} onInput={(typed) => setText(withoutKeys(typed))} wrong={wrong}
          placeholder={'{"messages": [{"role": "user", "content": "Hello"}], "max_tokens": 500}'} hint="Without it, a chat with no special needs. It goes to Weir alone, and no provider is called." />
      </div>
      <div class="row">
        <button class="primary">Explain</button>
        {text !== "" && <button type="button" onClick={() => { setText(""); setWrong(null); onBody(null); }}>Clear the request</button>}
        <span class="rest">{name !== "" && <Copy label="Copy command" text={`weir explain ${quoted(name)}${key === "" ? "" : ` --key ${quoted(key)}`}${text === "" ? "" : " --body request.json"}`} />}</span>
      </div>
    </form>
  );
}

/** What was pasted, null for nothing, or what is wrong with it. */
function reading(text: string): Pasted | string | null {
  if (text.trim() === "") return null;
  try {
    return read(text);
  } catch (error) {
    return error instanceof Error ? `This cannot be read. ${error.message}` : "This cannot be read.";
  }
}

function Nothing() {
  return (
    <section class="panel state">
      <strong>Name a model, or paste a request</strong>
      <span>You will see where it would go now, what would be skipped and why, which limits and budgets apply, and about what it would cost. Nothing is called or changed.</span>
      <span>In a terminal: <code>weir explain smart --key my-app --body request.json</code></span>
    </section>
  );
}

function Answered({ explanation, hasBody }: { explanation: Explanation; hasBody: boolean }) {
  return (
    <div class="stack">
      <Verdict explanation={explanation} hasBody={hasBody} />
      <Plans plans={explanation.plans} />
      {explanation.limits.length + explanation.budgets.length > 0 && (
        <section class="panel" aria-label="Limits and budgets">
          <header><h2>Limits and budgets that apply</h2></header>
          <Meters list={{ data: explanation.limits, budgets: explanation.budgets, next: null }} />
        </section>
      )}
    </div>
  );
}

/** The answer in a sentence or two. */
function Verdict({ explanation, hasBody }: { explanation: Explanation; hasBody: boolean }) {
  const { plans, refused, hedge, max_attempts: most } = explanation;
  const tried = plans.flatMap((plan) => plan.targets).filter((target) => target.turn !== null);
  const [first] = tried;
  const mine = plans[0]?.targets.some((target) => target.turn !== null) ?? false;
  const edge = refused !== null || !first ? "bad-edge" : first.skip === null && mine ? "good-edge" : "";
  return (
    <section class={`panel alert verdict ${edge}`} aria-label="Verdict" role="status">
      {refused !== null ? (
        <p><strong class="bad">It would be refused.</strong> The caller would read: {refused}</p>
      ) : first ? (
        <p>
          <strong>{plans[0]?.drawn ? "It would now go to " : "It would go to "}<code>{first.target}</code></strong>
          {!mine && ", by a fallback: no target of the model itself would be tried"}
          {first.cost_nanodollars !== null && <>, for about <span title={exactMoney(first.cost_nanodollars)}>{money(first.cost_nanodollars, 4)}</span></>}.
        </p>
      ) : (
        <p><strong class="bad">No target would be tried.</strong> The reasons are beside each.</p>
      )}
      <p class="muted">
        {explanation.key === null ? "For a key that may use every model" : <>For the key <strong>{explanation.key}</strong></>}
        {`, at most ${plural(most, "attempt")}`}
        {tried.length > 1 && ` over ${plural(tried.length, "target")}`}.
        {plans[0]?.drawn && " Chance has a part in the order: the next request may meet another one."}
        {plans[0]?.sticks && " Something of the request decides which target is first."}
        {hedge?.target && ` ${hedge.target} is asked as well ${hedge.late_ms === null ? "for streams that are late, once it is known when they are" : `for a stream without content after ${hedge.late_ms} ms`}.`}
        {!hasBody && " Without a request, costs are not known, and nothing special is needed."}
      </p>
    </section>
  );
}
