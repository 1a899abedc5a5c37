// One request: what it was, each call that was made for it, and what that cost, class by class.
import { useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import type { RequestTrail, Tried } from "../api";
import { useCall } from "../data";
import { count, duration, exactMoney, plural } from "../format";
import { useKnown } from "../session";
import { link } from "../state";
import { skips } from "../targets";
import { dateTime } from "../time";
import { Copy, Elsewhere, quoted } from "../ui/copy";
import { Dialog } from "../ui/dialog";
import { Shown } from "../ui/states";
import { Table, type Column } from "../ui/table";
import { Plans } from "./plans";
import { Money, Moment, Status, Target } from "./columns";

export function RequestPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const asked = { path: { request: id } };
  const trail = useCall("GET /admin/v1/requests/{request}", asked);
  return (
    <Dialog aside title="Request" onClose={onClose}>
      <div class="row">
        <span class="mono">{id}</span>
        <Copy text={id} label="Copy id" />
        <Elsewhere route="GET /admin/v1/requests/{request}" asked={asked} command={`weir requests ${quoted(id)}`} />
      </div>
      <Shown of={trail}>{(request) => <Whole request={request} />}</Shown>
    </Dialog>
  );
}

function Whole({ request }: { request: RequestTrail }) {
  const calls = request.trail.filter((call) => call.adjusts === null);
  const corrections = request.trail.filter((call) => call.adjusts !== null);
  return (
    <div class="stack">
      <Facts request={request} />
      <Passed calls={calls} />
      <section class="stack" aria-label="Calls">
        <h3>{plural(calls.length, "call")} in {plural(request.attempts, "attempt")}</h3>
        {calls.map((call) => <CallOf key={call.seq} call={call} request={request} />)}
      </section>
      {corrections.length > 0 && <Corrections calls={corrections} />}
      <Again request={request} />
    </div>
  );
}

/** A target that was passed over, and why: "groq/llama down". A line such as "+2" is how many more there were. */
function passedOver(line: string): [string, string] {
  const at = line.lastIndexOf(" ");
  if (at < 0) return ["others", `${line.slice(1)} more`];
  const reason = line.slice(at + 1);
  return [line.slice(0, at), (skips as Record<string, string>)[reason] ?? spaced(reason)];
}

/** The targets that were passed over, each once, with the reason that was noted last. */
function Passed({ calls }: { calls: Tried[] }) {
  const why = new Map(calls.flatMap((call) => call.skipped).map(passedOver));
  if (why.size === 0) return null;
  return (
    <section class="stack small-gap" aria-label="Passed over">
      <h3>Passed over</h3>
      <dl class="pairs">
        {[...why].map(([target, reason]) => [<dt class="mono">{target}</dt>, <dd>{reason}</dd>])}
      </dl>
    </section>
  );
}

function Facts({ request }: { request: RequestTrail }) {
  const { zone } = useKnown();
  const facts: [string, ComponentChildren][] = [
    ["Status", <Status status={request.status} outcome={request.outcome} attempts={request.attempts} />],
    ["Began", <Moment at={request.started} zone={zone} />],
    ["Key", <a href={link("/requests", { key: request.key })}>{request.key_name || request.key}</a>],
    ["Model", <a href={link("/requests", { model: request.model })}>{request.model}</a>],
    ["Took", duration(request.took_us) + (request.first_us === null ? "" : `, first token after ${duration(request.first_us)}`)],
    ["Weir’s own part", duration(request.own_us)],
    ["Tokens", `${count(request.input_tokens)} in, ${count(request.output_tokens)} out${request.estimated ? ", counted by Weir in part" : ""}`],
    ["Cost", exactMoney(request.cost_nanodollars)],
  ];
  if (request.client_id !== null) facts.push(["Caller’s id", <span class="mono">{request.client_id}</span>]);
  if (request.tags.length > 0) facts.push(["Tags", request.tags.join(", ")]);
  if (request.flags.length > 0) facts.push(["Flags", request.flags.map(spaced).join(", ")]);
  return (
    <dl class="pairs">
      {facts.map(([name, value]) => [<dt>{name}</dt>, <dd>{value}</dd>])}
    </dl>
  );
}

function spaced(word: string): string {
  return word.replaceAll("_", " ");
}

