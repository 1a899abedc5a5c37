// One key: what it may use, what it used, and what can be done to it.
import type { Key, RequestList, UsageList } from "../api";
import { StateWord } from "../access/cells";
import { EditKey, open, RevokeKey, Rotate, useDoing } from "../access/dialogs";
import { BoundsPanel, CostPlot, Day, InTheFile, Moment, Note, SharedFacts } from "../access/facts";
import { soon } from "../access/names";
import { useSpending, type Spending } from "../access/spent";
import { useCall, type Answer } from "../data";
import { count, exactMoney, money, percent, plural, short } from "../format";
import { requestColumns } from "../request/columns";
import { RequestPanel } from "../request/panel";
import { useKnown, useMay } from "../session";
import { link, set, usePlace } from "../state";
import { age, dateTime, nameOf, periodOf } from "../time";
import { Elsewhere } from "../ui/copy";
import { Page } from "../ui/page";
import { Shown } from "../ui/states";
import { Table } from "../ui/table";
import { Tile, Tiles } from "../ui/tiles";

export function KeyPage({ name }: { name: string }) {
  const key = useCall("GET /admin/v1/keys/{key}", { path: { key: name } });
  const may = useMay("PATCH /admin/v1/keys/{key}") && key.data?.source === "store" && key.data.status !== "revoked";
  return (
    <Page title={key.data?.name ?? "Key"} up={{ path: "/keys", title: "Keys" }} mark={key.data && <StateWord of={key.data} />} period of={key} tools={may && <Tools />}>
      <Shown of={key} framed>{(data) => <Whole of={data} may={may} />}</Shown>
    </Page>
  );
}

function Tools() {
  return (
    <>
      <button onClick={() => open("edit")}>Edit</button>
      <button onClick={() => open("rotate")}>Rotate</button>
      <button class="danger" onClick={() => open("revoke")}>Revoke</button>
    </>
  );
}

function Whole({ of, may }: { of: Key; may: boolean }) {
  const [doing] = useDoing();
  const asked = { query: { key: of.id } };
  const lives = of.status === "active" || of.status === "expired";
  const limits = useCall("GET /admin/v1/limits", lives ? asked : null);
  const newest = useCall("GET /admin/v1/requests", { query: { key: of.id, limit: 10 } });
  const spending = useSpending("key", asked.query);
  const last = newest.data?.data[0]?.started ?? null;
  return (
    <div class="stack">
      <Notes of={of} />
      <Figures of={of} last={last} spending={spending} />
      <div class="sides">
        {lives && <BoundsPanel of={limits} asked={asked} command={`weir limits ${of.id}`} may={may} />}
        <Facts of={of} />
      </div>
      <CostPlot only={asked.query} />
      <Newest of={newest} keyID={of.id} />
      {may && doing === "edit" && <EditKey of={of} />}
      {may && doing === "rotate" && <Rotate of={of} />}
      {may && doing === "revoke" && <RevokeKey of={of} lastUsed={last ? `Its last request came ${age(Date.now() - Date.parse(last))} ago.` : "It has made no request that is still known."} />}
    </div>
  );
}

/** What is the matter with it, if anything. */
function Notes({ of }: { of: Key }) {
  const { zone } = useKnown();
  return (
    <>
      {of.unsaved && (
        <Note tone="bad-edge">
          <strong class="bad">Refused here, but not saved.</strong>
          <span>{of.unsaved.reason}. Weir tries again. {of.unsaved.survives_restart ? "A restart refuses it, too." : "It works again after a restart."}</span>
        </Note>
      )}
      {of.status === "team_revoked" && <Note><span class="warn">Its team is revoked, or not known here.</span><span>The key is refused until it is in another team.</span></Note>}
      {of.status === "expired" && <Note><span class="warn">It has expired.</span><span>A later date lets it in again.</span></Note>}
      {of.previous_until && <Note tone="quiet-edge"><span>The secret before the last rotation works until {dateTime(new Date(of.previous_until), zone)}.</span></Note>}
      <InTheFile of={of} list="keys" />
    </>
  );
}

