// Answers of the admin API as pages use them: fetched anew when the question changes, each minute while the tab is seen, and on demand.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiError, call, type Asked, type Route, type Routes } from "./api";

/** What is known of an answer. data stays when a later call fails: then error says that it is old. */
export interface Answer<T> {
  data: T | null;
  error: ApiError | null;
  loading: boolean; // for so long that it should be shown
  at: Date | null; // when data came
  current: boolean; // data is about what is asked now
  reload: () => void;
}

const patience = 150;
const interval = 60_000;
const refreshed = new EventTarget();

/** Calls again when all answers are to be fetched again. It returns what ends that. */
export function onRefresh(again: () => void): () => void {
  refreshed.addEventListener("refresh", again);
  return () => refreshed.removeEventListener("refresh", again);
}

/** Has all answers that are shown fetched again. */
export function refresh(): void {
  refreshed.dispatchEvent(new Event("refresh"));
}

/** The answer of a route; asked is null as long as nothing is to be asked. */
export function useCall<R extends Route>(route: R, asked: Asked<R> | null): Answer<Routes[R]["answer"]> {
  type T = Routes[R]["answer"];
  const question = asked === null ? "" : JSON.stringify([route, asked]);
  const [data, setData] = useState<T | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [loading, setLoading] = useState(false);
  const [at, setAt] = useState<Date | null>(null);
  const answered = useRef(""); // the question that data is about
  const running = useRef<AbortController | null>(null);

  const reload = useCallback(() => {
    running.current?.abort();
    if (question === "") return;
    const { signal } = (running.current = new AbortController());
    const timer = setTimeout(() => setLoading(true), patience);
    const [, now] = JSON.parse(question) as [R, Asked<R>];
    call(route, now, signal)
      .then((answer) => {
        answered.current = question;
        setData(answer);
        setError(null);
        setAt(new Date());
      })
      .catch((reason: unknown) => {
        if (signal.aborted) return;
        if (answered.current !== question) setData(null);
        setError(asError(reason));
      })
      .finally(() => {
        clearTimeout(timer);
        if (!signal.aborted) setLoading(false);
      });
  }, [question]);

  useEffect(() => {
    reload();
    const timer = setInterval(() => document.hidden || reload(), interval);
    const forget = onRefresh(reload);
    return () => {
      running.current?.abort();
      clearInterval(timer);
      forget();
    };
  }, [reload]);
  const asks = question !== "";
  return { data: asks ? data : null, error: asks ? error : null, loading, at, current: answered.current === question, reload };
}

/** Any failure as one that can be shown. */
export function asError(reason: unknown): ApiError {
  return reason instanceof ApiError ? reason : new ApiError(0, "failed", reason instanceof Error ? reason.message : String(reason));
}
