// Colours of series. A name keeps its colour as long as the console is open, whatever else is shown, and names that are seen together have different ones.
const slots = 7; // the eighth is grey, and stands for all others

/** What is called so has the grey. */
export const others = "other";

const given = new Map<string, number>();

/** The slots of names that are seen together, from 1. More than seven names share. */
export function slotsOf(names: string[]): number[] {
  const taken = new Set<number>();
  for (const name of names) {
    const slot = given.get(name);
    if (slot !== undefined) taken.add(slot);
  }
  return names.map((name) => slotOf(name, taken));
}

function slotOf(name: string, taken: Set<number>): number {
  if (name === others) return slots + 1;
  const known = given.get(name);
  if (known !== undefined) return known;
  let slot = hash(name) % slots;
  for (let i = 0; i < slots && taken.has(slot + 1); i++) slot = (slot + 1) % slots;
  taken.add(slot + 1);
  given.set(name, slot + 1);
  return slot + 1;
}

function hash(name: string): number {
  let h = 2166136261;
  for (let i = 0; i < name.length; i++) h = Math.imul(h ^ name.charCodeAt(i), 16777619) >>> 0;
  return h;
}
