// Where the reader is: the page, and every filter, which all live in the URL.
import { useEffect, useState } from "preact/hooks";

/** A page and what it was asked to show. */
export interface Place {
  path: string;
  params: URLSearchParams;
}

/** Filters to set; null takes one out. */
export type Changes = Record<string, string | null>;

/** The filters that stay when another page is opened. */
const kept = ["since", "until", "team"];

const listeners = new Set<() => void>();

export function here(): Place {
  return { path: location.pathname, params: new URLSearchParams(location.search) };
}

/** The place, and a new rendering whenever it changes. */
export function usePlace(): Place {
  const [place, setPlace] = useState(here);
  useEffect(() => {
    const changed = () => setPlace(here());
    listeners.add(changed);
    addEventListener("popstate", changed);
    return () => {
      listeners.delete(changed);
      removeEventListener("popstate", changed);
    };
  }, []);
  return place;
}

/** Opens a page of the console without loading it anew. */
export function go(href: string, replace = false): void {
  const before = location.pathname;
  if (replace) history.replaceState(null, "", href);
  else history.pushState(null, "", href);
  if (location.pathname !== before) scrollTo(0, 0);
  listeners.forEach((listener) => listener());
}

/** Changes filters of the page that is shown. */
export function set(changes: Changes, replace = false): void {
  const { path, params } = here();
  go(path + text(changed(params, changes)), replace);
}

/** The address of this page with filters changed. */
export function withFilters(changes: Changes): string {
  const { path, params } = here();
  return path + text(changed(params, changes));
}

/** The address of another page, which keeps the period and the team. */
export function link(path: string, changes: Changes = {}): string {
  const params = new URLSearchParams();
  for (const name of kept) {
    const value = here().params.get(name);
    if (value !== null) params.set(name, value);
  }
  return path + text(changed(params, changes));
}

function changed(params: URLSearchParams, changes: Changes): URLSearchParams {
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") params.delete(name);
    else params.set(name, value);
  }
  return params;
}

function text(params: URLSearchParams): string {
  const query = params.toString();
  return query === "" ? "" : "?" + query;
}

/** Lets plain links between pages of the console change the place, and leaves all others to the browser. */
export function followLinks(isPage: (path: string) => boolean): void {
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const anchor = event.target instanceof Element ? event.target.closest("a") : null;
    if (!anchor || anchor.target !== "" || anchor.hasAttribute("download") || anchor.origin !== location.origin) return;
    if (!isPage(anchor.pathname)) return;
    event.preventDefault();
    go(anchor.pathname + anchor.search);
  });
}
