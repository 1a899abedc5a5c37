// Parts of forms: each control has its label, and says what is wrong with it.
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  label: string;
  hint?: string;
  wrong?: string | null;
}

interface TextProps extends FieldProps {
  value: string;
  onInput: (value: string) => void;
  type?: "text" | "password" | "datetime-local" | "number" | "search";
  list?: string[]; // offered while typing
  placeholder?: string;
  inputMode?: "numeric";
  required?: boolean;
  autofocus?: boolean;
  size?: number;
  bare?: boolean; // the label is only for those who do not see it
}

export function TextField({ label, hint, wrong, value, onInput, list, bare, type = "text", ...rest }: TextProps) {
  const id = useId();
  const attributes: object = { type, list: list && id + "-list", "aria-invalid": wrong ? true : undefined, "aria-describedby": hint || wrong ? id + "-about" : undefined, ...rest };
  return (
    <div class="field">
      <label for={id} class={bare ? "unseen" : undefined}>{label}</label>
      <input id={id} value={value} onInput={(event) => onInput(event.currentTarget.value)} autocomplete="off" spellcheck={false} {...attributes} />
      {list && (
        <datalist id={id + "-list"}>
          {list.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      <About id={id} hint={hint} wrong={wrong} />
    </div>
  );
}

interface AreaProps extends FieldProps {
  value: string;
  onInput: (value: string) => void;
  rows: number;
  placeholder?: string;
  code?: boolean;
  bare?: boolean;
}

/** A text of several lines. */
export function Area({ label, hint, wrong, value, onInput, code, bare, ...rest }: AreaProps) {
  const id = useId();
  const attributes: object = { "aria-invalid": wrong ? true : undefined, "aria-describedby": hint || wrong ? id + "-about" : undefined, ...rest };
  return (
    <div class="field">
      <label for={id} class={bare ? "unseen" : undefined}>{label}</label>
      <textarea id={id} class={code ? "mono" : undefined} value={value} onInput={(event) => onInput(event.currentTarget.value)} autocomplete="off" spellcheck={false} {...attributes} />
      <About id={id} hint={hint} wrong={wrong} />
    </div>
  );
}

/** What a control can be set to, and how that is called. */
export interface Option {
  value: string;
  label: string;
}

interface SelectProps extends FieldProps {
  value: string;
  options: Option[];
  onChange: (value: string) => void;
  bare?: boolean; // the label is only for those who do not see it
}

export function Select({ label, hint, wrong, value, options, onChange, bare }: SelectProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id} class={bare ? "unseen" : undefined}>{label}</label>
      <select id={id} value={value} aria-invalid={wrong ? true : undefined} aria-describedby={hint || wrong ? id + "-about" : undefined} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>{option.label}</option>
        ))}
      </select>
      <About id={id} hint={hint} wrong={wrong} />
    </div>
  );
}

interface AboutProps {
  id: string;
  hint: string | undefined;
  wrong: string | null | undefined;
}

function About({ id, hint, wrong }: AboutProps) {
  if (!hint && !wrong) return null;
  return <span id={id + "-about"} class={wrong ? "wrong" : "muted small"}>{wrong ?? hint}</span>;
}

interface CheckProps {
  label: ComponentChildren;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function Check({ label, checked, onChange }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  );
}

interface SegmentsProps {
  label: string;
  value: string;
  options: Option[];
  onChange: (value: string) => void;
}

/** One of a few, all of which are seen. */
export function Segments({ label, value, options, onChange }: SegmentsProps) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {options.map((option) => (
        <button key={option.value} type="button" aria-pressed={option.value === value} onClick={() => onChange(option.value)}>{option.label}</button>
      ))}
    </div>
  );
}
