// The secret of a key, the one time that it is shown.
import { useEffect, useRef } from "preact/hooks";
import type { MintedKey } from "../api";
import { useKnown } from "../session";
import { Copy, quoted } from "../ui/copy";
import { allows } from "./names";

/** What stands in the dialog that made the secret. It is firm as long as this is shown: the secret would be gone. */
export function Secret({ minted, onDone }: { minted: MintedKey; onDone: () => void }) {
  const line = useLine(minted);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector("button")?.focus(), []);
  return (
    <div class="form" ref={box}>
      <p role="status">Copy the secret now. Weir keeps only a digest of it, so that it cannot be shown again.</p>
      <div class="secret">
        <code>{minted.key}</code>
        <Copy primary text={minted.key} label="Copy secret" />
      </div>
      <div class="field">
        <div class="row"><span class="label">Try it</span><span class="rest"><Copy text={line} label="Copy curl" /></span></div>
        <pre class="code">{line}</pre>
      </div>
      {minted.warnings.map((warning) => <p key={warning} class="warn">{warning}</p>)}
      <div class="actions"><button onClick={onDone}>Done, I have it</button></div>
    </div>
  );
}

/** A call that the key may make. */
function useLine(key: MintedKey): string {
  const { models, url } = useKnown();
  const model = models.find((one) => !one.includes("*") && (key.models ?? ["*"]).some((pattern) => allows(pattern, one))) ?? "MODEL";
  const body = JSON.stringify({ model, messages: [{ role: "user", content: "Hello!" }] });
  return `curl ${url}/v1/chat/completions -H ${quoted("Authorization: Bearer " + key.key)} -H 'Content-Type: application/json' -d ${quoted(body)}`;
}
