// Times in the time zone of the config. Everything that is shown as a time comes from here.

/** A span as the API takes it: how long ago, a date, or a date-time. until is "" for now. */
export interface Period {
  since: string;
  until: string;
}

/** A period that is chosen by name. */
export interface Preset extends Period {
  label: string;
}

const defaultSince = "7d";
const formats = new Map<string, Intl.DateTimeFormat>();

function format(zone: string, style: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = zone + style;
  let found = formats.get(name);
  if (!found) formats.set(name, (found = new Intl.DateTimeFormat("en-GB", { timeZone: zone, hourCycle: "h23", ...options })));
  return found;
}

/** 14:02:11 */
export function clock(at: Date, zone: string): string {
  return format(zone, "clock", { hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(at);
}

/** 14:02 */
export function minute(at: Date, zone: string): string {
  return format(zone, "minute", { hour: "2-digit", minute: "2-digit" }).format(at);
}

/** 18 Nov */
export function day(at: Date, zone: string): string {
  return format(zone, "day", { day: "numeric", month: "short" }).format(at);
}

/** Nov 2026 */
export function month(at: Date, zone: string): string {
  return format(zone, "month", { month: "short", year: "numeric" }).format(at);
}

/** 18 Nov 14:02:11 */
export function moment(at: Date, zone: string): string {
  return `${day(at, zone)} ${clock(at, zone)}`;
}

/** 18 Nov 2026 14:02 */
export function dateTime(at: Date, zone: string): string {
  return format(zone, "full", { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" }).format(at).replace(",", "");
}

/** 18 Nov 2026 */
export function date(at: Date, zone: string): string {
  return format(zone, "date", { day: "numeric", month: "short", year: "numeric" }).format(at);
}

/** What a time says when it is pointed at: ISO, and how long ago that was or how far ahead it is. */
export function hover(at: Date, now = new Date()): string {
  const past = now.getTime() - at.getTime();
  return past < 0 ? `${at.toISOString()}, in ${age(-past)}` : `${at.toISOString()}, ${age(past)} ago`;
}

/** A time that has passed, in its two largest units. */
export function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const units: [number, string][] = [[86_400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
  const first = units.findIndex(([size]) => seconds >= size);
  if (first < 0) return "0 s";
  return units
    .slice(first, first + 2)
    .map(([size, unit], i) => [Math.floor((i === 0 ? seconds : seconds % (units[first]?.[0] ?? 1)) / size), unit] as const)
    .filter(([n]) => n > 0)
    .map(([n, unit]) => `${n} ${unit}`)
    .join(" ");
}

/** How far the zone's clock is ahead of UTC at an instant, in milliseconds. */
function ahead(at: number, zone: string): number {
  const parts = Object.fromEntries(
    format(zone, "parts", { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" })
      .formatToParts(at)
      .map((part) => [part.type, Number(part.value)]),
  ) as Record<string, number>;
  const local = Date.UTC(parts.year ?? 0, (parts.month ?? 1) - 1, parts.day, parts.hour, parts.minute, parts.second);
  return local - Math.floor(at / 1000) * 1000;
}

/** The instant of a local time, such as 2026-11-18T14:00; of a date, its first. */
export function instant(local: string, zone: string): Date {
  const asUTC = Date.parse(local.length === 10 ? local + "T00:00Z" : local + "Z");
  const guess = asUTC - ahead(asUTC, zone);
  return new Date(asUTC - ahead(guess, zone));
}

/** The local time of an instant, as 2026-11-18T14:00, which is what inputs take. */
export function local(at: Date, zone: string): string {
  return new Date(at.getTime() + ahead(at.getTime(), zone)).toISOString().slice(0, 16);
}

/** The period that the URL names. */
export function periodOf(params: URLSearchParams): Period {
  return { since: params.get("since") ?? defaultSince, until: params.get("until") ?? "" };
}

/** Periods by name, as of now. */
export function presets(zone: string, now = new Date()): Preset[] {
  const today = local(now, zone).slice(0, 10);
  const month = today.slice(0, 8) + "01";
  return [
    { label: "Last hour", since: "1h", until: "" },
    { label: "Last 24 hours", since: "24h", until: "" },
    { label: "Last 7 days", since: "7d", until: "" },
    { label: "Last 30 days", since: "30d", until: "" },
    { label: "Last 90 days", since: "90d", until: "" },
    { label: "Today", since: today, until: "" },
    { label: "This month", since: month, until: "" },
    { label: "Last month", since: monthBefore(month), until: month },
  ];
}

function monthBefore(month: string): string {
  const date = new Date(month + "T00:00Z");
  date.setUTCMonth(date.getUTCMonth() - 1);
  return date.toISOString().slice(0, 10);
}

const sizes: Record<string, number> = { m: 60e3, h: 3600e3, d: 86_400e3, w: 7 * 86_400e3 };

/** The instants of a period. */
export function bounds(period: Period, zone: string, now = new Date()): { from: Date; to: Date } {
  return { from: point(period.since, zone, now), to: period.until === "" ? now : point(period.until, zone, now) };
}

function point(text: string, zone: string, now: Date): Date {
  const ago = /^(\d+)([mhdw])$/.exec(text);
  if (ago) return new Date(now.getTime() - Number(ago[1]) * (sizes[ago[2] ?? "d"] ?? 0));
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? instant(text, zone) : new Date(text);
}

/** The period of the same length that ends where this one begins. Now is the last full hour, so that the answer stays the same for a while. */
export function before(period: Period, zone: string, now = new Date(Math.floor(Date.now() / 3600e3) * 3600e3)): Period {
  const { from, to } = bounds(period, zone, now);
  return { since: new Date(2 * from.getTime() - to.getTime()).toISOString(), until: from.toISOString() };
}

/** Into what a plot of the period is divided. */
export function grainOf(period: Period, zone: string): "hour" | "day" | "month" {
  const { from, to } = bounds(period, zone);
  const days = (to.getTime() - from.getTime()) / 86_400e3;
  return days <= 8 ? "hour" : days <= 400 ? "day" : "month";
}

/** Into about how many parts. */
export function bucketsIn(period: Period, grain: "hour" | "day" | "month", zone: string): number {
  const { from, to } = bounds(period, zone);
  return Math.max(1, Math.ceil((to.getTime() - from.getTime()) / { hour: 3600e3, day: 86_400e3, month: 30 * 86_400e3 }[grain]));
}

/** How a period is called. */
export function nameOf(period: Period, zone: string): string {
  const preset = presets(zone).find((one) => one.since === period.since && one.until === period.until);
  if (preset) return preset.label;
  const { from, to } = bounds(period, zone);
  return `${dateTime(from, zone)} – ${period.until === "" ? "now" : dateTime(to, zone)}`;
}
