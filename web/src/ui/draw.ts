// Where things are in a plot: its levels, times, bars and lines, in pixels. Every bucket has the same width, so that plots below each other agree.
import { after } from "../series";
import { day, minute, month } from "../time";
import type { PlotProps, Zoned } from "./plot";

/** What is drawn, and in which width. */
export interface Drawing extends Zoned {
  width: number;
}

/** The places of a plot. */
export interface Places {
  left: number; // where the first bucket begins
  right: number; // where the last one ends
  slot: number; // the width of a bucket
  levels: { at: number; label: string }[]; // of the axis of values
  times: { at: number; label: string }[]; // of the axis of time
  y: (value: number) => number;
}

/** The rooms above and below the bars, and the height of all. */
export const head = 8;
export const foot = 24;
export const height = 200;

const margin = 20; // at the right, for the last label
const digit = 7.6; // about the width of one in the labels
const apart = 64; // how far labels of times are from each other at least

export function places(d: Drawing): Places {
  const most = Math.max(0, ...(d.kind === "bars" ? d.xs.map((_, i) => sumAt(d, i, d.series.length)) : d.series.flatMap((one) => one.values.map((value) => value ?? 0))));
  const top = most > 0 ? most * 1.06 : 1;
  const y = (value: number) => Math.round(height - foot - (value / top) * (height - foot - head));
  const label = d.axis ?? d.format;
  const levels = levelsTo(top).map((value) => ({ at: y(value), label: value === 0 ? "0" : label(value) }));
  const left = Math.ceil(Math.max(1, ...levels.map((level) => level.label.length)) * digit) + 16;
  const slot = Math.max(1, d.width - left - margin) / Math.max(1, d.xs.length);
  return { left, right: left + slot * d.xs.length, slot, levels, times: times(d, left, slot), y };
}

/** Round values from 0 to at most top, up to five of them. What is drawn are whole numbers, and so are these: labels would round others. */
function levelsTo(top: number): number[] {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(top / 4)));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => Number.isInteger(size) && top / size < 5) ?? top;
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, i) => i * step);
}

/** Labels of times: the day where it begins, else the hour; or each so many days or months. */
function times({ xs, grain, zone }: Drawing, left: number, slot: number): Places["times"] {
  const every = Math.ceil(apart / slot);
  const found: Places["times"] = [];
  const add = (i: number, label: string) => {
    const at = left + (grain === "hour" ? i : i + 0.5) * slot; // an hour begins at its label, a day has it in its middle
    if (at - (found.at(-1)?.at ?? -apart) >= apart * 0.75) found.push({ at, label });
  };
  if (grain !== "hour") {
    xs.forEach((at, i) => i % every === 0 && add(i, grain === "day" ? day(at, zone) : month(at, zone)));
    return found;
  }
  const hours = [1, 2, 3, 4, 6, 8, 12].find((step) => step >= every) ?? 24;
  const days = Math.ceil(every / 24);
  let [begun, before] = [0, ""];
  xs.forEach((at, i) => {
    const [clock, date] = [minute(at, zone), day(at, zone)];
    if (i === 0 ? clock === "00:00" : date !== before) begun++ % days === 0 && add(i, date); // a day can begin at 01:00
    else if (Number(clock.slice(0, 2)) % hours === 0) add(i, clock);
    before = date;
  });
  return found;
}

/** What the first so many series add up to in a bucket. */
function sumAt({ series }: PlotProps, bucket: number, upTo: number): number {
  return series.slice(0, upTo).reduce((sum, one) => sum + (one.values[bucket] ?? 0), 0);
}

/** The bars of a series, above those of the series before it, as a path: of the buckets whose time is over, or of the others. */
export function bars(d: Drawing, { left, slot, y }: Places, series: number, open: boolean): string {
  const wide = Math.max(1, Math.min(48, Math.floor(slot * 0.8)));
  let path = "";
  d.series[series]?.values.forEach((value, i) => {
    if (!value || isOpen(d, i) !== open) return;
    const below = sumAt(d, i, series);
    path += `M${Math.round(left + (i + 0.5) * slot - wide / 2)} ${y(below)}V${y(below + value)}h${wide}V${y(below)}z`;
  });
  return path;
}

/** A line through the middles of buckets, as a path. It breaks where there is no value; one value alone is a dot. */
export function line(values: (number | null)[], places: Places): string {
  let path = "";
  values.forEach((value, i) => {
    if (value === null) return;
    const begins = i === 0 || values[i - 1] === null;
    path += `${begins ? "M" : "L"}${middle(places, i)} ${places.y(value)}${begins ? "h0" : ""}`;
  });
  return path;
}

export function middle({ left, slot }: Places, bucket: number): number {
  return Math.round((left + (bucket + 0.5) * slot) * 10) / 10;
}

/** The bucket at a place, or null beside them. */
export function bucketAt({ left, right, slot }: Places, x: number): number | null {
  return x < left || x >= right ? null : Math.floor((x - left) / slot);
}

/** When a bucket ends. */
export function end({ xs, grain, zone }: Zoned, bucket: number): Date {
  return xs[bucket + 1] ?? after(xs[bucket] ?? new Date(0), grain, zone);
}

/** Whether the time of a bucket is not over. */
export function isOpen(plot: Zoned, bucket: number): boolean {
  return end(plot, bucket) > plot.until;
}
