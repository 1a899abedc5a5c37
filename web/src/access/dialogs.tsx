// What is done to keys and teams: make, change, rotate, revoke. Which of it is open is in the URL.
import { useState } from "preact/hooks";
import { call, type Key, type MintedKey, type Team } from "../api";
import { refresh, useCall } from "../data";
import { plural } from "../format";
import { useKnown } from "../session";
import { go, link, set, usePlace } from "../state";
import { dateTime } from "../time";
import { Check, TextField } from "../ui/forms";
import { Dialog } from "../ui/dialog";
import { say } from "../ui/said";
import { blank, changes, draftOf, type Draft } from "./draft";
import { Examples, fields, KeyFields, TeamFields } from "./fields";
import { Form, useChange, wrongWith } from "./form";
import { Secret } from "./secret";

/** What a page was asked to do, by its filter do. */
export function useDoing(): [string | null, () => void] {
  const doing = usePlace().params.get("do");
  return [doing, close];
}

function close(): void {
  if (usesDo()) set({ do: null }, true);
}

function usesDo(): boolean {
  return new URLSearchParams(location.search).has("do");
}

/** Opens what is to be done. */
export function open(what: string): void {
  set({ do: what });
}

function useDraft(before: Draft): { draft: Draft; onChange: (change: Partial<Draft>) => void } {
  const [draft, setDraft] = useState(before);
  return { draft, onChange: (change) => setDraft((now) => ({ ...now, ...change })) };
}

/** Says what was done, and what the API warns of. */
function told(text: string, warnings: string[] = [], care = warnings.length > 0): void {
  say([text, ...warnings].join(" "), care);
  refresh();
}

/** Opens the page where a change leads, and says there what it did. */
function left(path: string, text: string, care = false): void {
  go(link(path));
  say(text, care);
}

/** Makes a key, and shows its secret. */
export function NewKey({ team }: { team: string }) {
  const { zone } = useKnown();
  const { draft, onChange } = useDraft({ ...blank, team });
  const [made, setMade] = useState<MintedKey | null>(null);
  const change = useChange(() => call("POST /admin/v1/keys", { body: { ...changes(draft, blank, zone), name: draft.name.trim() } }), (key) => {
    setMade(key);
    told(`The key ${key.name} works now.`);
  });
  return (
    <Dialog title={made ? `The secret of ${made.name}` : "Create a key"} aside firm={made ? "all" : "beside"} onClose={close}>
      {made ? <Secret minted={made} onDone={close} /> : (
        <Form change={change} action="Create key" fields={fields} onCancel={close}>
          <KeyFields draft={draft} onChange={onChange} error={change.error} />
        </Form>
      )}
    </Dialog>
  );
}

export function EditKey({ of }: { of: Key }) {
  const { zone } = useKnown();
  const [before] = useState(() => draftOf(of, zone));
  const { draft, onChange } = useDraft(before);
  const change = useChange(() => call("PATCH /admin/v1/keys/{key}", { path: { key: of.id }, body: changes(draft, before, zone) }), (key) => {
    told(`The key ${key.name} is changed. The change holds already.`, key.warnings);
    close();
  });
  return (
    <Dialog title={`Change ${of.name}`} aside firm="beside" onClose={close}>
      <Form change={change} action="Save" fields={fields} onCancel={close} disabled={same(draft, before)}>
        <KeyFields draft={draft} onChange={onChange} error={change.error} />
      </Form>
    </Dialog>
  );
}

export function NewTeam() {
  const { zone } = useKnown();
  const { draft, onChange } = useDraft(blank);
  const change = useChange(() => call("POST /admin/v1/teams", { body: { ...changes(draft, blank, zone), name: draft.name.trim() } }), (team) => {
    left("/teams/" + team.id, [`The team ${team.name} is made. Keys can join it now.`, ...team.warnings].join(" "), team.warnings.length > 0);
  });
  return (
    <Dialog title="Create a team" aside firm="beside" onClose={close}>
      <Form change={change} action="Create team" fields={fields} onCancel={close}>
        <TeamFields draft={draft} onChange={onChange} error={change.error} />
      </Form>
    </Dialog>
  );
}

export function EditTeam({ of }: { of: Team }) {
  const { zone } = useKnown();
  const [before] = useState(() => draftOf(of, zone));
  const { draft, onChange } = useDraft(before);
  const change = useChange(() => call("PATCH /admin/v1/teams/{team}", { path: { team: of.id }, body: changes(draft, before, zone) }), (team) => {
    told(`The team ${team.name} is changed. The change holds for all its keys already.`, team.warnings);
    close();
  });
  return (
    <Dialog title={`Change ${of.name}`} aside firm="beside" onClose={close}>
      <Form change={change} action="Save" fields={fields} onCancel={close} disabled={same(draft, before)}>
        <TeamFields draft={draft} onChange={onChange} error={change.error} />
      </Form>
    </Dialog>
  );
}

