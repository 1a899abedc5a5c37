// Dialogs are the browser's own: they keep the focus, and Escape closes them.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface DialogProps {
  title: string;
  onClose: () => void;
  aside?: boolean; // at the right edge, as high as the window
  children: ComponentChildren;
}

/** A dialog that is open as long as it is rendered. */
export function Dialog({ title, onClose, aside, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    box.current?.showModal();
  }, []);
  return (
    <dialog ref={box} class={aside ? "aside" : undefined} aria-label={title} onClose={onClose} onClick={(event) => event.target === box.current && box.current?.close()}>
      <div class="dialog">
        <div class="row">
          <h2>{title}</h2>
          <button class="quiet rest" onClick={() => box.current?.close()}>Close</button>
        </div>
        {children}
      </div>
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  action: string; // the verb on the button
  onConfirm: () => void;
  onClose: () => void;
  disabled?: boolean;
  children: ComponentChildren;
}

/** Asks before something that cannot be taken back. */
export function Confirm({ title, action, onConfirm, onClose, disabled, children }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div class="actions">
        <button onClick={onClose}>Cancel</button>
        <button class="danger" disabled={disabled} onClick={onConfirm}>{action}</button>
      </div>
    </Dialog>
  );
}
