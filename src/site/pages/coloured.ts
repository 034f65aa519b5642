/** Programs and JSON as HTML with colours, made with the page, so that it needs no script. */
import { type Html, html } from "../../base/html.ts";

/** A text, a word that is part of the language, or a variable of PHP. */
const PROGRAM =
  /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\b(?:as|await|const|curl|echo|for|foreach|from|if|import|in|new|of|print|throw|with)\b/g;
/** A key with its colon, a text, a number, or one of the three words. */
const JSON_PART = /("(?:[^"\\]|\\.)*")(:?)|-?\d[\d.eE+-]*|true|false|null/g;
/** Characters that turn the direction of text, end a line, or are invisible. */
const UNSEEN = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

type Colour = "k" | "s" | "n" | "l";

/** Each line is an element with its depth as a class, so that the rest of a long line is indented further than its beginning. */
function coloured(text: string, part: RegExp, colourOf: (match: RegExpMatchArray) => Colour): Html {
  const lines = text.split("\n");
  return html`${lines.map((line, at) => {
    const depth = Math.floor((line.length - line.trimStart().length) / 2);
    const end = at === lines.length - 1 ? "" : "\n";
    return html`<span class="i${depth}">${partsOf(line, part, colourOf)}${end}</span>`;
  })}`;
}

function partsOf(line: string, part: RegExp, colourOf: (match: RegExpMatchArray) => Colour): Html[] {
  const parts: Html[] = [];
  let end = 0;
  for (const match of line.matchAll(part)) {
    const [found] = match;
    // A key is without its colon.
    const word = match[2] === ":" ? found.slice(0, -1) : found;
    parts.push(html`${line.slice(end, match.index)}<span class="${colourOf(match)}">${word}</span>`);
    end = match.index + word.length;
  }
  return [...parts, html`${line.slice(end)}`];
}

export function colouredProgram(program: string): Html {
  return coloured(program, PROGRAM, ([, quoted]) => (quoted === undefined ? "l" : "s"));
}

/** Indented by two spaces. Invisible characters are escaped, so that they show; it is still the same JSON. */
export function colouredJson(value: unknown): Html {
  const text = JSON.stringify(value, null, 2).replace(
    UNSEEN,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return coloured(text, JSON_PART, ([found, quoted, colon]) => {
    if (quoted !== undefined) return colon === ":" ? "k" : "s";
    return /[a-z]{4}/.test(found) ? "l" : "n";
  });
}
