// All pages, in the order of the navigation. A new page is a row here and a file in pages; web.Pages has its path, too.
import type { FunctionComponent } from "preact";
import { Explain } from "./pages/explain";
import { KeyPage } from "./pages/key";
import { Keys } from "./pages/keys";
import { Models } from "./pages/models";
import { Overview } from "./pages/overview";
import { Playground } from "./pages/playground";
import { Providers } from "./pages/providers";
import { Requests } from "./pages/requests";
import { Settings } from "./pages/settings";
import { TeamPage } from "./pages/team";
import { Teams } from "./pages/teams";
import { Usage } from "./pages/usage";

export interface PageRow {
  path: string;
  title: string;
  group: string; // the heading that it stands under in the navigation
  page: FunctionComponent;
  one?: FunctionComponent<{ name: string }>; // the page of one of them, at PATH/NAME
}

export const pages: PageRow[] = [
  { path: "/", title: "Overview", group: "", page: Overview },
  { path: "/usage", title: "Usage", group: "", page: Usage },
  { path: "/requests", title: "Requests", group: "", page: Requests },
  { path: "/models", title: "Models", group: "Serve", page: Models },
  { path: "/providers", title: "Providers", group: "Serve", page: Providers },
  { path: "/explain", title: "Explain", group: "Serve", page: Explain },
  { path: "/playground", title: "Playground", group: "Serve", page: Playground },
  { path: "/keys", title: "Keys", group: "Access", page: Keys, one: KeyPage },
  { path: "/teams", title: "Teams", group: "Access", page: Teams, one: TeamPage },
  { path: "/settings", title: "Settings", group: "System", page: Settings },
];

/** The row of the page that a path shows, and the name of the one thing that it is about, if it is. */
export function pageAt(path: string): { row: PageRow; name: string | null } | null {
  for (const row of pages) {
    if (row.path === path) return { row, name: null };
    if (!row.one || !path.startsWith(row.path + "/")) continue;
    const name = decoded(path.slice(row.path.length + 1));
    if (name !== "") return { row, name };
  }
  return null;
}

/** A part of a path as text; "" where it is none. */
function decoded(part: string): string {
  try {
    return part.includes("/") ? "" : decodeURIComponent(part);
  } catch {
    return ""; // a stray %
  }
}
