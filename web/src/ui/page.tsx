// The frame of a page: its title, what it is about, and when it was fetched.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { refresh, type Answer } from "../data";
import { useKnown } from "../session";
import { link } from "../state";
import { clock } from "../time";
import { PeriodPicker, TeamPicker } from "./period";
import { Said } from "./said";

interface PageProps {
  title: string;
  mark?: ComponentChildren; // beside the title
  up?: { path: string; title: string }; // the list that it is one of
  period?: boolean; // it is about a span of time
  team?: boolean; // it can be about one team
  of?: Pick<Answer<unknown>, "at">; // what says as of when it is
  tools?: ComponentChildren;
  children: ComponentChildren;
}

export function Page({ title, mark, up, period, team, of, tools, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Weir`;
  }, [title]);
  return (
    <>
      <div class="head">
        <div class="title">
          {up && <a class="small" href={link(up.path)}>{up.title}</a>}
          <div class="row"><h1>{title}</h1>{mark}</div>
        </div>
        <div class="tools">
          {tools}
          {team && <TeamPicker />}
          {period && <PeriodPicker />}
          {of && <AsOf of={of} />}
        </div>
      </div>
      <Said />
      {children}
    </>
  );
}

function AsOf({ of }: { of: Pick<Answer<unknown>, "at"> }) {
  const { zone } = useKnown();
  return (
    <button class="quiet as-of" title="Fetch it again" onClick={refresh}>
      {of.at ? `as of ${clock(of.at, zone)}` : "…"}
    </button>
  );
}
