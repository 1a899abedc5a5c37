// The fields of keys and teams. Each says in plain words what it takes; examples beside it can be pressed.
import type { ApiError } from "../api";
import { useCall } from "../data";
import { useKnown } from "../session";
import { local } from "../time";
import { Check, Select, TextField } from "../ui/forms";
import { blank, type Draft } from "./draft";
import { wrongWith } from "./form";

export interface FieldsProps {
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
  error: ApiError | null;
}

/** The params that have a field here. */
export const fields = Object.keys(blank);

export function KeyFields(props: FieldsProps) {
  const { draft, onChange, error } = props;
  return (
    <>
      <div class="pair">
        <TextField label="Name" required autofocus hint="Printable, without spaces: svc-search" value={draft.name} onInput={(name) => onChange({ name })} wrong={wrongWith(error, "name")} />
        <TeamField {...props} />
      </div>
      <ModelsField {...props} />
      <LimitFields {...props} />
      <BudgetFields {...props} />
      <KeyRest {...props} />
    </>
  );
}

export function TeamFields(props: FieldsProps) {
  const { draft, onChange, error } = props;
  return (
    <>
      <TextField label="Name" required autofocus hint="Printable, without spaces: research" value={draft.name} onInput={(name) => onChange({ name })} wrong={wrongWith(error, "name")} />
      <ModelsField {...props} />
      <LimitFields {...props} />
      <BudgetFields {...props} />
    </>
  );
}

function TeamField({ draft, onChange, error }: FieldsProps) {
  const teams = useCall("GET /admin/v1/teams", { query: { limit: 1000 } });
  const options = (teams.data?.data ?? []).filter((one) => one.status === "active").map(({ name }) => ({ value: name, label: name }));
  if (draft.team !== "" && !options.some(({ value }) => value === draft.team)) options.push({ value: draft.team, label: draft.team });
  return <Select label="Team" value={draft.team} options={[{ value: "", label: "No team" }, ...options]} onChange={(team) => onChange({ team })} wrong={wrongWith(error, "team")} />;
}

/** As many models as are offered to be pressed. */
const offered = 16;

function ModelsField({ draft, onChange, error }: FieldsProps) {
  const { models } = useKnown();
  const chosen = draft.models.split(",").map((one) => one.trim()).filter((one) => one !== "");
  const toggle = (model: string) => onChange({ models: (chosen.includes(model) ? chosen.filter((one) => one !== model) : [...chosen, model]).join(", ") });
  return (
    <div class="field">
      <TextField label="Models" hint="With commas; * stands for any run of characters: fast, embed-*. Empty allows all, later ones included." value={draft.models} onInput={(text) => onChange({ models: text })} wrong={wrongWith(error, "models")} />
      <div class="chips" role="group" aria-label="Models of the config">
        {models.slice(0, offered).map((model) => (
          <button key={model} type="button" aria-pressed={chosen.includes(model)} onClick={() => toggle(model)}>{model}</button>
        ))}
      </div>
    </div>
  );
}

function LimitFields({ draft, onChange, error }: FieldsProps) {
  return (
    <fieldset>
      <legend>Limits</legend>
      <div class="thirds">
        <TextField label="Requests a minute" hint="rpm; empty for none" inputMode="numeric" value={draft.rpm} onInput={(rpm) => onChange({ rpm })} wrong={wrongWith(error, "rpm")} />
        <TextField label="Tokens a minute" hint="tpm, prompts and answers" inputMode="numeric" value={draft.tpm} onInput={(tpm) => onChange({ tpm })} wrong={wrongWith(error, "tpm")} />
        <TextField label="Requests at once" hint="concurrent" inputMode="numeric" value={draft.concurrent} onInput={(concurrent) => onChange({ concurrent })} wrong={wrongWith(error, "concurrent")} />
      </div>
    </fieldset>
  );
}

const examples = ["50usd/month", "5usd/day", "2Mtok/day", "200usd/total"];

const reserves = [
  { value: "expected", label: "What is usual: few requests wait" },
  { value: "strict", label: "The most it can take: never exceeded" },
];

function BudgetFields({ draft, onChange, error }: FieldsProps) {
  const add = (one: string) => onChange({ budgets: draft.budgets.trim() === "" ? one : `${draft.budgets.replace(/[\s,]+$/, "")}, ${one}` });
  return (
    <fieldset>
      <legend>Budgets</legend>
      <TextField label="So much in a period" hint="Units: usd, tok, ktok, Mtok. Periods: hour, day, week, month, total. Several with commas; empty for none." value={draft.budgets} onInput={(budgets) => onChange({ budgets })} wrong={wrongWith(error, "budgets")} />
      <Examples label="Examples of budgets" texts={examples} onPick={add} />
      <div class="pair">
        <Select label="While it runs, a call holds" value={draft.reserve} options={reserves} onChange={(reserve) => onChange({ reserve })} wrong={wrongWith(error, "reserve")} />
        <TextField label="Warn when spent, in percent" hint="50, 90. Empty: no warning" value={draft.warn} onInput={(warn) => onChange({ warn })} wrong={wrongWith(error, "warn")} />
      </div>
      <Check label="End streams with an error when a budget has no room for more of them" checked={draft.cut} onChange={(cut) => onChange({ cut })} />
    </fieldset>
  );
}

const lives: [string, number][] = [["30 days", 30], ["90 days", 90], ["1 year", 365]];

function KeyRest({ draft, onChange, error }: FieldsProps) {
  const { zone } = useKnown();
  const ahead = (text: string) => {
    const days = lives.find(([name]) => name === text)?.[1];
    onChange({ expires_at: days === undefined ? "" : local(new Date(Date.now() + days * 86_400e3), zone) });
  };
  return (
    <fieldset>
      <legend>Expiry and repeats</legend>
      <div class="pair">
        <div class="field">
          <TextField label={`Expires, ${zone}`} type="datetime-local" hint="Empty: never" value={draft.expires_at} onInput={(at) => onChange({ expires_at: at })} wrong={wrongWith(error, "expires_at")} />
          <Examples label="Lives" texts={[...lives.map(([name]) => name), "never"]} onPick={ahead} />
        </div>
        <div class="field">
          <TextField label="Keep answers for repeats" hint="For requests with an Idempotency-Key: 1m to 720h. Empty refuses the header" value={draft.idempotency} onInput={(idempotency) => onChange({ idempotency })} wrong={wrongWith(error, "idempotency")} />
          <Examples label="Examples of times" texts={["24h", "1h"]} onPick={(idempotency) => onChange({ idempotency })} />
        </div>
      </div>
      <Check label={<span>Its requests may ask what was tried for them, with the header <code>Weir-Explain: true</code></span>} checked={draft.explain} onChange={(explain) => onChange({ explain })} />
    </fieldset>
  );
}

interface ExamplesProps {
  label: string;
  texts: string[];
  onPick: (text: string) => void;
}

/** Texts that a field takes, to be pressed. */
export function Examples({ label, texts, onPick }: ExamplesProps) {
  return (
    <div class="chips" role="group" aria-label={label}>
      {texts.map((one) => (
        <button key={one} type="button" onClick={() => onPick(one)}>{one}</button>
      ))}
    </div>
  );
}
