/** Elements and texts in a parser's order → plain text, like a browser's `innerText`. Builds no tree. */

/** Films, sounds and frames. What they contain is for browsers that don't know them. */
export const MEDIA: ReadonlySet<string> = new Set(["oembed", "video", "audio", "source", "iframe"]);

/** Line breaks before and after an element; two make an empty line. */
const BREAKS: ReadonlyMap<string, number> = new Map([
  ...["p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "hr", "table", "figure", "dl"].map(
    (name) => [name, 2] as const,
  ),
  ...["div", "li", "dt", "dd", "tr", "caption", "figcaption"].map((name) => [name, 1] as const),
  // A film's address has a separate line.
  ...[...MEDIA].map((name) => [name, 1] as const),
]);
/** White space that is not one space already. */
const SPACES = /[ \t\n\r\f]{2,}|[\t\n\r\f]/g;
const RULE = "---";
/** The most list and quote markers at the beginning of a line, so that the text grows in proportion to its source. */
const MAX_SIGNS = 5;

/** The marker of a list item or quote: for its first line, and for later ones. */
interface Sign {
  readonly first: string;
  readonly further: string;
  shown: boolean;
}

/** The number of an item or of a list's first one; null if it is not given, or unusable. */
function wholeNumber(written: string | undefined): number | null {
  return written !== undefined && /^\d{1,7}$/.test(written.trim()) ? Number(written) : null;
}

/** The number before a list's first one. A reversed list's depends on its length: its items get no numbers. */
function numberBefore({ start, reversed }: Readonly<Record<string, string>>): number | null {
  return reversed === undefined ? (wholeNumber(start) ?? 1) - 1 : null;
}

export class TextWriter {
  #text = "";
  /** Line breaks due before the next word. */
  #breaks = 0;
  /** White space due before the next word of the same line. */
  #gap = "";
  #preformatted = 0;
  /** True before the first cell of a row. */
  #rowIsNew = true;
  readonly #signs: Sign[] = [];
  /** Number of items so far in each open list; null for lists without numbers. */
  readonly #lists: (number | null)[] = [];

  open(name: string, attributes: Readonly<Record<string, string>> = {}): void {
    if (name === "br") this.#breaks += 1;
    else if (name === "ul" || name === "ol") {
      this.#break(this.#lists.length === 0 ? 2 : 1);
      this.#lists.push(name === "ol" ? numberBefore(attributes) : null);
    } else if (name === "li") {
      this.#renumber(wholeNumber(attributes["value"]));
      this.#openBlock(name, 1);
    } else if (name === "td" || name === "th") {
      if (!this.#rowIsNew) this.#gap = "\t";
      this.#rowIsNew = false;
    } else {
      const breaks = BREAKS.get(name);
      if (breaks !== undefined) this.#openBlock(name, breaks);
    }
  }

  #openBlock(name: string, breaks: number): void {
    this.#break(breaks);
    if (name === "li") this.#signs.push(this.#nextItem());
    else if (name === "blockquote") this.#signs.push({ first: "> ", further: "> ", shown: false });
    else if (name === "pre") this.#preformatted += 1;
    else if (name === "tr") this.#rowIsNew = true;
    else if (name === "hr") this.#write(RULE);
  }

  /** The number of the next item, if its list has numbers. */
  #renumber(number: number | null): void {
    if (number !== null && (this.#lists.at(-1) ?? null) !== null)
      this.#lists[this.#lists.length - 1] = number - 1;
  }

  #nextItem(): Sign {
    const number = this.#lists.at(-1) ?? null;
    if (number === null) return { first: "* ", further: "  ", shown: false };
    this.#lists[this.#lists.length - 1] = number + 1;
    return { first: `${number + 1}. `, further: "   ", shown: false };
  }

  close(name: string): void {
    if (name === "ul" || name === "ol") {
      this.#lists.pop();
      this.#break(this.#lists.length === 0 ? 2 : 1);
      return;
    }
    const breaks = BREAKS.get(name);
    if (breaks === undefined) return;
    this.#break(breaks);
    if (name === "li" || name === "blockquote") this.#signs.pop();
    else if (name === "pre") this.#preformatted -= 1;
  }

  /** Adds text with the source's white space. */
  add(text: string): void {
    if (this.#preformatted > 0) {
      this.#addPreformatted(text);
      return;
    }
    const line = text.replace(SPACES, " ");
    const start = line.startsWith(" ") ? 1 : 0;
    const end = line.endsWith(" ") ? line.length - 1 : line.length;
    if (start > 0 && this.#gap === "") this.#gap = " ";
    if (start >= end) return;
    this.#write(line.slice(start, end));
    if (end < line.length) this.#gap = " ";
  }

  #addPreformatted(text: string): void {
    text.split("\n").forEach((line, at) => {
      if (at > 0) this.#breaks += 1;
      if (line !== "") this.#write(line);
    });
  }

  #break(count: number): void {
    this.#breaks = Math.max(this.#breaks, count);
  }

  #write(words: string): void {
    if (this.#text === "" || this.#breaks > 0) {
      if (this.#text !== "") this.#text += "\n".repeat(this.#breaks);
      this.#text += this.#signsOfLine();
    } else this.#text += this.#gap;
    this.#text += words;
    this.#breaks = 0;
    this.#gap = "";
  }

  #signsOfLine(): string {
    let line = "";
    for (const sign of this.#signs.slice(0, MAX_SIGNS)) {
      line += sign.shown ? sign.further : sign.first;
      sign.shown = true;
    }
    return line;
  }

  /** The text so far, without white space at its ends. */
  toString(): string {
    return this.#text.trim();
  }
}
