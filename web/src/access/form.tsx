// The frame of forms that change something: what went wrong stands at its field, or above the buttons if no field is to blame.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ApiError } from "../api";
import { asError } from "../data";

/** A change that is being made. */
export interface Change {
  busy: boolean;
  error: ApiError | null;
  start: () => void;
}

/** A change that a form makes; done gets the answer. */
export function useChange<T>(act: () => Promise<T>, done: (answer: T) => void): Change {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const start = () => {
    setBusy(true);
    setError(null);
    new Promise<T>((resolve) => resolve(act()))
      .then(done)
      .catch((reason: unknown) => setError(asError(reason)))
      .finally(() => setBusy(false));
  };
  return { busy, error, start };
}

/** What a refusal says of a field, without the field's name, which stands above. */
export function wrongWith(error: ApiError | null, param: string): string | null {
  if (error?.param !== param) return null;
  const message = error.message.startsWith(param + ": ") ? error.message.slice(param.length + 2) : error.message;
  return message.charAt(0).toUpperCase() + message.slice(1);
}

interface FormProps {
  change: Change;
  action: string; // the verb on the button
  fields: string[]; // params that have a field
  onCancel: () => void;
  danger?: boolean;
  disabled?: boolean;
  children: ComponentChildren;
}

export function Form({ change, action, fields, onCancel, danger, disabled, children }: FormProps) {
  const { busy, error, start } = change;
  const box = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) box.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [error]);
  const submit = (event: Event) => {
    event.preventDefault();
    if (!busy && !disabled) start();
  };
  return (
    <form class="form" ref={box} onSubmit={submit} noValidate>
      {children}
      <div class="end">
        {error && !fields.includes(error.param ?? "") && <p class="bad" role="alert">{error.message}</p>}
        <div class="actions">
          <button type="button" onClick={onCancel}>Cancel</button>
          <button class={danger ? "danger" : "primary"} disabled={busy || disabled}>{action}</button>
        </div>
      </div>
    </form>
  );
}
