// All pages, in the order of the navigation. A new page is a row here and a file in pages; web.Pages has its path, too.
import type { FunctionComponent } from "preact";
import { Overview } from "./pages/overview";

export interface PageRow {
  path: string;
  title: string;
  group: string; // the heading that it stands under in the navigation
  page: FunctionComponent;
}

export const pages: PageRow[] = [
  { path: "/", title: "Overview", group: "", page: Overview },
];
