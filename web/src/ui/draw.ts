// How uPlot draws: no legend of its own, 24-hour times in the zone of the config, no grid across time, bars that are hollow where time is not over.
import uPlot from "uplot";
import { colorOf } from "./colors";
import type { PlotProps } from "./plot";

export interface Drawing extends PlotProps {
  zone: string;
  slots: number[];
  width: number;
  onPoint: (at: { index: number; left: number } | null) => void;
  onZoom: (from: Date, to: Date) => void;
}

const height = 200;
const font = "12px system-ui, sans-serif";

export function draw(element: HTMLElement, d: Drawing): uPlot {
  return new uPlot(options(d), data(d), element);
}

/** Times in seconds, then the series. Stacked ones are sums, the highest first, since what is drawn later covers it. */
function data(d: Drawing): uPlot.AlignedData {
  const xs = d.xs.map((at) => at.getTime() / 1000);
  if (d.kind === "lines") return [xs, ...d.series.map((one) => one.values)];
  const sums = xs.map(() => 0);
  const stacked = d.series.map((one) => one.values.map((value, i) => (sums[i] = (sums[i] ?? 0) + (value ?? 0))));
  // A sum without a part of its own would be a line below the others.
  return [xs, ...stacked.map((sum, s) => sum.map((value, i) => (d.series[s]?.values[i] ? value : null))).toReversed()];
}

function options(d: Drawing): uPlot.Options {
  const drawn = d.kind === "bars" ? d.slots.toReversed() : d.slots;
  return {
    width: Math.max(d.width, 100),
    height,
    padding: [8, 20, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: d.kind === "lines" }, drag: { x: true, y: false, setScale: false, uni: 8 } },
    tzDate: (ts) => uPlot.tzDate(new Date(ts * 1000), d.zone),
    scales: { x: { time: true, range: (_, min, max) => reach(d, min, max) }, y: { range: (_, __, max) => [0, max > 0 ? max * 1.06 : 1] } },
    axes: axes(d),
    series: [{}, ...drawn.map((slot) => (d.kind === "bars" ? bar(d, slot) : line(colorOf(`var(--series-${slot})`))))],
    hooks: { setSelect: [(u) => select(u, d)], setCursor: [(u) => point(u, d)] },
  };
}

/** Bars stand after their time, so that the last one needs room. */
function reach(d: Drawing, min: number, max: number): [number, number] {
  if (d.kind === "lines" && d.xs.length > 1) return [min, max];
  return [min, Math.max(max + width(d), min + 1)];
}

/** How long a bucket is, in seconds. */
function width(d: Pick<PlotProps, "xs" | "grain">): number {
  const [a, b] = d.xs;
  if (a && b) return (b.getTime() - a.getTime()) / 1000;
  return d.grain === "hour" ? 3600 : d.grain === "day" ? 86_400 : 30 * 86_400;
}

function axes(d: Drawing): uPlot.Axis[] {
  const [muted, line] = [colorOf("var(--muted)"), colorOf("var(--hairline)")];
  const shared = { stroke: muted, font, ticks: { show: false } };
  const label = d.axis ?? d.format;
  return [
    { ...shared, size: 24, gap: 6, grid: { show: false }, space: 64, values: (_, splits) => times(splits, d) },
    { ...shared, gap: 8, size: (u, values) => measure(u, values), grid: { stroke: line, width: 1 }, space: 40, values: (_, splits) => splits.map((value) => (value === 0 ? "0" : label(value))) },
  ];
}

/** The axis is as wide as its longest label. */
function measure(u: uPlot, values: string[] | null): number {
  u.ctx.save();
  u.ctx.font = font;
  const widest = Math.max(0, ...(values ?? []).map((text) => u.ctx.measureText(text).width));
  u.ctx.restore();
  return Math.ceil(widest) + 16;
}

/** Labels of the axis of time: the day where it begins, else the hour. */
function times(splits: number[], d: Drawing): string[] {
  const step = (splits[1] ?? 0) - (splits[0] ?? 0);
  const show = (style: Intl.DateTimeFormatOptions, at: number) => new Date(at * 1000).toLocaleString("en-GB", { timeZone: d.zone, hourCycle: "h23", ...style });
  const dayOf = (at: number) => show({ day: "numeric", month: "short" }, at);
  if (step >= 28 * 86_400) return splits.map((at) => show({ month: "short", year: "numeric" }, at));
  if (step >= 86_400) return splits.map(dayOf);
  return splits.map((at) => {
    const clock = show({ hour: "2-digit", minute: "2-digit" }, at);
    return clock === "00:00" ? dayOf(at) : clock;
  });
}

function line(color: string): uPlot.Series {
  return { stroke: color, width: 1.5, points: { show: false }, spanGaps: false };
}

/** Whether the time of a bucket is not over. */
export function isOpen({ xs, until, grain }: PlotProps, index: number): boolean {
  const at = xs[index];
  return at !== undefined && at.getTime() + width({ xs, grain }) * 1000 > until.getTime();
}

/** Bars; those whose time is not over are pale. */
function bar(d: Drawing, slot: number): uPlot.Series {
  const [color, pale] = [colorOf(`var(--series-${slot})`), colorOf(`color-mix(in srgb, var(--series-${slot}) 35%, var(--panel))`)];
  const fills = d.xs.map((_, i) => (isOpen(d, i) ? pale : color));
  return {
    fill: color,
    width: 0,
    points: { show: false },
    paths: uPlot.paths.bars?.({
      align: 1,
      size: [0.8, 48],
      disp: { fill: { unit: 3, values: () => fills } },
    }) as uPlot.Series.PathBuilder,
  };
}

function select(u: uPlot, d: Drawing): void {
  if (u.select.width < 8) return;
  const at = (pixels: number) => new Date(u.posToVal(pixels, "x") * 1000);
  d.onZoom(floor(at(u.select.left), d), floor(at(u.select.left + u.select.width), d, true));
  u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
}

/** The bucket that an instant is in: its begin, or its end. */
function floor(at: Date, d: Drawing, end = false): Date {
  let index = d.xs.findLastIndex((x) => x <= at);
  if (index < 0) index = 0;
  const begin = d.xs[index] ?? at;
  if (!end) return begin;
  return d.xs[index + 1] ?? new Date(begin.getTime() + width(d) * 1000);
}

function point(u: uPlot, d: Drawing): void {
  const { left } = u.cursor;
  if (left === undefined || left < 0) return d.onPoint(null);
  const index = d.kind === "bars" ? d.xs.findLastIndex((x) => x.getTime() / 1000 <= u.posToVal(left, "x")) : (u.cursor.idx ?? -1);
  d.onPoint(index < 0 ? null : { index, left: left + u.bbox.left / devicePixelRatio + 8 });
}

