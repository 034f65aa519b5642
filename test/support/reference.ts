/** The contents of the reference, read from its HTML. */
import { LANGUAGES, type Language } from "../../src/site/pages/programs.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** The text of some HTML: what a reader sees, and what is copied. */
export function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, "")
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}

/** A section; "" if the page has none of this id. */
export function sectionOf(page: string, id: string): string {
  return new RegExp(`<section id="${id}">.*?</section>`, "s").exec(page)?.[0] ?? "";
}

export interface Row {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly words: string;
}

/** The rows of parameters, fields and errors. */
export function rowsIn(html: string): Row[] {
  const rows = html.matchAll(
    /<div class="row" id="([^"]+)"><dt><a [^>]*>(.*?)<\/a>(.*?)<\/dt><dd>(.*?)<(?:\/dd|dl)>/gs,
  );
  return [...rows].map(([, id = "", name = "", kind = "", words = ""]) => ({
    id,
    name,
    kind: textOf(kind).trim(),
    words: textOf(words),
  }));
}

export interface ShownExample {
  /** Of the request, below the base address. */
  readonly rest: string;
  readonly programs: Readonly<Partial<Record<Language, string>>>;
  /** The answer's JSON, or null where none is shown. */
  readonly answer: string | null;
  /** What is said below the answer. */
  readonly note: string;
}

/** The examples, each a panel with programs and one with an answer; a panel that is neither is left out. */
export function examplesIn(html: string): ShownExample[] {
  const panels = html.split('<div class="panel">').slice(1);
  return panels.flatMap((panel, at) => {
    const programs = LANGUAGES.flatMap(([language]) => {
      const found = new RegExp(`<pre class="program ${language}">(.*?)</pre>`, "s").exec(panel);
      return found === null ? [] : [[language, textOf(found[1] ?? "")] as const];
    });
    if (programs.length === 0) return [];
    const next = panels[at + 1] ?? "";
    const answer = /<pre class="answer"[^>]*>(.*?)<\/pre>/s.exec(next)?.[1];
    const note = answer === undefined ? "" : (/<p class="cut">(.*?)<\/p>/s.exec(next)?.[1] ?? "");
    return [
      {
        rest: textOf(/<legend[^>]*>[^/]*\/(.*?)<\/legend>/.exec(panel)?.[1] ?? ""),
        programs: Object.fromEntries(programs),
        answer: answer === undefined ? null : textOf(answer),
        note: textOf(note),
      },
    ];
  });
}
