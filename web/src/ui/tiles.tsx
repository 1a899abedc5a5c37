// Figures side by side, each with what it means.
import type { ComponentChildren } from "preact";

export function Tiles({ children }: { children: ComponentChildren }) {
  return <dl class="panel tiles">{children}</dl>;
}

interface TileProps {
  label: string;
  figure: string;
  hint?: string; // the figure with all its digits
  tone?: "" | "good" | "warn" | "bad";
  children?: ComponentChildren;
}

export function Tile({ label, figure, hint, tone = "", children }: TileProps) {
  return (
    <div class="tile">
      <dt>{label}</dt>
      <dd class={`figure ${tone}`} title={hint}>{figure}</dd>
      <dd class="note">{children}</dd>
    </div>
  );
}
