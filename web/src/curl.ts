// What is pasted to be explained: the body of a request, or the curl command that sends it.

/** A request as far as it matters. key is the id within an API key: the key itself is not kept. */
export interface Pasted {
  body: Record<string, unknown>;
  key: string | null;
}

/** Reads a body, or a command of curl with one. Throws an Error that says what is wrong. */
export function read(text: string): Pasted {
  if (!/^\s*(\$\s*)?curl\s/.test(text)) return { body: object(text), key: null };
  const words = split(text);
  const body = dataOf(words);
  if (body === null) throw new Error("The command sends no body: there is no -d, --data or --json in it.");
  if (/^@/.test(body)) throw new Error(`The body is in the file ${body.slice(1)}: paste what is in it.`);
  return { body: object(body), key: keyIn(text) };
}

/** The text without credentials: of an API key of Weir its id is left. */
export function withoutKeys(text: string): string {
  return text.replace(/(sk-weir-[A-Za-z0-9]{12})-[A-Za-z0-9_-]+/g, "$1-…").replace(/((?:bearer|x-api-key:|api-key:)\s+)(?!sk-weir-)[^\s'"$]+/gi, "$1…");
}

/** The id in an API key. It may be shown to anybody. */
function keyIn(text: string): string | null {
  return /sk-weir-([A-Za-z0-9]{12})-/.exec(text)?.[1] ?? null;
}

function object(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("A request is a JSON object: it begins with {.");
  return value as Record<string, unknown>;
}

const long = ["--data", "--data-raw", "--data-binary", "--data-ascii", "--json"];

/** What the command sends; several parts are joined as curl joins them. */
function dataOf(words: string[]): string | null {
  const parts: string[] = [];
  words.forEach((word, i) => {
    const named = long.find((flag) => word.startsWith(flag + "="));
    if (word === "-d" || long.includes(word)) parts.push(words[i + 1] ?? "");
    else if (named !== undefined) parts.push(word.slice(named.length + 1));
    else if (/^-d./.test(word)) parts.push(word.slice(2));
  });
  return parts.length === 0 ? null : parts.join(words.some((word) => /^--json/.test(word)) ? "" : "&");
}

const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r" };

/** The words of a command, as a shell reads them: quotes, $'…' and ends of lines with a backslash. Variables stay as they are. */
export function split(text: string): string[] {
  const words: string[] = [];
  const part = /\\\r?\n|\s+|\$'((?:[^'\\]|\\[^])*)'|'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([^\s'"\\])/gy;
  let word: string | null = null;
  let at = 0;
  for (const found of text.matchAll(part)) {
    const [all, ansi, single, double, escaped, plain] = found;
    at = found.index + all.length;
    if (all.startsWith("\\\n") || all.startsWith("\\\r")) continue;
    const piece = ansi?.replace(/\\([^])/g, (_, one: string) => escapes[one] ?? one) ?? single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? plain;
    if (piece !== undefined) word = (word ?? "") + piece;
    else if (word !== null) {
      words.push(word);
      word = null;
    }
  }
  if (at < text.length) throw new Error("A quotation mark of the command is not closed.");
  return word === null ? words : [...words, word];
}
