/** Limits the depth of elements for a parser whose own stack costs the square of the depth. */
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

/** Elements nested deeper are left out; their content is kept. */
export const MAX_DEPTH = 100;
/** Elements that cannot contain others. */
const VOID: ReadonlySet<string> = new Set(["br", "hr", "img"]);

/** The document that is being parsed: its whole source, and how many elements are open. The parser's listener updates it. */
export interface OpenDocument {
  readonly source: string;
  readonly depth: number;
}

type QuoteType = Parameters<TokenizerCallbacks["onattribend"]>[0];

/** Sits between tokenizer and parser; passes on everything but the tags of elements that are too deep. */
class DepthGuard implements TokenizerCallbacks {
  readonly #parser: TokenizerCallbacks;
  readonly #document: OpenDocument;
  readonly #hidden: ReadonlySet<string>;
  /** Elements dropped since the depth was last below the limit, by name: their end tags are dropped too. */
  readonly #dropped = new Map<string, number>();
  /** True inside a dropped tag. */
  #dropping = false;

  constructor(parser: TokenizerCallbacks, document: OpenDocument, hidden: ReadonlySet<string>) {
    this.#parser = parser;
    this.#document = document;
    this.#hidden = hidden;
  }

  #nameAt(start: number, end: number): string {
    return this.#document.source.slice(start, end).toLowerCase();
  }

  onopentagname(start: number, end: number): void {
    this.#dropping = this.#document.depth >= MAX_DEPTH && this.#isTooDeep(this.#nameAt(start, end));
    if (!this.#dropping) this.#parser.onopentagname(start, end);
  }

  /** A hidden element is passed on once, or its content would show. */
  #isTooDeep(name: string): boolean {
    if (VOID.has(name) || (this.#hidden.has(name) && this.#document.depth === MAX_DEPTH)) return false;
    this.#dropped.set(name, (this.#dropped.get(name) ?? 0) + 1);
    return true;
  }

  onclosetag(start: number, end: number): void {
    if (this.#dropped.size > 0) {
      if (this.#document.depth < MAX_DEPTH) this.#dropped.clear();
      const name = this.#nameAt(start, end);
      const count = this.#dropped.get(name) ?? 0;
      if (count > 0) {
        this.#dropped.set(name, count - 1);
        return;
      }
    }
    this.#parser.onclosetag(start, end);
  }

  onopentagend(end: number): void {
    if (!this.#dropping) this.#parser.onopentagend(end);
    this.#dropping = false;
  }
  onselfclosingtag(end: number): void {
    if (!this.#dropping) this.#parser.onselfclosingtag(end);
    this.#dropping = false;
  }
  onattribname(start: number, end: number): void {
    if (!this.#dropping) this.#parser.onattribname(start, end);
  }
  onattribdata(start: number, end: number): void {
    if (!this.#dropping) this.#parser.onattribdata(start, end);
  }
  onattribentity(codePoint: number): void {
    if (!this.#dropping) this.#parser.onattribentity(codePoint);
  }
  onattribend(quote: QuoteType, end: number): void {
    if (!this.#dropping) this.#parser.onattribend(quote, end);
  }
  ontext(start: number, end: number): void {
    this.#parser.ontext(start, end);
  }
  ontextentity(codePoint: number, end: number): void {
    this.#parser.ontextentity(codePoint, end);
  }
  oncdata(start: number, end: number, offset: number): void {
    this.#parser.oncdata(start, end, offset);
  }
  oncomment(start: number, end: number, offset: number): void {
    this.#parser.oncomment(start, end, offset);
  }
  ondeclaration(start: number, end: number): void {
    this.#parser.ondeclaration(start, end);
  }
  onprocessinginstruction(start: number, end: number): void {
    this.#parser.onprocessinginstruction(start, end);
  }
  onend(): void {
    this.#parser.onend();
  }
  isInForeignContext(): boolean {
    return this.#parser.isInForeignContext?.() ?? false;
  }
}

/** A tokenizer for htmlparser2's `Tokenizer` option; `hidden` are elements that are never shown, nor their content. */
export function boundedTokenizer(document: OpenDocument, hidden: ReadonlySet<string>): typeof Tokenizer {
  return class extends Tokenizer {
    constructor(options: ConstructorParameters<typeof Tokenizer>[0], parser: TokenizerCallbacks) {
      super(options, new DepthGuard(parser, document, hidden));
    }
  };
}
