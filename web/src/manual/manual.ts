// What a page of the manual cannot have in itself: the navigation, search, the colour scheme, buttons that copy. It works from a file, too, so it fetches nothing:
// what is searched is a script, which is loaded when the cursor is in the box.
import { choose, chosen, apply, schemes, type Scheme } from "../scheme";
import { find, type Hit, type Searched } from "./find";

type Row = [kind: "section" | "group" | "page" | "part" | "of", title: string, path?: string];

// What pages.js says.
declare const pages: Row[];
declare const served: { version: string; console: string };

declare global {
  interface Window {
    searched?: Searched[];
    trustedTypes?: { createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string } };
  }
}

const { root = "", page = "" } = document.documentElement.dataset;

/** An element with attributes; children are elements and texts. */
function make<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, string> = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** The navigation. A section is open if the page is in it; parts are shown beside each other alone. */
function navigate(side: HTMLElement): void {
  const at = pages.findIndex((row) => row[2] === page);
  const parts = partsAt(at);
  let box: HTMLElement = side;
  pages.forEach(([kind, title, path], i) => {
    if (kind === "section") {
      const details = make("details", {}, make("summary", {}, title));
      details.open = at < 1 ? i < pages.findIndex((row) => row[1] === "Reference") : isIn(i, at);
      side.append(details);
      box = details;
      return;
    }
    const shown = kind === "page" || kind === "group" || parts.has(i);
    if (!shown) return;
    const looks: Record<string, string> = kind === "part" || kind === "of" ? { class: "part" } : {};
    if (path === undefined) box.append(make("p", looks, title));
    else box.append(make("a", { ...looks, href: root + path, ...(i === at && { "aria-current": "page" }) }, title));
  });
  side.replaceChildren(...[...side.children].filter((child) => child.tagName !== "NOSCRIPT"));
  const current = side.querySelector<HTMLElement>("[aria-current]");
  if (current && current.offsetTop > side.clientHeight * 0.7) side.scrollTop = current.offsetTop - side.clientHeight / 2;
}

/** Whether the row at is in the section that begins at i. */
function isIn(i: number, at: number): boolean {
  const next = pages.findIndex(([kind], j) => j > i && kind === "section");
  return at > i && (next < 0 || at < next);
}

/** The rows of the parts that belong to the page at a row, or beside which it stands. */
function partsAt(at: number): Set<number> {
  let first = at;
  while (first > 0 && ["part", "of"].includes(pages[first]?.[0] ?? "")) first--;
  const rows = new Set<number>();
  for (let i = first + 1; first >= 0 && ["part", "of"].includes(pages[i]?.[0] ?? ""); i++) rows.add(i);
  return rows;
}

/** The box at the top, and what it finds. */
function search(): HTMLElement {
  const box = make("input", { type: "search", role: "combobox", "aria-label": "Search the manual", "aria-expanded": "false", "aria-controls": "hits", "aria-autocomplete": "list", placeholder: "Search  /", autocomplete: "off", spellcheck: "false" });
  const list = make("ul", { id: "hits", role: "listbox", "aria-label": "Found", hidden: "" });
  let hits: Hit[] = [];
  let at = 0;
  const show = (open: boolean) => {
    const asked = box.value.trim() !== "" && window.searched !== undefined;
    list.hidden = !open || !asked;
    box.setAttribute("aria-expanded", String(!list.hidden));
    if (list.hidden) return box.removeAttribute("aria-activedescendant");
    hits = find(window.searched ?? [], box.value);
    at = Math.max(0, Math.min(at, hits.length - 1));
    list.replaceChildren(...(hits.length === 0 ? [make("li", { class: "none", role: "option", "aria-selected": "false", "aria-disabled": "true" }, "Nothing has all of these words.")] : hits.map((hit, i) => found(hit, i, i === at))));
    if (hits.length === 0) return;
    box.setAttribute("aria-activedescendant", `hit-${at}`);
    list.children[at]?.scrollIntoView({ block: "nearest" });
  };
  const go = (hit: Hit | undefined) => {
    if (!hit) return;
    show(false);
    box.blur();
    location.href = root + hit.path + (hit.anchor && "#" + hit.anchor);
  };
  box.addEventListener("focus", () => void load().then(() => show(true)));
  box.addEventListener("blur", () => show(false));
  box.addEventListener("input", () => { at = 0; show(true); });
  box.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") at++;
    else if (event.key === "ArrowUp") at--;
    else if (event.key === "Enter") return go(hits[at]);
    else if (event.key === "Escape") return show(false);
    else return;
    event.preventDefault();
    show(true);
  });
  list.addEventListener("mousedown", (event) => {
    event.preventDefault();
    const item = event.target instanceof Element ? event.target.closest("li") : null;
    if (item) go(hits[[...list.children].indexOf(item)]);
  });
  addEventListener("keydown", (event) => {
    const busy = event.target instanceof HTMLElement && event.target.matches("input, textarea");
    if (event.key !== "/" || busy || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    box.focus();
  });
  return make("div", { class: "search", role: "search" }, box, list);
}

