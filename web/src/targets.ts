// Why a target is tried late or not at all, in words, as weir explain says it.
import type { Prospect } from "./api";
import { age } from "./time";

/** Why a target is skipped. */
export const skips: Record<NonNullable<Prospect["skip"]>, string> = {
  no_images: "it reads no images",
  no_audio: "it takes no audio",
  no_files: "it reads no files",
  no_tools: "it calls no tools",
  no_schema: "it does not answer by a schema",
  no_prefill: "it does not go on with an answer that was begun",
  prompt_too_long: "the prompt is too long for it",
  no_endpoint: "its provider does not have this endpoint, or no such model",
  unsendable: "something in the request has no place there, or would be lost, which strict mode forbids",
  down: "it failed too often, and another request is probing whether it is well",
  full: "it has as many requests as it may have",
  no_credential: "its provider refused all credentials",
  budget: "a budget has no room for a call there",
  no_price: "what it costs is unknown, and a budget in dollars applies",
};

/** What there is to say of a target's turn; "" for one that is simply next. */
export function why(target: Prospect, now: Date): string {
  switch (true) {
    case target.skip !== null:
      return whySkipped(target, target.skip as NonNullable<Prospect["skip"]>, now);
    case target.probe:
      return "it failed before: this request would probe whether it is well";
    case target.resting_until !== null:
      return `it asked to be left alone for another ${left(target.resting_until, now)}`;
    case target.last:
      return "it fails for other keys: it is tried when no other target, and no fallback, is left";
    case target.refused_for.length > 0:
      return `its provider refused all credentials for ${target.refused_for.join(", ")}`;
    case target.down_for.length > 0:
      return `it failed too often for ${target.down_for.join(", ")}`;
    case target.credentials_free_at !== null:
      return "no credential is free; one is tried all the same";
    default:
      return "";
  }
}

function whySkipped(target: Prospect, skip: NonNullable<Prospect["skip"]>, now: Date): string {
  if (skip === "down" && target.open_until !== null) return `it failed too often; its breaker is open for another ${left(target.open_until, now)}`;
  if (skip === "full" && target.full_until !== null) return `it has as many requests as its vendor allows a minute, for another ${left(target.full_until, now)}`;
  return target.barred ?? skips[skip];
}

function left(until: string | null, now: Date): string {
  return age(Math.max(1000, new Date(until ?? now).getTime() - now.getTime()));
}
