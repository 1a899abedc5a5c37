// Light, dark, or as the system has it. It is the one thing that the browser keeps.
const name = "weir-scheme";

export type Scheme = "light" | "dark" | "system";

export const schemes: Scheme[] = ["light", "dark", "system"];

export function chosen(): Scheme {
  try {
    const kept = localStorage.getItem(name);
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch {
    return "system"; // storage may be forbidden
  }
}

export function choose(scheme: Scheme): void {
  try {
    if (scheme === "system") localStorage.removeItem(name);
    else localStorage.setItem(name, scheme);
  } catch {
    // then it lasts as long as the page
  }
  apply(scheme);
}

export function apply(scheme: Scheme): void {
  if (scheme === "system") delete document.documentElement.dataset.scheme;
  else document.documentElement.dataset.scheme = scheme;
}
