// What stands where an answer should be: it loads, it failed, it is old, it is empty, it is forbidden.
import type { ComponentChildren } from "preact";
import type { ApiError } from "../api";
import type { Answer } from "../data";
import { useKnown } from "../session";
import { minute } from "../time";

interface ShownProps<T> {
  of: Answer<T>;
  empty?: ComponentChildren; // instead of an answer without anything in it
  isEmpty?: (data: T) => boolean;
  children: (data: T) => ComponentChildren;
}

/** Shows an answer, or why there is none. */
export function Shown<T>({ of, empty, isEmpty, children }: ShownProps<T>) {
  const { data, error, loading } = of;
  if (data === null) return error ? <Failed error={error} retry={of.reload} /> : <Loading shown={loading} />;
  const none = empty !== undefined && isEmpty?.(data) === true;
  return (
    <>
      {error && <Old of={of} error={error} />}
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
function Old<T>({ of, error }: { of: Answer<T>; error: ApiError }) {
  const { zone } = useKnown();
  return (
    <div class="row state small" role="status">
      <span class="warn">Could not refresh{of.at ? `: this is from ${minute(of.at, zone)}` : ""}.</span>
      <span>{error.message}</span>
      <button class="quiet" onClick={of.reload}>Try again</button>
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