/** A call: where it went, when, what came of it. */
function CallOf({ call, request }: { call: Tried; request: RequestTrail }) {
  const after = (new Date(call.started).getTime() - new Date(request.started).getTime()) * 1000;
  return (
    <div class="panel">
      <header>
        <span class="muted">{call.try}</span>
        <Target {...call} />
        <div class="rest wide">
          <Status status={call.outcome === "ok" ? "ok" : "failed"} outcome={call.outcome} />
          <Money nanodollars={call.cost_nanodollars} />
        </div>
      </header>
      <div class="body stack">
        <Strip after={after} call={call} whole={request.took_us} />
        <p class="small muted">
          {call.call > 0 && `after ${duration(after)}, `}took {duration(call.took_us)}
          {call.first_us !== null && `, first token ${duration(call.first_us)}`}
          {call.status !== null && `, HTTP ${call.status}`}
          {call.flags.length > 0 && `, ${call.flags.map(spaced).join(", ")}`}
          {`, tokens ${sources[call.source]}`}
        </p>
        <Charges call={call} />
        {call.upstream_id !== null && (
          <p class="small">
            <span class="muted">The provider calls it </span>
            <span class="mono">{call.upstream_id}</span>
            <Copy text={call.upstream_id} />
          </p>
        )}
      </div>
    </div>
  );
}

const sources = { provider: "as the provider reports", counted: "counted by Weir", reserved: "unknown: what was held is charged" };

/** When in the request a call ran, and when its first token came. */
function Strip({ after, call, whole }: { after: number; call: Tried; whole: number }) {
  const scale = (us: number) => (whole > 0 ? (Math.min(Math.max(us, 0), whole) / whole) * 400 : 0);
  const [from, to] = [scale(after), scale(after + call.took_us)];
  const first = call.first_us === null ? to : scale(after + call.first_us);
  return (
    <svg class="strip" viewBox="0 0 400 8" preserveAspectRatio="none" aria-hidden="true">
      <rect width="400" height="8" class="rail" />
      <rect x={from} width={Math.max(first - from, 1)} height="8" class={call.outcome === "ok" ? "wait" : "failed"} />
      <rect x={first} width={Math.max(to - first, 0)} height="8" class="flow" />
    </svg>
  );
}

type Charge = NonNullable<Tried["charges"]>[number];

/** What the cost is the sum of. */
function Charges({ call }: { call: Tried }) {
  if (call.charges === null) {
    const why = call.cost_source === "unpriced" ? "No price is known for this target." : call.cost_source === "provider" ? "The provider says what it costs." : "";
    return why === "" ? null : <p class="small muted">{why}</p>;
  }
  if (call.charges.length === 0) return null;
  const columns: Column<Charge>[] = [
    { key: "class", title: "Class", cell: (row) => spaced(row.class) },
    { key: "units", title: "Units", num: true, cell: (row) => count(row.units) },
    { key: "price", title: "Each million", num: true, cell: (row) => (row.class === "search" || row.class === "request" ? "" : exactMoney(row.price * 1000)) },
    { key: "cost", title: "Cost", num: true, cell: (row) => exactMoney((row.units * row.price) / 1000), sum: exactMoney(call.listed_nanodollars) },
  ];
  return (
    <>
      <Table label={`What the call to ${call.provider} cost`} columns={columns} rows={call.charges} id={(row) => row.class} />
      {call.price !== null && <p class="small muted">by the price <span class="mono">{call.price}</span></p>}
    </>
  );
}

function Corrections({ calls }: { calls: Tried[] }) {
  const { zone } = useKnown();
  return (
    <section class="stack" aria-label="Corrections">
      <h3>Corrections</h3>
      {calls.map((call) => (
        <p key={call.seq}>{dateTime(new Date(call.started), zone)}: {exactMoney(call.cost_nanodollars)}, {call.reason}</p>
      ))}
    </section>
  );
}

/** What the same request would meet now. */
function Again({ request }: { request: RequestTrail }) {
  const [open, setOpen] = useState(false);
  const asked = { query: { model: request.model, key: request.key } };
  const explained = useCall("GET /admin/v1/explain", open ? asked : null);
  return (
    <section class="stack" aria-label="Explained again">
      <div class="row">
        <h3>What would it meet now?</h3>
        <button onClick={() => (open ? explained.reload() : setOpen(true))}>Explain again now</button>
        <Copy text={`weir explain ${quoted(request.model)} --key ${quoted(request.key_name || request.key)}`} label="Copy command" />
      </div>
      {open && <Shown of={explained}>{(explanation) => <>{explanation.refused !== null && <p class="bad">It would be refused: {explanation.refused}</p>}<Plans plans={explanation.plans} /></>}</Shown>}
    </section>
  );
}