function same(a: Draft, b: Draft): boolean {
  return fields.every((member) => a[member as keyof Draft] === b[member as keyof Draft]);
}

/** Gives a key another secret. */
export function Rotate({ of }: { of: Key }) {
  const { zone } = useKnown();
  const [grace, setGrace] = useState("");
  const [made, setMade] = useState<MintedKey | null>(null);
  const change = useChange(() => call("POST /admin/v1/keys/{key}/rotate", { path: { key: of.id }, body: grace.trim() === "" ? {} : { grace: grace.trim() } }), (key) => {
    setMade(key);
    told(key.previous_until ? `${key.name} has another secret. The one before works until ${dateTime(new Date(key.previous_until), zone)}.` : `${key.name} has another secret. The one before is refused.`);
  });
  return (
    <Dialog title={made ? `The secret of ${made.name}` : `Rotate ${of.name}`} firm={made ? "all" : "beside"} onClose={close}>
      {made ? <Secret minted={made} onDone={close} /> : (
        <Form change={change} action="Rotate" fields={["grace"]} onCancel={close}>
          <p>The key gets another secret, and keeps its name, limits and budgets.</p>
          {of.previous_until && <p class="warn">The secret before the last rotation works until {dateTime(new Date(of.previous_until), zone)}. It ends now.</p>}
          <div class="field">
            <TextField label="How long the secret until now goes on working" autofocus placeholder="not at all" hint="Such as 30m, 12h, 7d, 2w. Empty ends it at once." value={grace} onInput={setGrace} wrong={wrongWith(change.error, "grace")} />
            <Examples label="Examples of times" texts={["1h", "24h", "7d"]} onPick={setGrace} />
          </div>
        </Form>
      )}
    </Dialog>
  );
}

/** Ends a key for good. Its name has to be typed, which nobody does by mistake. */
export function RevokeKey({ of, lastUsed }: { of: Key; lastUsed: string }) {
  const [typed, setTyped] = useState("");
  const [now, setNow] = useState(false);
  const change = useChange(() => call("DELETE /admin/v1/keys/{key}", { path: { key: of.id }, query: now ? { now } : {} }), (key) => {
    if (!key.unsaved) return left("/keys", `${key.name} is revoked.`);
    told(`${key.name} is refused here, but the store does not have that yet: ${key.unsaved.reason}`, [], true);
    close();
  });
  return (
    <Dialog title={`Revoke ${of.name}`} firm="beside" onClose={close}>
      <Form change={change} action="Revoke" danger disabled={typed !== of.name} fields={[]} onCancel={close}>
        <p>The key is refused from then on, everywhere and for good. {lastUsed}</p>
        <RunningOf of={of} />
        <Check label="End its running requests as well (--now). Otherwise they finish" checked={now} onChange={setNow} />
        <TextField label={`Type ${of.name} to revoke it`} autofocus value={typed} onInput={setTyped} />
      </Form>
    </Dialog>
  );
}

function RunningOf({ of }: { of: Key }) {
  const running = useCall("GET /admin/v1/running", { query: { key: of.id, limit: 1000 } });
  if (!running.data) return null;
  const n = running.data.data.length;
  return <p class={n > 0 ? "warn" : "muted"}>{n > 0 ? `${plural(n, "request")} of it ${n === 1 ? "runs" : "run"} at this Weir now.` : "No request of it runs at this Weir now."}</p>;
}

export function RevokeTeam({ of, keys }: { of: Team; keys: number | null }) {
  const [typed, setTyped] = useState("");
  const change = useChange(() => call("DELETE /admin/v1/teams/{team}", { path: { team: of.id } }), (team) => {
    left("/teams", `The team ${team.name} is revoked. Its keys are refused until they are in another one.`);
  });
  return (
    <Dialog title={`Revoke ${of.name}`} firm="beside" onClose={close}>
      <Form change={change} action="Revoke" danger disabled={typed !== of.name} fields={[]} onCancel={close}>
        <p>This is for good. {keys === null ? "All its keys are" : keys === 0 ? "It has no keys that would be" : keys === 1 ? "Its one key is" : `Its ${keys} keys are`} refused; running requests finish. A key works again once it is in another team.</p>
        <TextField label={`Type ${of.name} to revoke it`} autofocus value={typed} onInput={setTyped} />
      </Form>
    </Dialog>
  );
}
