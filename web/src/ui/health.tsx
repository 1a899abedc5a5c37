// The state of a target in words: what keeps requests from it, or that nothing does.
import type { Health } from "../api";
import { percent, plural } from "../format";
import { useKnown } from "../session";
import { clock, hover } from "../time";

type Tone = "good" | "warn" | "bad" | "muted";

/** One thing that there is to say of a target. */
export interface Word {
  text: string;
  tone: Tone;
  until?: Date; // when it may be over
}

/** All that there is to say, the worst first; one word if it is well. */
export function wordsOf(health: Health): Word[] {
  const words: Word[] = [];
  const { credentials, credentials_parked: parked, credentials_resting: resting } = health;
  if (health.breaker === "open") words.push({ text: "breaker open", tone: "bad", ...until(health.open_until) });
  if (health.breaker === "trying") words.push({ text: "being tried", tone: "warn" });
  if (credentials > 0 && parked === credentials) words.push({ text: credentials === 1 ? "credential refused" : "all credentials refused", tone: "bad", ...until(health.credentials_free_at) });
  else if (parked > 0) words.push({ text: `${parked} of ${credentials} credentials refused`, tone: "warn" });
  if (resting > 0) words.push({ text: `${plural(resting, "credential")} at a rate limit`, tone: "warn", ...until(parked + resting === credentials ? health.credentials_free_at : null) });
  if (health.resting_until) words.push({ text: "asked for rest", tone: "warn", ...until(health.resting_until) });
  if (health.full) words.push({ text: "full", tone: "warn", ...until(health.full_until) });
  if (health.down_for.length > 0) words.push({ text: `down for ${plural(health.down_for.length, "key")}`, tone: "warn" });
  if (health.refused_for.length > 0) words.push({ text: `refused ${plural(health.refused_for.length, "key")}`, tone: "warn" });
  return words.length > 0 ? words : [{ text: "well", tone: "good" }];
}

function until(time: string | null): { until?: Date } {
  return time === null ? {} : { until: new Date(time) };
}

/** The marks of tones differ in shape, too. */
const shapes: Record<Tone, string> = { good: "M1 4a3 3 0 1 0 6 0a3 3 0 1 0-6 0", warn: "M4 .5L7.800 7.500H.2z", bad: "M1 1h6v6H1z", muted: "M1 3.200h6v1.600H1z" };

export function Mark({ tone }: { tone: Tone }) {
  return (
    <svg class={`mark ${tone}`} viewBox="0 0 8 8" width="8" height="8" aria-hidden="true"><path d={shapes[tone]} fill="currentColor" /></svg>
  );
}

/** Words, each with its mark, and until when. */
export function Words({ words }: { words: Word[] }) {
  const { zone } = useKnown();
  return (
    <span class="conditions">
      {words.map((word) => (
        <span key={word.text} class={word.tone === "good" ? undefined : word.tone}>
          <Mark tone={word.tone} />
          {word.text}
          {word.until && <span title={hover(word.until)}> until {clock(word.until, zone)}</span>}
        </span>
      ))}
    </span>
  );
}

/** The share of calls that failed, in a cell. A few of a thousand always do. */
export function FailedCell({ row }: { row: { calls: number; failed: number } | undefined }) {
  if (!row) return <td class="num">–</td>;
  const share = row.failed / Math.max(1, row.calls);
  return <td class={share >= 0.1 ? "num bad" : share >= 0.01 ? "num warn" : "num"}>{percent(row.failed, row.calls)}</td>;
}

/** The state of a target; null is that nothing is known. */
export function HealthOf({ health }: { health: Health | null }) {
  return <Words words={health ? wordsOf(health) : [{ text: "not known", tone: "muted" }]} />;
}
