// A chat of the playground: what is sent, and what comes back, piece by piece.
import { ApiError, address, open, refusal } from "../api";

export const roles = ["user", "assistant", "developer"] as const;
export type Role = (typeof roles)[number];

export interface Message {
  role: Role;
  content: string;
}

/** The parameters that have a field, and whether their value is a number. */
export const parameters = [
  { name: "temperature", label: "Temperature", number: true },
  { name: "top_p", label: "Top p", number: true },
  { name: "max_tokens", label: "Tokens at most", number: true },
  { name: "seed", label: "Seed", number: true },
  { name: "stop", label: "Stop at", number: false },
  { name: "reasoning_effort", label: "Reasoning effort", number: false },
] as const;

/** What the form holds. Parameters that are "" are not sent. */
export interface Form {
  model: string;
  system: string;
  messages: Message[];
  values: Record<string, string>;
  stream: boolean;
}

/** The request that a form means. */
export function bodyOf({ model, system, messages, values, stream }: Form): Record<string, unknown> {
  const all = system.trim() === "" ? messages : [{ role: "system", content: system }, ...messages];
  const body: Record<string, unknown> = { model, messages: all };
  for (const { name, number } of parameters) {
    const value = values[name]?.trim() ?? "";
    if (value !== "") body[name] = number ? Number(value) : value;
  }
  if (stream) Object.assign(body, { stream: true, stream_options: { include_usage: true } });
  return body;
}

/** Why a value is none of its parameter; null if it is one. */
export function wrong(name: string, value: string): string | null {
  const number = parameters.find((one) => one.name === name)?.number === true;
  return number && value.trim() !== "" && !Number.isFinite(Number(value)) ? "A number, such as 0.7" : null;
}

/** What has come of an answer so far. */
export interface Progress {
  text: string;
  thought: string; // what the model says of its reasoning
  calls: string; // of tools, as JSON
  finish: string | null;
  usage: Usage | null;
  firstMs: number | null; // until the first piece
  tookMs: number;
  request: string | null; // its id
  target: string | null;
  ended: boolean;
  error: ApiError | null;
}

export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
}

const nothing: Progress = { text: "", thought: "", calls: "", finish: null, usage: null, firstMs: null, tookMs: 0, request: null, target: null, ended: false, error: null };

/** What is read of a piece of a stream, or of a whole answer. */
interface Piece {
  choices?: { delta?: Said; message?: Said; finish_reason?: string | null }[];
  usage?: Usage | null;
  error?: { message?: string; code?: string };
}

interface Said {
  content?: string | null;
  reasoning_content?: string | null;
  tool_calls?: { index?: number; function?: { name?: string; arguments?: string } }[];
}

/** The call that the playground makes. */
export const route = "POST /admin/v1/playground/v1/chat/completions";

/** Makes a call with an API key, and tells each time that more of the answer has come. The key goes into a header, and is kept nowhere. */
export async function run(body: string, key: string, told: (progress: Progress) => void, signal: AbortSignal): Promise<void> {
  const began = performance.now();
  let now = nothing;
  const tell = (more: Partial<Progress>) => told((now = { ...now, ...more, tookMs: performance.now() - began }));
  tell({});
  try {
    const answer = await open(address(route), body, { "weir-playground-key": key, accept: "application/json, text/event-stream" }, signal);
    const [provider, model] = [answer.headers.get("weir-provider"), answer.headers.get("weir-model")];
    tell({ request: answer.headers.get("x-request-id"), target: provider && model && `${provider}/${model}` });
    if (!answer.ok) throw await refusal(answer);
    const pieces = answer.headers.get("content-type")?.startsWith("text/event-stream") ? events(answer) : whole(answer);
    for await (const piece of pieces) {
      if (piece.error) throw new ApiError(0, piece.error.code ?? "", piece.error.message ?? "The answer broke off.");
      const next = withPiece(now, piece);
      if (now.firstMs === null && next.text + next.thought + next.calls !== "") next.firstMs = performance.now() - began;
      tell(next);
    }
    tell({ ended: true });
  } catch (reason) {
    const error = reason instanceof ApiError ? reason : signal.aborted ? new ApiError(0, "stopped", "You stopped it.") : new ApiError(0, "failed", reason instanceof Error ? reason.message : String(reason));
    tell({ ended: true, error });
  }
}

function withPiece(now: Progress, { choices, usage }: Piece): Progress {
  const [choice] = choices ?? [];
  const said = choice?.delta ?? choice?.message;
  const calls = (said?.tool_calls ?? []).map((call) => (call.function?.name ? `${now.calls === "" ? "" : "\n"}${call.function.name} ` : "") + (call.function?.arguments ?? "")).join("");
  return {
    ...now,
    text: now.text + (said?.content ?? ""),
    thought: now.thought + (said?.reasoning_content ?? ""),
    calls: now.calls + calls,
    finish: choice?.finish_reason ?? now.finish,
    usage: usage ?? now.usage,
  };
}

async function* whole(answer: Response): AsyncGenerator<Piece> {
  yield (await answer.json()) as Piece;
}

/** The events of a stream, as they come. */
async function* events(answer: Response): AsyncGenerator<Piece> {
  if (!answer.body) return;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const data = /^data: ?(.*?)\r?$/.exec(line)?.[1];
      if (data !== undefined && data !== "[DONE]") yield JSON.parse(data) as Piece;
    }
  }
}
