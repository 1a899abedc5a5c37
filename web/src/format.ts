// How figures are written. Money is an exact number of billionths of a dollar, and is never shown as nothing when it is something.

const perDollar = 1_000_000_000n;

/** An amount in nanodollars, as dollars with at least that many decimals: more, where fewer would show $0.00. */
export function money(nanodollars: number | bigint, decimals = 2): string {
  const exact = typeof nanodollars === "bigint" ? nanodollars : BigInt(Math.round(nanodollars));
  if (exact === 0n) return decimals > 2 ? "$0" : `$${"0." + "0".repeat(decimals)}`.replace(/\.$/, "");
  const sign = exact < 0n ? "−" : "";
  const amount = exact < 0n ? -exact : exact;
  const places = amount === 0n ? decimals : Math.max(decimals, needed(amount));
  const unit = 10n ** BigInt(9 - places);
  const rounded = (amount + unit / 2n) / unit;
  const scale = 10n ** BigInt(places);
  const fraction = places === 0 ? "" : "." + (rounded % scale).toString().padStart(places, "0");
  return `${sign}$${grouped(rounded / scale)}${fraction}`;
}

/** How many decimals show two digits of an amount below a cent. */
function needed(amount: bigint): number {
  if (amount >= perDollar / 100n) return 0;
  return Math.min(9, 9 - amount.toString().length + 2);
}

/** An amount with all its digits. */
export function exactMoney(nanodollars: number): string {
  if (Math.round(nanodollars) === 0) return "$0.00";
  const text = money(nanodollars, 9).replace(/0+$/, "");
  return text.endsWith(".") ? text + "00" : text.replace(/\.(\d)$/, ".$10");
}

/** An amount for an axis or a tile: short. */
export function shortMoney(nanodollars: number): string {
  const dollars = nanodollars / 1e9;
  return Math.abs(dollars) >= 10_000 ? "$" + short(dollars) : money(nanodollars, dollars !== 0 && Math.abs(dollars) < 10 ? 2 : 0);
}

function grouped(whole: bigint): string {
  return whole.toString().replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A whole number with all its digits. */
export function count(n: number): string {
  return grouped(BigInt(Math.round(n))).replace("-", "−");
}

/** A number in three digits: 3.91 B. */
export function short(n: number): string {
  for (const [size, unit] of [[1e12, "T"], [1e9, "B"], [1e6, "M"], [1e4, "k"]] as const) {
    if (Math.abs(n) >= size) {
      const scaled = n / (unit === "k" ? 1e3 : size);
      return `${digits(scaled)} ${unit}`;
    }
  }
  return count(n);
}

function digits(n: number): string {
  const whole = Math.floor(Math.abs(n)).toString().length;
  return n.toFixed(Math.max(0, 3 - whole));
}

/** A share of a whole: 1.21 %. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return "0 %";
  const share = (part / whole) * 100;
  if (share !== 0 && share < 0.01) return "< 0.01 %";
  return `${share.toFixed(share < 10 && share % 1 !== 0 ? 2 : share < 100 && share % 1 !== 0 ? 1 : 0)} %`;
}

/** By how much a figure differs from the one before; "" where that says nothing. */
export function change(now: number, before: number): string {
  if (before === 0) return "";
  const by = ((now - before) / before) * 100;
  if (Math.abs(by) >= 1000) return `${by > 0 ? "+" : "−"}${digits(Math.abs(now / before))}×`;
  return `${by < 0 ? "−" : "+"}${Math.abs(by).toFixed(Math.abs(by) < 10 ? 1 : 0)} %`;
}

/** A time of microseconds. */
export function duration(us: number | null): string {
  if (us === null) return "–";
  if (us < 1000) return `${us} µs`;
  if (us < 1e6) return `${us < 10_000 ? (us / 1000).toFixed(1) : Math.round(us / 1000)} ms`;
  if (us < 60e6) return `${(us / 1e6).toFixed(2)} s`;
  const seconds = Math.round(us / 1e6);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A time for an axis. */
export function shortDuration(us: number): string {
  if (us < 1e6) return `${+(us / 1000).toFixed(3)} ms`;
  return us < 120e6 ? `${+(us / 1e6).toFixed(1)} s` : `${+(us / 60e6).toFixed(2)} min`;
}

/** One thing or several of them. */
export function plural(n: number, one: string, several = one + "s"): string {
  return `${count(n)} ${n === 1 ? one : several}`;
}
