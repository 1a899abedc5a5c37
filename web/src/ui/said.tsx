// What became of a change, said once: to those who see it and to those who hear it.
import { useEffect, useState } from "preact/hooks";
import { usePlace } from "../state";

/** What is said, and whether it asks for care. */
interface Saying {
  text: string;
  care: boolean;
  path: string; // of the page that it is said on
}

const sayings = new EventTarget();
let latest: Saying | null = null;

/** Says what a change did. It stands above the page that is open now until another one is opened. */
export function say(text: string, care = false): void {
  latest = { text, care, path: location.pathname };
  sayings.dispatchEvent(new Event("said"));
}

/** Forgets what was said. It is not for who signs in next. */
export function hush(): void {
  latest = null;
}

export function Said() {
  const [said, setSaid] = useState(latest);
  const { path } = usePlace();
  useEffect(() => {
    const hear = () => setSaid(latest);
    hear();
    sayings.addEventListener("said", hear);
    return () => sayings.removeEventListener("said", hear);
  }, []);
  const dismiss = () => setSaid((latest = null));
  return (
    <div class="said" role="status">
      {said?.path === path && (
        <div class={said.care ? "panel alert" : "panel alert good-edge"}>
          <span>{said.text}</span>
          <button class="quiet rest" onClick={dismiss}>Dismiss</button>
        </div>
      )}
    </div>
  );
}
