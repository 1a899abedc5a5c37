// Plots over time: stacked bars or lines, each with a legend above, a table that says the same, and a sentence for those who do not see it.
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useKnown } from "../session";
import { set } from "../state";
import { day, minute } from "../time";
import { changes } from "../scheme";
import { others, slotsOf } from "./colors";
import { draw, isOpen, type Drawing } from "./draw";
import { Table, type Column } from "./table";

/** A line or a part of all bars. */
export interface Series {
  name: string;
  label?: string; // how it is shown, if not by its name
  slot?: number; // its colour, where it does not follow from the name
  values: (number | null)[];
}

export interface PlotProps {
  title: string;
  kind: "bars" | "lines";
  grain: "hour" | "day" | "month";
  xs: Date[]; // when each bucket begins
  until: Date; // when the last one ends; a bucket that ends later is not over
  series: Series[];
  format: (value: number) => string;
  axis?: (value: number) => string;
  tools?: ComponentChildren;
  note?: ComponentChildren;
  onPick?: (name: string) => void; // a click in the legend
}

export function Plot(props: PlotProps) {
  const [asTable, setAsTable] = useState(false);
  const { zone } = useKnown();
  return (
    <section class="panel" aria-label={props.title}>
      <header>
        <h2>{props.title}</h2>
        <span class="muted small">{zone}</span>
        <div class="rest">
          {props.tools}
          <button class="quiet" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>{asTable ? "Plot" : "Table"}</button>
        </div>
      </header>
      {props.note}
      {asTable ? <Twin {...props} zone={zone} /> : <Canvas {...props} zone={zone} />}
    </section>
  );
}

interface Zoned extends PlotProps {
  zone: string;
}

/** When a bucket is, in words. */
function bucket(at: Date, { grain, zone }: Zoned): string {
  return grain === "hour" ? `${day(at, zone)} ${minute(at, zone)}` : grain === "day" ? day(at, zone) : at.toLocaleDateString("en-GB", { timeZone: zone, month: "short", year: "numeric" });
}

/** The same as a table. */
function Twin(props: Zoned) {
  const columns: Column<number>[] = [{ key: "at", title: props.grain === "hour" ? "Hour" : props.grain === "day" ? "Day" : "Month", cell: (i) => bucket(props.xs[i] ?? new Date(), props), sort: (i) => i }];
  for (const one of props.series) {
    columns.push({ key: one.name, title: one.label ?? one.name, num: true, cell: (i) => text(one.values[i], props), sort: (i) => one.values[i] ?? -1 });
  }
  return <Table label={props.title + ", as a table"} columns={columns} rows={props.xs.map((_, i) => i)} id={String} sorted="-at" />;
}

function text(value: number | null | undefined, { format }: PlotProps): string {
  return value === null || value === undefined ? "–" : format(value);
}

function Canvas(props: Zoned) {
  const { series, onPick } = props;
  const slots = useMemo(() => slotsOf(series.map((one) => one.name)).map((slot, i) => series[i]?.slot ?? slot), [series]);
  return (
    <>
      <div class="legend">
        {series.map((one, i) => onPick && one.name !== others ? (
          <button key={one.name} title={`Only ${one.label ?? one.name}`} type="button" onClick={() => onPick?.(one.name)}>
            <Swatch slot={slots[i] ?? 8} />
            {one.label ?? one.name}
          </button>
        ) : (
          <span key={one.name}>
            <Swatch slot={slots[i] ?? 8} />
            {one.label ?? one.name}
          </span>
        ))}
      </div>
      <Drawn {...props} slots={slots} />
    </>
  );
}

function Swatch({ slot }: { slot: number }) {
  return <i style={{ background: `var(--series-${slot})` }} />;
}

/** The canvas, drawn anew when the data, the width or the colours change. */
function Drawn(props: Zoned & { slots: number[] }) {
  const box = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<{ index: number; left: number } | null>(null);
  const [scheme, setScheme] = useState(0);
  useEffect(() => {
    const changed = () => setScheme((n) => n + 1);
    changes.addEventListener("scheme", changed);
    return () => changes.removeEventListener("scheme", changed);
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const drawing: Drawing = { ...props, width: element.clientWidth - 16, onPoint: setAt, onZoom: zoom };
    const plot = draw(element, drawing);
    const watcher = new ResizeObserver(() => plot.setSize({ width: element.clientWidth - 16, height: plot.height }));
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      plot.destroy();
    };
  }, [props.xs, props.series, props.kind, props.zone, scheme]);
  return (
    <div class="plot" ref={box} role="img" aria-label={sentence(props)}>
      {at && <Tip {...props} {...at} />}
    </div>
  );
}

/** What was drawn over becomes the period. */
function zoom(from: Date, to: Date): void {
  set({ since: from.toISOString().replace(/\.\d+/, ""), until: to.toISOString().replace(/\.\d+/, "") });
}

/** The values of the bucket that is pointed at. */
function Tip(props: Zoned & { slots: number[]; index: number; left: number }) {
  const { series, slots, index, left, xs, kind } = props;
  const shown = series.map((one, i) => ({ one, slot: slots[i] ?? 8, value: one.values[index] ?? null })).filter(({ value }) => value !== null && (kind === "lines" || value !== 0));
  const at = xs[index];
  if (!at) return null;
  const sum = shown.reduce((all, { value }) => all + (value ?? 0), 0);
  const toLeft = left > 320;
  return (
    <div class="tip" aria-hidden="true" style={toLeft ? { right: `calc(100% - ${left - 12}px)` } : { left: `${left + 12}px` }}>
      <div>
        <strong>{bucket(at, props)}</strong>
        {kind === "bars" && <b>{props.format(sum)}</b>}
      </div>
      {shown.map(({ one, slot, value }) => (
        <div key={one.name}>
          <Swatch slot={slot} />
          {one.label ?? one.name}
          <b>{text(value, props)}</b>
        </div>
      ))}
      {isOpen(props, index) && <div class="muted">not over yet</div>}
    </div>
  );
}

/** What a plot shows, in a sentence. */
function sentence(props: Zoned): string {
  const { title, xs, series, kind } = props;
  const [first, last] = [xs[0], xs[xs.length - 1]];
  if (!first || !last) return `${title}: nothing`;
  const sums = xs.map((_, i) => (kind === "bars" ? series.reduce((all, one) => all + (one.values[i] ?? 0), 0) : Math.max(0, ...series.map((one) => one.values[i] ?? 0))));
  const highest = sums.indexOf(Math.max(...sums));
  return `${title}, ${bucket(first, props)} to ${bucket(last, props)}, highest ${props.format(sums[highest] ?? 0)} on ${bucket(xs[highest] ?? last, props)}`;
}
