// Health over a day in cells of five minutes: of each cell, the part of its calls that failed.
import { useState } from "preact/hooks";
import type { SpeedList } from "../api";
import { count, percent, plural } from "../format";
import { useKnown } from "../session";
import { minute } from "../time";

/** What was counted in five minutes. */
export interface Cell {
  calls: number;
  failed: number;
}

type Row = (Cell | undefined)[]; // undefined: no calls

/** The cells of all strips of a page. */
export interface Cells {
  from: Date; // when the first one of each begins
  length: number;
  of: Map<string, Row>; // by target, and by provider
}

/** The cells of targets and providers, from counts by target and five minutes. */
export function cellsOf({ data, since, until }: SpeedList): Cells {
  const from = new Date(since);
  const length = Math.max(1, Math.round((new Date(until).getTime() - from.getTime()) / step));
  const of = new Map<string, Row>();
  for (const { target = "", at = since, calls, failed } of data) {
    const index = Math.floor((new Date(at).getTime() - from.getTime()) / step);
    for (const name of [target, target.slice(0, target.indexOf("/"))]) {
      let cells = of.get(name);
      if (!cells) of.set(name, (cells = new Array<Cell | undefined>(length).fill(undefined)));
      const before = cells[index] ?? { calls: 0, failed: 0 };
      cells[index] = { calls: before.calls + calls, failed: before.failed + failed };
    }
  }
  return { from, length, of };
}

interface StripProps {
  name: string;
  of: Cells;
}

const step = 5 * 60e3;
const height = 20;
const least = 5; // how high a failure is drawn at least

export function Strip({ name, of: { from, length, of } }: StripProps) {
  const cells = of.get(name) ?? [];
  const { zone } = useKnown();
  const [at, setAt] = useState<{ index: number; share: number } | null>(null);
  const move = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    setAt({ index: Math.min(length - 1, Math.max(0, Math.floor(share * length))), share });
  };
  const begin = (index: number) => minute(new Date(from.getTime() + index * step), zone);
  const cell = at && cells[at.index];
  return (
    <div class="cells" onPointerMove={move} onPointerLeave={() => setAt(null)}>
      <svg viewBox={`0 0 ${length} ${height}`} preserveAspectRatio="none" role="img" aria-label={sentence(name, cells, begin)}>
        <rect class="none" width={length} height="2" y={height - 2} />
        <path class="good" d={bars(cells, ({ calls, failed }) => [failHeight(calls, failed), failed < calls ? height : 0])} />
        <path class="bad" d={bars(cells, ({ calls, failed }) => [0, failHeight(calls, failed)])} />
      </svg>
      {at && (
        <div class="tip" aria-hidden="true" style={at.share > 0.5 ? { right: `${(1 - at.share) * 100 + 2}%` } : { left: `${at.share * 100 + 2}%` }}>
          <div><strong>{begin(at.index)} – {begin(at.index + 1)}</strong></div>
          <div>{cell ? `${plural(cell.calls, "call")}, ${cell.failed === 0 ? "none" : count(cell.failed)} failed` : "no calls"}</div>
        </div>
      )}
    </div>
  );
}

function failHeight(calls: number, failed: number): number {
  return failed === 0 ? 0 : Math.max(least, Math.round((height * failed) / calls));
}

/** One bar for each cell that has calls, from one height down to another, as a path. */
function bars(cells: Row, between: (cell: Cell) => [number, number]): string {
  let path = "";
  cells.forEach((cell, i) => {
    if (!cell || cell.calls === 0) return;
    const [top, bottom] = between(cell);
    if (bottom > top) path += `M${i} ${top}h1V${bottom}h-1z`;
  });
  return path;
}

function sentence(name: string, cells: Row, begin: (index: number) => string): string {
  const [calls, failed] = [cells.reduce((sum, cell) => sum + (cell?.calls ?? 0), 0), cells.reduce((sum, cell) => sum + (cell?.failed ?? 0), 0)];
  const worst = cells.reduce((most, cell, i) => ((cell?.failed ?? 0) > (cells[most]?.failed ?? 0) ? i : most), 0);
  const most = cells[worst]?.failed ?? 0;
  return `${name}, last 24 hours: ${plural(calls, "call")}, ${percent(failed, calls)} failed${most > 0 ? `, most at ${begin(worst)}: ${count(most)} of ${count(cells[worst]?.calls ?? 0)}` : ""}`;
}
