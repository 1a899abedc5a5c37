// Models as the config file spells them.
import type { Model } from "./api";

/** What the file would say of a model, as far as the API knows. */
export function yamlOf(model: Model): string {
  const lines = ["models:", `  ${word(model.id)}:`, `    targets: [${model.targets.map(({ target }) => word(target)).join(", ")}]`];
  if (model.policy !== "ordered") lines.push(`    policy: ${model.policy}`);
  if (model.sticky !== "none") lines.push(`    sticky: ${model.sticky}`);
  const [first, ...others] = model.fallbacks.map(({ on, to }) => `{on: [${on.join(", ")}], to: [${to.map(word).join(", ")}]}`);
  if (first !== undefined) lines.push(`    fallbacks: ${others.length === 0 ? first : `[${[first, ...others].join(", ")}]`}`);
  return lines.join("\n") + "\n";
}

/** A scalar that YAML takes for text, within a list, too. */
export function word(text: string): string {
  return /^[A-Za-z_/][\w./~@+-]*(?: [\w./~@+-]+)*$/.test(text) && !/^(true|false|null|yes|no|on|off|~)$/i.test(text) ? text : JSON.stringify(text);
}
