// The period that a page is about, and the team.
import { useState } from "preact/hooks";
import { useCall } from "../data";
import { useKnown } from "../session";
import { set, usePlace } from "../state";
import { bounds, instant, local, nameOf, periodOf, presets } from "../time";
import { Select, TextField } from "./forms";

const custom = "custom";

export function PeriodPicker() {
  const { zone } = useKnown();
  const period = periodOf(usePlace().params);
  const [open, setOpen] = useState(false);
  const named = presets(zone).find((one) => one.since === period.since && one.until === period.until);
  const options = presets(zone).map((one) => ({ value: one.label, label: one.label }));
  if (!named) options.push({ value: "", label: nameOf(period, zone) });
  options.push({ value: custom, label: "From … to …" });
  const choose = (label: string) => {
    const preset = presets(zone).find((one) => one.label === label);
    setOpen(label === custom);
    if (preset) set({ since: preset.since, until: preset.until });
  };
  return (
    <>
      <Select bare label="Period" value={open ? custom : (named?.label ?? "")} options={options} onChange={choose} />
      {open && <FromTo onDone={() => setOpen(false)} />}
    </>
  );
}

function FromTo({ onDone }: { onDone: () => void }) {
  const { zone } = useKnown();
  const { from, to } = bounds(periodOf(usePlace().params), zone);
  const [since, setSince] = useState(local(from, zone));
  const [until, setUntil] = useState(local(to, zone));
  const wrong = until <= since ? "It ends before it begins." : null;
  const apply = (event: Event) => {
    event.preventDefault();
    if (wrong) return;
    set({ since: instant(since, zone).toISOString(), until: instant(until, zone).toISOString() });
    onDone();
  };
  return (
    <form class="filters" onSubmit={apply}>
      <TextField label={`From, ${zone}`} type="datetime-local" value={since} onInput={setSince} required />
      <TextField label="To" type="datetime-local" value={until} onInput={setUntil} required wrong={wrong} />
      <button class="primary" disabled={wrong !== null}>Show</button>
    </form>
  );
}

export function TeamPicker() {
  const team = usePlace().params.get("team") ?? "";
  const teams = useCall("GET /admin/v1/teams", { query: { limit: 1000 } });
  const names = (teams.data?.data ?? []).map((one) => ({ value: one.name, label: one.name }));
  if (names.length === 0 && team === "") return null;
  if (team !== "" && !names.some((one) => one.value === team)) names.push({ value: team, label: team });
  return <Select bare label="Team" value={team} options={[{ value: "", label: "All teams" }, ...names]} onChange={(value) => set({ team: value })} />;
}
