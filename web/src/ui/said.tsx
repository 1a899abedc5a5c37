// What became of a change, said once: to those who see it and to those who hear it.
import { useEffect, useState } from "preact/hooks";
import { usePlace } from "../state";

/** What is said, and whether it asks for care. */
interface Saying {
  text: string;
  care: boolean;
}

const sayings = new EventTarget();

/** Says what a change did. It stands above the page until another page is opened. */
export function say(text: string, care = false): void {
  sayings.dispatchEvent(new CustomEvent<Saying>("said", { detail: { text, care } }));
}

export function Said() {
  const [said, setSaid] = useState<Saying | null>(null);
  const { path } = usePlace();
  useEffect(() => {
    const hear = (event: Event) => event instanceof CustomEvent && setSaid(event.detail as Saying);
    sayings.addEventListener("said", hear);
    return () => sayings.removeEventListener("said", hear);
  }, []);
  useEffect(() => setSaid(null), [path]);
  return (
    <div class="said" role="status">
      {said && (
        <div class={said.care ? "panel alert" : "panel alert good-edge"}>
          <span>{said.text}</span>
          <button class="quiet rest" onClick={() => setSaid(null)}>Dismiss</button>
        </div>
      )}
    </div>
  );
}
