// Dialogs are the browser's own: they keep the focus, and Escape closes them.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface DialogProps {
  title: string;
  onClose: () => void;
  aside?: boolean; // at the right edge, as high as the window
  firm?: "beside" | "all"; // a click beside it does not close it; all: nor does Escape
  children: ComponentChildren;
}

/** A dialog that is open as long as it is rendered. */
export function Dialog({ title, onClose, aside, firm, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const gone = useRef(false); // the page has closed it already, or is another by now
  useEffect(() => {
    const dialog = box.current;
    const before = document.activeElement;
    dialog?.showModal();
    return () => {
      gone.current = true;
      dialog?.close();
      if (before instanceof HTMLElement) before.focus(); // the browser does that only for what it closes itself
    };
  }, []);
  return (
    <dialog ref={box} class={aside ? "aside" : undefined} aria-label={title} onClose={() => gone.current || onClose()} onCancel={(event) => firm === "all" && event.preventDefault()} onClick={(event) => !firm && event.target === box.current && box.current?.close()}>
      <div class="dialog">
        <div class="row">
          <h2>{title}</h2>
          {firm !== "all" && <button class="quiet rest" type="button" onClick={() => box.current?.close()}>Close</button>}
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
