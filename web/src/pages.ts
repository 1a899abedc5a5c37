// All pages, in the order of the navigation. A new page is a row here and a file in pages; web.Pages has its path, too.
import type { FunctionComponent } from "preact";
import { Explain } from "./pages/explain";
import { Models } from "./pages/models";
import { Overview } from "./pages/overview";
import { Requests } from "./pages/requests";
import { Usage } from "./pages/usage";

export interface PageRow {
  path: string;
  title: string;
  group: string; // the heading that it stands under in the navigation
  page: FunctionComponent;
}

export const pages: PageRow[] = [
  { path: "/", title: "Overview", group: "", page: Overview },
  { path: "/usage", title: "Usage", group: "", page: Usage },
  { path: "/requests", title: "Requests", group: "", page: Requests },
  { path: "/models", title: "Models", group: "Serve", page: Models },
  { path: "/explain", title: "Explain", group: "Serve", page: Explain },
];
