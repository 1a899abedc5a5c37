// What the pages of one key and of one team share: what is the matter with it, what it is, what it may use, what it spent.
import type { ComponentChildren } from "preact";
import type { Key, LimitList, Team } from "../api";
import { useCall, type Answer } from "../data";
import { exactMoney, money, shortMoney } from "../format";
import { buckets, stacked } from "../series";
import { useKnown } from "../session";
import { usePlace } from "../state";
import { date, dateTime, grainOf, hover, periodOf } from "../time";
import { Copy, Elsewhere } from "../ui/copy";
import { Plot } from "../ui/plot";
import { Shown } from "../ui/states";
import { Models } from "./cells";
import { Meters } from "./meters";
import { open } from "./dialogs";

interface NoteProps {
  tone?: "" | "bad-edge" | "quiet-edge";
  children: ComponentChildren;
}

/** Something to know before all else. */
export function Note({ tone = "", children }: NoteProps) {
  return <div class={`panel alert ${tone}`}>{children}</div>;
}

/** Says where what lives in the config file is changed. */
export function InTheFile({ of, list }: { of: Key | Team; list: "keys" | "teams" }) {
  if (of.source !== "config") return null;
  return (
    <Note tone="quiet-edge">
      <span>
        {of.name} is in the config file, under <code>{list}</code>, and nothing of it can be changed here. Change it there: Weir reads the file anew within seconds.
        {list === "keys" && <> Another secret is made by <code>weir keys create --offline</code>, which prints the lines for the file.</>}
      </span>
    </Note>
  );
}

export function Moment({ at }: { at: string }) {
  const { zone } = useKnown();
  const when = new Date(at);
  return <time title={hover(when)}>{dateTime(when, zone)}</time>;
}

export function Day({ at }: { at: Date }) {
  const { zone } = useKnown();
  return <time title={hover(at)}>{date(at, zone)}</time>;
}

/** The facts that keys and teams have in common, as pairs. */
export function SharedFacts({ of }: { of: Key | Team }) {
  return (
    <>
      <dt>Id</dt>
      <dd><span class="mono">{of.id}</span> <Copy text={of.id} /></dd>
      <dt>Models</dt>
      <dd><Models models={of.models} all /></dd>
      {of.budgets && <><dt>Calls hold</dt><dd>{of.reserve === "strict" ? "the most they can take" : "what is usual"}</dd></>}
      {of.cut && <><dt>Streams</dt><dd>end when a budget has no room</dd></>}
      {of.warn && <><dt>Warns at</dt><dd>{of.warn.map((share) => `${share} %`).join(", ")}</dd></>}
      {of.created_at && <><dt>Made</dt><dd><Moment at={of.created_at} /></dd></>}
      {of.revoked_at && <><dt>Revoked</dt><dd><Moment at={of.revoked_at} /></dd></>}
    </>
  );
}

interface BoundsProps {
  of: Answer<LimitList>;
  asked: { query: { key?: string; team?: string } };
  command: string;
  may: boolean; // change them
}

/** Every limit and budget that applies, and what is left of it. */
export function BoundsPanel({ of, asked, command, may }: BoundsProps) {
  return (
    <section class="panel" aria-label="Budgets and limits">
      <header>
        <h2>Budgets and limits</h2>
        <div class="rest">
          <Elsewhere route="GET /admin/v1/limits" asked={asked} command={command} />
          {may && <button class="quiet" onClick={() => open("edit")}>Change</button>}
        </div>
      </header>
      <Shown of={of} isEmpty={({ data, budgets }) => data.length + budgets.length === 0} empty={<><strong>Nothing bounds it</strong><span>It may ask as often, and spend as much, as the providers allow.</span></>}>
        {(list) => <Meters list={list} />}
      </Shown>
    </section>
  );
}

/** What it spent in the period, by model. */
export function CostPlot({ only }: { only: { key?: string; team?: string } }) {
  const { zone } = useKnown();
  const period = periodOf(usePlace().params);
  const grain = grainOf(period, zone) === "month" ? "month" : "day";
  const asked = { query: { by: `model,${grain}`, since: period.since, ...(period.until && { until: period.until }), ...only } };
  const usage = useCall("GET /admin/v1/usage", asked);
  return (
    <Shown of={usage}>
      {({ data, since, until }) => {
        if (data.every((row) => row.cost_nanodollars === 0)) return <div class="panel state"><strong>Nothing was spent in this span</strong><span>Choose another one above.</span></div>;
        const xs = buckets(new Date(since), new Date(until), grain, zone);
        const series = stacked({ rows: data, xs, zone, group: (row) => row.model ?? "", value: (row) => row.cost_nanodollars });
        return <Plot title={`Cost per ${grain}, by model`} kind="bars" grain={grain} xs={xs} until={new Date()} series={series} format={money} axis={shortMoney} tools={<Elsewhere list route="GET /admin/v1/usage" asked={asked} />} />;
      }}
    </Shown>
  );
}

export function Money({ of }: { of: number }) {
  return <span title={exactMoney(of)}>{money(of)}</span>;
}
