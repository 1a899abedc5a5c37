// The one place that calls Weir. The types of all routes are generated from the description of the admin API.
import type { Routes } from "./api.gen";

export * from "./api.gen";
export type Route = keyof Routes;

/** What a call is made with. Parts of the path, such as {key}, come first. */
export interface Asked<R extends Route> {
  path?: Record<string, string>;
  query?: Routes[R]["query"];
  body?: Routes[R]["body"];
}

/** A refusal, or that no answer came: then status is 0. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly param: string | null = null,
  ) {
    super(message);
  }
}

/** Told when a session has ended, so that the login is shown. */
export const ended = new EventTarget();

/** Calls a route. Throws ApiError. */
export async function call<R extends Route>(route: R, asked: Asked<R> = {}, signal?: AbortSignal): Promise<Routes[R]["answer"]> {
  const [method = "GET"] = route.split(" ");
  return (await send(method, address(route, asked), asked.body, signal)) as Routes[R]["answer"];
}

/** The address of a route. It is what a link or curl needs, too. */
export function address<R extends Route>(route: R, asked: Asked<R> = {}, more: Record<string, string> = {}): string {
  const template = route.slice(route.indexOf(" ") + 1);
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(asked.path?.[name] ?? ""));
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...asked.query, ...more })) {
    if (value !== undefined && value !== "") params.set(name, String(value));
  }
  const query = params.toString();
  return query === "" ? path : path + "?" + query;
}

/** The address of a list as CSV. */
export function csv<R extends Route>(route: R, asked: Asked<R> = {}): string {
  return address(route, asked, { format: "csv" });
}

/** Sends a call and reads the answer as JSON. */
export async function send(method: string, url: string, body?: unknown, signal?: AbortSignal): Promise<unknown> {
  const init: RequestInit = { method, credentials: "same-origin", headers: { accept: "application/json" } };
  if (signal) init.signal = signal;
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { accept: "application/json", "content-type": "application/json" };
  }
  const answer = await fetch(url, init).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(0, "unreachable", "Weir does not answer at this address.");
  });
  if (answer.ok) return answer.status === 204 ? undefined : answer.json();
  throw await refusal(answer);
}

/** Sends a body whose answer is read as it comes. Refusals are answers, too: refusal reads them. */
export function open(url: string, body: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
  return fetch(url, { method: "POST", credentials: "same-origin", headers: { ...headers, "content-type": "application/json" }, body, signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new ApiError(0, "unreachable", "Weir does not answer at this address.");
  });
}

/** What an answer that is no success says. */
export async function refusal(answer: Response): Promise<ApiError> {
  if (answer.status === 401) ended.dispatchEvent(new Event("ended"));
  const body: unknown = await answer.json().catch(() => null);
  const error = isRefusal(body) ? body.error : null;
  return new ApiError(answer.status, error?.code ?? "", error?.message ?? `Weir answered ${answer.status}.`, error?.param ?? null);
}

function isRefusal(body: unknown): body is { error: { message: string; code: string | null; param: string | null } } {
  return typeof body === "object" && body !== null && "error" in body && typeof body.error === "object" && body.error !== null && "message" in body.error;
}