function found(hit: Hit, i: number, selected: boolean): HTMLElement {
  const [before, word, after] = hit.around;
  return make("li", { id: `hit-${i}`, role: "option", "aria-selected": String(selected) }, make("b", {}, hit.title), hit.heading && " › " + hit.heading, make("small", {}, before, make("mark", {}, word), after));
}

/** Loads what is searched, once. */
let load = (): Promise<void> => {
  if (window.searched) return Promise.resolve();
  return new Promise((done) => {
    const script = document.createElement("script");
    const rules = { createScriptURL: (url: string) => url };
    const trusted = (window.trustedTypes?.createPolicy("manual", rules) ?? rules).createScriptURL(root + "search.js");
    load = () => new Promise((again) => script.addEventListener("load", () => again(), { once: true }));
    script.addEventListener("load", () => { load = () => Promise.resolve(); done(); });
    script.src = trusted;
    document.head.append(script);
  });
}

/** Light, dark, or as the system has it: the choice of the console, which is kept under the same name. */
function schemeSwitch(): HTMLElement {
  const box = make("div", { class: "segments", role: "group", "aria-label": "Colour scheme" });
  const titles: Record<Scheme, string> = { light: "Light", dark: "Dark", system: "System" };
  const show = () => {
    for (const button of box.children) button.setAttribute("aria-pressed", String(button.getAttribute("data-scheme") === chosen()));
  };
  for (const scheme of schemes) {
    const button = make("button", { type: "button", "data-scheme": scheme }, titles[scheme]);
    button.addEventListener("click", () => { choose(scheme); show(); });
    box.append(button);
  }
  show();
  return box;
}

/** What is above the page, but for the name. */
function head(side: HTMLElement): void {
  const menu = make("button", { type: "button", class: "menu", "aria-expanded": "false" }, "Menu");
  menu.addEventListener("click", () => menu.setAttribute("aria-expanded", String(side.classList.toggle("shown"))));
  const rest = make("div", { class: "rest" });
  if (served.console !== "") {
    rest.append(make("a", { href: served.console, class: "wide" }, "Console"));
    side.append(make("a", { href: served.console, class: "narrow" }, "Console"));
  }
  rest.append(schemeSwitch(), menu);
  document.querySelector(".top")?.append(search(), rest);
}

/** Buttons that copy. Of what is typed and answered they copy what is typed. */
function copies(): void {
  for (const block of document.querySelectorAll<HTMLElement>(".code")) {
    const button = make("button", { type: "button" }, "Copy");
    button.addEventListener("click", () => {
      const typed = [...block.querySelectorAll("kbd")].map((line) => line.textContent);
      const text = typed.length > 0 ? typed.join("\n") : (block.querySelector("code")?.textContent ?? "");
      navigator.clipboard.writeText(text + "\n").then(() => (button.textContent = "Copied"), () => (button.textContent = "Not allowed"));
      setTimeout(() => (button.textContent = "Copy"), 2000);
    });
    block.append(button);
  }
  const place = () => {
    const blocks = [...document.querySelectorAll<HTMLElement>(".code")];
    const below = blocks.map(reaches); // all are looked at before one is changed
    blocks.forEach((block, i) => block.classList.toggle("below", below[i]));
  };
  addEventListener("resize", place);
  place();
}

/** Whether the first line of a block is so long that it comes near the button. */
function reaches(block: HTMLElement): boolean {
  const [code, button] = [block.querySelector("code"), block.querySelector("button")];
  if (!code || !button) return false;
  const text = document.createRange();
  text.selectNodeContents(code);
  const parts = [...text.getClientRects()].filter(({ width }) => width > 0);
  const line = parts.filter(({ top }) => top < (parts[0]?.bottom ?? 0));
  const scrolled = block.querySelector("pre")?.scrollLeft ?? 0;
  return Math.max(0, ...line.map(({ right }) => right + scrolled)) > button.getBoundingClientRect().left - 8;
}

/** Marks the heading that is read. */
function follow(): void {
  const links = new Map([...document.querySelectorAll<HTMLAnchorElement>(".here a")].map((a) => [decodeURIComponent(a.hash.slice(1)), a]));
  const headings = [...document.querySelectorAll<HTMLElement>("h2, h3")].filter((heading) => links.has(heading.id));
  const mark = () => {
    const now = headings.findLast((heading) => heading.getBoundingClientRect().top < 96);
    for (const [id, a] of links) {
      if (id === now?.id) a.setAttribute("aria-current", "true");
      else a.removeAttribute("aria-current");
    }
  };
  if (headings.length === 0) return;
  addEventListener("scroll", mark, { passive: true });
  mark();
}

apply(chosen());
const side = document.querySelector<HTMLElement>(".side");
if (side) {
  head(side);
  navigate(side);
}
addEventListener("DOMContentLoaded", () => {
  const version = document.getElementById("version");
  if (version) version.textContent = `Weir ${served.version}`;
  copies();
  follow();
});
