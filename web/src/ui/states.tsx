// What stands where an answer should be: it loads, it failed, it is old, it is empty, it is forbidden.
import type { ComponentChildren } from "preact";
import type { ApiError } from "../api";
import { refresh, type Answer } from "../data";
import { useKnown } from "../session";
import { minute } from "../time";

interface ShownProps<T> {
  of: Answer<T>;
  beside?: Answer<unknown>[]; // what else is shown with it
  framed?: boolean; // what is shown has a panel of its own
  empty?: ComponentChildren; // instead of an answer without anything in it
  isEmpty?: (data: T) => boolean;
  children: (data: T) => ComponentChildren;
}

/** Shows an answer, or why there is none. */
export function Shown<T>({ of, beside = [], framed, empty, isEmpty, children }: ShownProps<T>) {
  const { data, error, loading } = of;
  if (data === null) {
    const why = error ? <Failed error={error} retry={of.reload} /> : <Loading shown={loading} />;
    return framed ? <div class={error ? "panel" : "panel waits"}>{why}</div> : why;
  }
  const none = empty !== undefined && isEmpty?.(data) === true;
  const lacking = beside.find((one) => one.error !== null)?.error;
  return (
    <>
      {error ? <Old of={of} error={error} /> : lacking && <Notice words="Some figures could not be fetched." error={lacking} retry={refresh} />}
      {loading && <Loading shown />}
      <div class={loading ? "old" : undefined}>{none ? <div class="state">{empty}</div> : children(data)}</div>
    </>
  );
}

/** A line that moves. It comes late, so that what is fast does not flicker. */
export function Loading({ shown }: { shown: boolean }) {
  return shown ? (
    <div role="status">
      <div class="loading" />
      <span class="unseen">Loading</span>
    </div>
  ) : null;
}

/** Says that what is shown could not be fetched anew. */
export function Old({ of: { at, reload }, error }: { of: Pick<Answer<unknown>, "at" | "reload">; error: ApiError }) {
  const { zone } = useKnown();
  return <Notice words={`Could not refresh${at ? `: this is from ${minute(at, zone)}` : ""}.`} error={error} retry={reload} />;
}

function Notice({ words, error, retry }: { words: string; error: ApiError; retry: () => void }) {
  return (
    <div class="row notice small" role="status">
      <span class="warn">{words}</span>
      <span>{error.message}</span>
      {error.status !== 403 && <button class="quiet" onClick={retry}>Try again</button>}
    </div>
  );
}

/** Says why there is nothing, and what to do. */
export function Failed({ error, retry }: { error: ApiError; retry?: () => void }) {
  return (
    <div class="state" role="alert">
      <strong>{title(error)}</strong>
      <span>{error.message}</span>
      {error.status >= 500 && <span>Requests of callers are served and journaled all the same.</span>}
      {retry && error.status !== 403 && <button onClick={retry}>Try again</button>}
    </div>
  );
}

function title({ status }: ApiError): string {
  switch (true) {
    case status === 0:
      return "Weir cannot be reached";
    case status === 403:
      return "Your role does not allow this";
    case status === 404:
      return "There is no such thing";
    case status === 503 || status === 529:
      return "That takes too long now";
    case status >= 500:
      return "The store cannot be read";
    default:
      return "Weir refuses this question";
  }
}
