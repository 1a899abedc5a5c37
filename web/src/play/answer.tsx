// The answer of the playground as it comes: its text, how fast it was, and what it cost.
import { useEffect, useState } from "preact/hooks";
import { call, type ApiError, type RequestTrail } from "../api";
import { count, duration, exactMoney, money } from "../format";
import { RequestPanel } from "../request/panel";
import { Copy } from "../ui/copy";
import { Tile, Tiles } from "../ui/tiles";
import type { Progress } from "./chat";

export function Answer({ progress, onKeep }: { progress: Progress; onKeep: (text: string) => void }) {
  const { text, thought, calls, ended, error, finish } = progress;
  const record = useRecord(ended ? progress.request : null);
  return (
    <section class="panel answer" aria-label="Answer" aria-busy={!ended}>
      <header>
        <h2>Answer</h2>
        <span class="muted small">{progress.target}</span>
        <div class="rest">
          {text !== "" && <Copy text={text} />}
          {ended && text !== "" && <button class="quiet" onClick={() => onKeep(text)}>Go on from here</button>}
        </div>
      </header>
      <Speed progress={progress} record={record} />
      {thought !== "" && (
        <details class="body">
          <summary class="muted small">Reasoning</summary>
          <div class="spoken muted">{thought}</div>
        </details>
      )}
      {(text !== "" || !error) && <div class="body spoken" tabIndex={0} aria-label="Text of the answer">{text}{!ended && <span class="caret" aria-hidden="true" />}</div>}
      {calls !== "" && <div class="body"><pre class="code">{calls}</pre></div>}
      {error && (error.code === "stopped" ? <p class="body muted">You stopped it. What had come until then is charged.</p> : <Broken error={error} />)}
      {ended && finish !== null && finish !== "stop" && <p class="body warn small">It ended with finish_reason {finish}.</p>}
      <span class="unseen" role="status">{ended ? (error ? "The call has failed" : "The answer is complete") : "The answer comes"}</span>
      {progress.request !== null && <Trail id={progress.request} />}
    </section>
  );
}

/** Why there is no answer, or not all of it. Most of it is said by providers. */
function Broken({ error }: { error: ApiError }) {
  return (
    <div class="state" role="alert">
      <strong>{error.status === 0 ? "The answer broke off" : `The call was refused with ${error.status}`}</strong>
      <span>{error.message}</span>
      {error.code !== "" && <code>{error.code}</code>}
    </div>
  );
}

function Speed({ progress, record }: { progress: Progress; record: RequestTrail | null }) {
  const { usage, firstMs, tookMs, ended } = progress;
  const [input, output] = [usage?.prompt_tokens ?? record?.input_tokens, usage?.completion_tokens ?? record?.output_tokens];
  const rate = firstMs !== null && output !== undefined && ended && tookMs - firstMs > 1 ? output / ((tookMs - firstMs) / 1000) : null;
  return (
    <Tiles>
      <Tile label="First token" figure={firstMs === null ? "–" : duration(Math.round(firstMs * 1000))}>as this page saw it</Tile>
      <Tile label="Whole" figure={duration(Math.round(tookMs * 1000))}>{record ? `Weir’s own part ${duration(record.own_us)}` : " "}</Tile>
      <Tile label="Tokens" figure={input === undefined || output === undefined ? "–" : `${count(input)} → ${count(output)}`}>{rate === null ? " " : `${rate.toFixed(rate < 10 ? 1 : 0)} a second`}</Tile>
      <Tile label="Cost" figure={record ? money(record.cost_nanodollars, 4) : "–"} {...(record && { hint: exactMoney(record.cost_nanodollars) })}>{record ? (record.attempts > 1 ? `${count(record.attempts)} attempts` : "charged to the key") : ended ? "not in the ledger yet" : " "}</Tile>
    </Tiles>
  );
}

function Trail({ id }: { id: string }) {
  const [open, setOpen] = useState(false);
  return (
    <div class="row body">
      <span class="mono muted">{id}</span>
      <Copy text={id} label="Copy id" />
      <button class="quiet" onClick={() => setOpen(true)}>Trail</button>
      {open && <RequestPanel id={id} onClose={() => setOpen(false)} />}
    </div>
  );
}

const pauses = [200, 500, 1000, 2000, 4000];

/** The request, if the ledger has it yet: one that it does not have would be an error. */
async function look(id: string, signal: AbortSignal): Promise<RequestTrail | null> {
  const calls = await call("GET /admin/v1/attempts", { query: { request: id, limit: 1 } }, signal);
  return calls.data.length === 0 ? null : call("GET /admin/v1/requests/{request}", { path: { request: id } }, signal);
}

/** What the ledger has of a request that has ended. It comes there a moment later. */
function useRecord(id: string | null): RequestTrail | null {
  const [record, setRecord] = useState<RequestTrail | null>(null);
  useEffect(() => {
    setRecord(null);
    if (id === null) return;
    const stop = new AbortController();
    let timer = 0;
    const ask = (n: number) => {
      const pause = pauses[n];
      if (pause === undefined) return;
      timer = window.setTimeout(() => {
        look(id, stop.signal).then((found) => (found ? setRecord(found) : ask(n + 1)), () => ask(n + 1));
      }, pause);
    };
    ask(0);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [id]);
  return record;
}
