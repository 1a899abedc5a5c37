// Plots over time: stacked bars or lines, each with a legend above, a table that says the same, and a sentence for those who do not see it.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useKnown } from "../session";
import { set } from "../state";
import { day, minute, month } from "../time";
import { others, slotsOf } from "./colors";
import { bars, bucketAt, end, foot, head, height, isOpen, line, middle, places, type Drawing, type Places } from "./draw";
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
          <button class="quiet" onClick={() => setAsTable(!asTable)}>{asTable ? "Plot" : "Table"}</button>
        </div>
      </header>
      {props.note}
      {!props.series.some((one) => one.values.some(Boolean)) ? <div class="state">Nothing in this span.</div> : asTable ? <Twin {...props} zone={zone} /> : <Legended {...props} zone={zone} />}
    </section>
  );
}

export interface Zoned extends PlotProps {
  zone: string;
}

/** When a bucket is, in words. */
function bucket(at: Date, { grain, zone }: Zoned): string {
  return grain === "hour" ? `${day(at, zone)} ${minute(at, zone)}` : grain === "day" ? day(at, zone) : month(at, zone);
}

/** The same as a table. */
function Twin(props: Zoned) {
  const columns: Column<number>[] = [{ key: "at", title: props.grain === "hour" ? "Hour" : props.grain === "day" ? "Day" : "Month", cell: (i) => bucket(props.xs[i] ?? new Date(), props), sort: (i) => i }];
  for (const one of props.series) {
    columns.push({ key: one.name, title: one.label ?? one.name, num: true, cell: (i) => text(one.values[i], props), sort: (i) => one.values[i] ?? -1 });
  }
  return <Table label={props.title + ", as a table"} columns={columns} rows={props.xs.map((_, i) => i)} id={String} sorted="-at" most={100} />;
}

function text(value: number | null | undefined, { format }: PlotProps): string {
  return value === null || value === undefined ? "–" : format(value);
}

function Legended(props: Zoned) {
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

/** What the pointer is at: a bucket, and where it was pressed, if it still is. */
interface Pointer {
  x: number;
  from: number | null;
}

/** The drawing, as wide as its place. Its colours are the style sheet's. */
function Drawn(props: Zoned & { slots: number[] }) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [pointer, setPointer] = useState<Pointer | null>(null);
  useLayoutEffect(() => {
    const measure = () => setWidth(box.current?.clientWidth ?? 0);
    const watcher = new ResizeObserver(measure);
    if (box.current) watcher.observe(box.current);
    measure();
    return () => watcher.disconnect();
  }, []);
  const drawing = { ...props, width };
  const at = useMemo(() => places(drawing), [props.xs, props.series, props.kind, props.zone, width]);
  const index = pointer && bucketAt(at, pointer.x);
  const move = (event: PointerEvent) => setPointer((old) => ({ x: xOf(event), from: old?.from ?? null }));
  const press = (event: PointerEvent) => {
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    box.current?.setPointerCapture(event.pointerId);
    setPointer({ x: xOf(event), from: xOf(event) });
  };
  const release = (event: PointerEvent) => {
    const [from, to] = [pointer?.from ?? null, xOf(event)];
    setPointer({ x: to, from: null });
    if (from !== null && Math.abs(to - from) >= 8) zoom(props, at, Math.min(from, to), Math.max(from, to));
  };
  return (
    <div class="plot" ref={box} role="img" aria-label={sentence(props)} onPointerMove={move} onPointerDown={press} onPointerUp={release} onPointerLeave={() => setPointer(null)}>
      {width > 0 && <Picture d={drawing} at={at} slots={props.slots} index={index} pointer={pointer} />}
      {index !== null && pointer && <Tip {...props} index={index} left={pointer.x} width={width} />}
    </div>
  );
}

function xOf(event: PointerEvent): number {
  return event.clientX - (event.currentTarget as Element).getBoundingClientRect().left;
}

interface PictureProps {
  d: Drawing;
  at: Places;
  slots: number[];
  index: number | null;
  pointer: Pointer | null;
}

function Picture({ d, at, slots, index, pointer }: PictureProps) {
  const color = (i: number) => `var(--series-${slots[i] ?? 8})`;
  const [x, from] = [pointer?.x ?? 0, pointer?.from ?? null];
  return (
    <svg width={d.width} height={height} aria-hidden="true">
      {at.levels.map((level) => (
        <g key={level.at}>
          <path class="grid" d={`M${at.left} ${level.at + 0.5}H${at.right}`} />
          <text class="level" x={at.left - 8} y={level.at + 4}>{level.label}</text>
        </g>
      ))}
      {at.times.map((time) => <text key={time.at} class="time" x={time.at} y={height - 6}>{time.label}</text>)}
      {from !== null && <rect class="picked" x={Math.min(from, x)} width={Math.abs(x - from)} y={head} height={height - foot - head} />}
      {d.series.map((one, i) => d.kind === "bars" ? (
        <g key={one.name} style={{ fill: color(i) }}><path d={bars(d, at, i, false)} /><path class="pale" d={bars(d, at, i, true)} /></g>
      ) : (
        <path key={one.name} class="line" style={{ stroke: color(i) }} d={line(one.values, at)} />
      ))}
      {index !== null && <path class="cursor" d={`M${middle(at, index)} ${head}V${height - foot}`} />}
      {index !== null && d.kind === "lines" && d.series.map((one, i) => {
        const value = one.values[index] ?? null;
        return value !== null && <circle key={one.name} cx={middle(at, index)} cy={at.y(value)} r="3" style={{ fill: color(i) }} />;
      })}
    </svg>
  );
}

/** The buckets that were drawn over become the period. */
function zoom(plot: Zoned, at: Places, from: number, to: number): void {
  const [first, until] = [bucketAt(at, Math.max(from, at.left)), bucketAt(at, Math.min(to, at.right - at.slot / 2))];
  if (first === null || until === null) return; // it was beside the plot
  const text = (time: Date) => time.toISOString().replace(/\.\d+/, "");
  set({ since: text(plot.xs[first] ?? new Date()), until: text(end(plot, until)) });
}

/** The values of the bucket that is pointed at. */
function Tip(props: Zoned & { slots: number[]; index: number; left: number; width: number }) {
  const { series, slots, index, left, width, xs, kind } = props;
  const shown = series.map((one, i) => ({ one, slot: slots[i] ?? 8, value: one.values[index] ?? null })).filter(({ value }) => value !== null && (kind === "lines" || value !== 0));
  const at = xs[index];
  if (!at) return null;
  const sum = shown.reduce((all, { value }) => all + (value ?? 0), 0);
  const toLeft = left > width / 2;
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