function Figures({ of, last, spending }: { of: Key; last: string | null; spending: Spending }) {
  const { zone } = useKnown();
  const period = periodOf(usePlace().params);
  const usage = useCall("GET /admin/v1/usage", { query: { by: "key", key: of.id, since: period.since, ...(period.until && { until: period.until }) } });
  const month = spending.of.get(of.id)?.cost ?? 0;
  return (
    <section aria-label="Figures">
      <Shown of={usage}>
        {({ data: [row] }: UsageList) => (
          <Tiles>
            <Tile label={`Spent, ${nameOf(period, zone).toLowerCase()}`} figure={money(row?.cost_nanodollars ?? 0)} hint={exactMoney(row?.cost_nanodollars ?? 0)}>{spending.answer.data && `${money(month)} in 30 days`}</Tile>
            <Tile label="Requests" figure={count(row?.requests ?? 0)}>{plural(row?.attempts ?? 0, "call")} to providers</Tile>
            <Tile label="Tokens" figure={short((row?.input_tokens ?? 0) + (row?.output_tokens ?? 0))} hint={count((row?.input_tokens ?? 0) + (row?.output_tokens ?? 0))}>{percent(row?.cache_read_tokens ?? 0, row?.input_tokens ?? 0)} from caches</Tile>
            <Tile label="Last request" figure={last ? `${age(Date.now() - Date.parse(last)).split(" ").slice(0, 2).join(" ")} ago` : "–"}>{last ? <Moment at={last} /> : "none is known"}</Tile>
            <Expiry of={of} />
          </Tiles>
        )}
      </Shown>
    </section>
  );
}

function Expiry({ of }: { of: Key }) {
  if (!of.expires_at) return <Tile label="Expires" figure="Never" />;
  const at = new Date(of.expires_at);
  const left = at.getTime() - Date.now();
  return <Tile label={left > 0 ? "Expires" : "Expired"} figure={left > 0 ? `in ${age(left).replace(/ \d+ (min|s)$/, "")}` : `${age(-left)} ago`} tone={left < soon ? "warn" : ""}><Day at={at} /></Tile>;
}

function Facts({ of }: { of: Key }) {
  return (
    <section class="panel" aria-label="About the key">
      <header><h2>About the key</h2></header>
      <dl class="pairs body">
        <dt>Team</dt>
        <dd>{of.team_id ? <a href={link("/teams/" + encodeURIComponent(of.team_id))}>{of.team ?? of.team_id}</a> : <span class="muted">none</span>}</dd>
        <SharedFacts of={of} />
        <dt>Repeats</dt>
        <dd>{of.idempotency ? <>answers are kept for {of.idempotency}</> : <span class="muted">Idempotency-Key is refused</span>}</dd>
        {of.explain && <><dt>Explains</dt><dd>with the header Weir-Explain</dd></>}
        <dt>Lives in</dt>
        <dd>{of.source === "config" ? "the config file" : "the store"}</dd>
      </dl>
    </section>
  );
}

function Newest({ of, keyID }: { of: Answer<RequestList>; keyID: string }) {
  const { zone } = useKnown();
  const opened = usePlace().params.get("request");
  return (
    <section class="panel" aria-label="Newest requests">
      <header>
        <h2>Newest requests</h2>
        <div class="rest">
          <Elsewhere route="GET /admin/v1/requests" asked={{ query: { key: keyID } }} command={`weir requests --key ${keyID}`} list />
          <a class="button quiet" href={link("/requests", { key: keyID })}>All requests</a>
        </div>
      </header>
      <Shown of={of} isEmpty={({ data }) => data.length === 0} empty={<><strong>No request yet</strong><span>Nobody has called with this key, or its requests are no longer kept.</span></>}>
        {({ data }) => <Table label="Newest requests" columns={requestColumns(zone).filter(({ key }) => key !== "key")} rows={data} id={(row) => row.request} selected={opened} onOpen={(row) => set({ request: row.request })} />}
      </Shown>
      {opened !== null && <RequestPanel key={opened} id={opened} onClose={() => set({ request: null })} />}
    </section>
  );
}
