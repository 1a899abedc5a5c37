// Search in the manual: which sections have all words, the best first.

/** What search.js has of a page: the sections of a page in their order, of which the first has no heading. */
export type Searched = [path: string, title: string, sections: [anchor: string, heading: string, text: string][]];

export interface Hit {
  path: string;
  title: string;
  anchor: string;
  heading: string;
  around: [before: string, word: string, after: string]; // a place where the first word is
  worth: number;
}

const most = 12;
const mostOfPage = 3;

/** The sections that have all words of a text. */
export function find(all: Searched[], text: string): Hit[] {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return [];
  const hits = all.flatMap(([path, title, sections]) =>
    sections
      .map(([anchor, heading, content]) => ({ path, title, anchor, heading, around: around(content, words[0] ?? ""), worth: worth(words, [title, heading, content], path) }))
      .filter((hit) => hit.worth > 0)
      .sort((a, b) => b.worth - a.worth)
      .slice(0, mostOfPage),
  );
  return hits.sort((a, b) => b.worth - a.worth).slice(0, most);
}

/** What a section is worth: 0 if it lacks a word. A word in a title counts more than one in a heading, that more than one in the text, and a whole word more than a
    part of one. Records of decisions come after what they decide. */
function worth(words: string[], [title = "", heading = "", content = ""]: string[], path: string): number {
  let sum = 0;
  for (const word of words) {
    const one = 12 * place(title, word) * (heading === "" ? 2 : 1) + 8 * place(heading, word) + 2 * place(content, word) + Math.min(3, content.toLowerCase().split(word).length - 1);
    if (one === 0) return 0;
    sum += one;
  }
  return path.startsWith("decisions/") ? sum / 4 : path.startsWith("how-it-works/") ? sum * 0.75 : sum;
}

/** 2 for a whole word, 1 for a part of one, 0 if it is missing. */
function place(text: string, word: string): number {
  const low = text.toLowerCase();
  for (let at = low.indexOf(word), best = 0; ; at = low.indexOf(word, at + 1)) {
    if (at < 0) return best;
    if (!/[\p{L}\p{N}]/u.test(low[at - 1] ?? " ") && !/[\p{L}\p{N}]/u.test(low[at + word.length] ?? " ")) return 2;
    best = 1;
  }
}

/** The text around a word, about a line of it; the text's beginning if it lacks the word. */
function around(content: string, word: string): [string, string, string] {
  const at = content.toLowerCase().indexOf(word);
  if (at < 0) return [content.slice(0, 120) + (content.length > 120 ? "…" : ""), "", ""];
  const from = Math.max(0, at - 40);
  const before = from > 0 ? "…" + content.slice(content.indexOf(" ", from) + 1 || from, at) : content.slice(0, at);
  const end = Math.min(content.length, at + word.length + 90);
  return [content.indexOf(" ", from) < at ? before : "…", content.slice(at, at + word.length), content.slice(at + word.length, end) + (end < content.length ? "…" : "")];
}
