// Lists that come in pages: more is fetched on demand, behind what is there.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { address, send, type ApiError, type Route } from "./api";
import { asError, onRefresh } from "./data";

/** What has come of a list so far. */
export interface Pages<T> {
  rows: T[] | null;
  next: string | null; // the cursor of what is behind
  searched: Date | null; // all that is newer was looked at
  loading: boolean;
  error: ApiError | null;
  old: boolean; // the error is that what is there could not be fetched again
  at: Date | null; // when the first page came
  more: () => void;
  reload: () => void; // the first page again
}

interface PageOf<T> {
  data: T[];
  next: string | null;
  searched_until?: string | null;
}

type Fetched<T> = Omit<Pages<T>, "more" | "reload">;

const nothing = { rows: null, next: null, searched: null, loading: true, error: null, old: false, at: null };

/** The pages of a list, the first at once; a query of null asks nothing. */
export function usePages<T>(route: Route, query: Record<string, string | number> | null): Pages<T> {
  const question = JSON.stringify(query);
  const [fetched, setFetched] = useState<Fetched<T>>(nothing);
  const running = useRef<AbortController | null>(null);
  const load = useCallback(
    (cursor: string | null, before: T[]) => {
      running.current?.abort();
      if (question === "null") return;
      const { signal } = (running.current = new AbortController());
      setFetched((old) => ({ ...old, loading: true, error: null }));
      const asked = { ...(JSON.parse(question) as Record<string, string>), ...(cursor !== null && { cursor }) };
      send("GET", address(route, { query: asked } as object), undefined, signal)
        .then((answer) => setFetched((old) => joined(before, answer as PageOf<T>, (cursor !== null && old.at) || new Date())))
        .catch((reason: unknown) => {
          if (!signal.aborted) setFetched((old) => ({ ...old, loading: false, error: asError(reason), old: cursor === null && old.rows !== null }));
        });
    },
    [route, question],
  );
  useEffect(() => {
    setFetched(nothing);
    load(null, []);
    const forget = onRefresh(() => load(null, []));
    return () => {
      forget();
      running.current?.abort();
    };
  }, [load]);
  return { ...fetched, more: () => load(fetched.next, fetched.rows ?? []), reload: () => load(null, []) };
}

function joined<T>(before: T[], page: PageOf<T>, at: Date): Fetched<T> {
  return { rows: [...before, ...page.data], next: page.next, searched: page.searched_until ? new Date(page.searched_until) : null, loading: false, error: null, old: false, at };
}
