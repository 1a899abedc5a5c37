// Teams: keys that share limits, budgets and models.
import type { Key, KeyList, Team } from "../api";
import { Bounds, Models, SpentCell, StateCell } from "../access/cells";
import { NewTeam, open, useDoing } from "../access/dialogs";
import { boundsOf, stateOf } from "../access/names";
import { useSpending, type Spending } from "../access/spent";
import { useCall } from "../data";
import { count } from "../format";
import { useMay } from "../session";
import { link, set, usePlace } from "../state";
import { Elsewhere } from "../ui/copy";
import { Select, TextField } from "../ui/forms";
import { Page } from "../ui/page";
import { Shown } from "../ui/states";
import { Table, type Column } from "../ui/table";

const asked = { query: { limit: 1000 } };

const states = [
  { value: "", label: "Not revoked" },
  { value: "revoked", label: "Revoked" },
  { value: "all", label: "All" },
];

export function Teams() {
  const teams = useCall("GET /admin/v1/teams", asked);
  const spending = useSpending("team");
  const keys = useCall("GET /admin/v1/keys", asked);
  const [doing] = useDoing();
  const may = useMay("POST /admin/v1/teams");
  return (
    <Page title="Teams" of={teams} tools={may && <button class="primary" onClick={() => open("create")}>Create team</button>}>
      <section class="panel" aria-label="Teams">
        <header>
          <Filters />
          <div class="rest"><Elsewhere list route="GET /admin/v1/teams" asked={asked} command="weir teams list" /></div>
        </header>
        <Shown of={teams} beside={[spending.answer, keys]} isEmpty={({ data }) => data.length === 0} empty={<None may={may} />}>
          {({ data, next }) => <List teams={data} more={next !== null} spending={spending} keys={keys.data} />}
        </Shown>
      </section>
      {doing === "create" && may && <NewTeam />}
    </Page>
  );
}

function Filters() {
  const { params } = usePlace();
  return (
    <div class="filters" role="search" aria-label="Teams">
      <TextField bare label="Name" type="search" placeholder="Name" value={params.get("q") ?? ""} onInput={(q) => set({ q }, true)} />
      <Select bare label="Status" value={params.get("status") ?? ""} options={states} onChange={(status) => set({ status })} />
    </div>
  );
}

function None({ may }: { may: boolean }) {
  return (
    <>
      <strong>No team yet</strong>
      <span>A team bounds what several keys use and spend together. Make one here or on the command line:</span>
      <pre class="code">weir teams create --name research --budget 500usd/month</pre>
      {may && <button class="primary" onClick={() => open("create")}>Create team</button>}
    </>
  );
}

function List({ teams, more, spending, keys }: { teams: Team[]; more: boolean; spending: Spending; keys: KeyList | null }) {
  const { params } = usePlace();
  const [text, status] = [(params.get("q") ?? "").toLowerCase(), params.get("status") ?? ""];
  const shown = teams.filter((team) => (text === "" || team.name.toLowerCase().includes(text) || team.id === text) && (status === "all" || (status === "revoked") === (team.status === "revoked")));
  const members = keys && { of: sizes(keys.data), whole: keys.next === null };
  return (
    <>
      {shown.length === 0 ? (
        <div class="state">
          <strong>No team matches</strong>
          <button onClick={() => set({ q: null, status: null })}>Clear filters</button>
        </div>
      ) : <Table label="Teams" columns={columns(spending, members)} rows={shown} id={(team) => team.id} sorted="-spent" most={100} />}
      {more && <p class="state small">Only the first {count(teams.length)} teams are listed. weir teams list has all.</p>}
      <p class="unseen" role="status">{shown.length} of {teams.length} teams are shown</p>
    </>
  );
}

/** How many living keys each team has. */
function sizes(keys: Key[]): Map<string, number> {
  const all = new Map<string, number>();
  for (const key of keys) {
    if (key.team_id && key.status !== "revoked") all.set(key.team_id, (all.get(key.team_id) ?? 0) + 1);
  }
  return all;
}

interface Members {
  of: Map<string, number>;
  whole: boolean; // all keys were counted
}

function columns(spending: Spending, members: Members | null): Column<Team>[] {
  const size = (team: Team) => members?.of.get(team.id) ?? 0;
  return [
    { key: "name", title: "Team", cell: (team) => <div class="words"><a href={link("/teams/" + encodeURIComponent(team.id))}>{team.name}</a><span class="second mono">{team.id}</span></div>, sort: (team) => team.name },
    { key: "keys", title: "Keys", num: true, cell: (team) => (members ? <a href={link("/keys", { team: team.name })}>{count(size(team))}{members.whole ? "" : " +"}</a> : "–"), sort: size },
    { key: "spent", title: "Spent in 30 days", num: true, cell: (team) => <SpentCell spending={spending} id={team.id} />, sort: (team) => spending.of.get(team.id)?.cost ?? -1 },
    { key: "models", title: "Models", cell: (team) => <Models models={team.models} />, sort: (team) => (team.models ?? []).join() },
    { key: "bounds", title: "Budgets, limits", cell: (team) => <Bounds of={team} />, sort: boundsOf },
    { key: "status", title: "Status", cell: (team) => <StateCell of={team} />, sort: (team) => stateOf(team).word },
  ];
}
