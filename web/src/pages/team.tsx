// One team: its budgets, its keys, and what they spent together.
import type { Key, Team } from "../api";
import { Bounds, Models, SpentCell, StateCell, StateWord } from "../access/cells";
import { EditTeam, NewKey, open, RevokeTeam, useDoing } from "../access/dialogs";
import { BoundsPanel, CostPlot, InTheFile, Note, SharedFacts } from "../access/facts";
import { boundsOf, stateOf } from "../access/names";
import { useSpending, type Spending } from "../access/spent";
import { useCall, type Answer } from "../data";
import { count } from "../format";
import { useMay } from "../session";
import { link } from "../state";
import { Elsewhere } from "../ui/copy";
import { Page } from "../ui/page";
import { Shown } from "../ui/states";
import { Table, type Column } from "../ui/table";

export function TeamPage({ name }: { name: string }) {
  const team = useCall("GET /admin/v1/teams/{team}", { path: { team: name } });
  const may = useMay("PATCH /admin/v1/teams/{team}") && team.data?.source === "store" && team.data.status !== "revoked";
  return (
    <Page title={team.data?.name ?? "Team"} up={{ path: "/teams", title: "Teams" }} mark={team.data && <StateWord of={team.data} />} period of={team} tools={may && <Tools />}>
      <Shown of={team} framed>{(data) => <Whole of={data} may={may} />}</Shown>
    </Page>
  );
}

function Tools() {
  return (
    <>
      <button onClick={() => open("edit")}>Edit</button>
      <button class="danger" onClick={() => open("revoke")}>Revoke</button>
    </>
  );
}

function Whole({ of, may }: { of: Team; may: boolean }) {
  const [doing] = useDoing();
  const mayKeys = useMay("POST /admin/v1/keys") && of.status === "active";
  const asked = { query: { team: of.id } };
  const limits = useCall("GET /admin/v1/limits", of.status === "active" ? asked : null);
  const keys = useCall("GET /admin/v1/keys", { query: { limit: 1000 } });
  const members = (keys.data?.data ?? []).filter((key) => key.team_id === of.id && key.status !== "revoked");
  return (
    <div class="stack">
      {of.status === "revoked" && <Note><span class="warn">The team is revoked.</span><span>Its keys are refused until they are in another team.</span></Note>}
      <InTheFile of={of} list="teams" />
      <div class="sides">
        {of.status === "active" && <BoundsPanel of={limits} asked={asked} command={`weir limits --team ${of.id}`} may={may} />}
        <section class="panel" aria-label="About the team">
          <header><h2>About the team</h2></header>
          <dl class="pairs body">
            <SharedFacts of={of} />
            <dt>Lives in</dt>
            <dd>{of.source === "config" ? "the config file" : "the store"}</dd>
          </dl>
        </section>
      </div>
      <CostPlot only={{ team: of.id }} />
      <Members of={keys} members={members} team={of} may={mayKeys} />
      {may && doing === "edit" && <EditTeam of={of} />}
      {may && doing === "revoke" && <RevokeTeam of={of} keys={keys.data?.next === null ? members.length : null} />}
      {mayKeys && doing === "create" && <NewKey team={of.name} />}
    </div>
  );
}

interface MembersProps {
  of: Answer<{ data: Key[]; next: string | null }>;
  members: Key[];
  team: Team;
  may: boolean; // make keys
}

function Members({ of, members, team, may }: MembersProps) {
  const spending = useSpending("key", { team: team.id });
  return (
    <section class="panel" aria-label="Keys of the team">
      <header>
        <h2>Keys</h2>
        <div class="rest">
          <Elsewhere list route="GET /admin/v1/usage" asked={{ query: { by: "key", team: team.id, since: "30d" } }} command={`weir usage --by key --team ${team.id} --since 30d`} />
          {may && <button class="quiet" onClick={() => open("create")}>Create key</button>}
        </div>
      </header>
      <Shown of={of} isEmpty={() => members.length === 0} empty={<None team={team} may={may} />}>
        {({ data, next }) => (
          <>
            <Table label="Keys of the team" columns={columns(spending)} rows={members} id={(key) => key.id} sorted="-spent" most={50} />
            {next !== null && <p class="state small">Only the first {count(data.length)} keys of all were looked at.</p>}
          </>
        )}
      </Shown>
    </section>
  );
}

function None({ team, may }: { team: Team; may: boolean }) {
  return (
    <>
      <strong>No key is in this team</strong>
      <pre class="code">weir keys create --name my-app --team {team.name}</pre>
      {may && <button onClick={() => open("create")}>Create key</button>}
    </>
  );
}

function columns(spending: Spending): Column<Key>[] {
  return [
    { key: "name", title: "Key", cell: (key) => <div class="words"><a href={link("/keys/" + encodeURIComponent(key.id))}>{key.name}</a><span class="second mono">{key.id}</span></div>, sort: (key) => key.name },
    { key: "spent", title: "Spent in 30 days", num: true, cell: (key) => <SpentCell spending={spending} id={key.id} />, sort: (key) => spending.of.get(key.id)?.cost ?? -1 },
    { key: "models", title: "Models", cell: (key) => <Models models={key.models} /> },
    { key: "bounds", title: "Budgets, limits", cell: (key) => <Bounds of={key} />, sort: boundsOf },
    { key: "status", title: "Status", cell: (key) => <StateCell of={key} />, sort: (key) => stateOf(key).word },
  ];
}
