/**
 * The structure of a SELECT, as far as telling needs which rows depend on which: sources, equalities, groups. What it does not
 * know for certain it refuses; expressions stay tokens.
 */
import { itemAt } from "../../base/item-at.ts";
import type { Token } from "./sql-tokens.ts";

/** What is told of such SQL would be a guess. */
export class NotUnderstood extends Error {}

export interface Source {
  /** A name of a table or of a common table expression, or a subquery. */
  readonly of: string | Statement;
  readonly alias: string;
  readonly join: "inner" | "left";
  readonly on: readonly Token[];
}

export interface Core {
  /** Each with its name, "" where it has none that is known; `*` stands as it is written. */
  readonly items: readonly { readonly name: string; readonly tokens: readonly Token[] }[];
  readonly sources: readonly Source[];
  readonly where: readonly Token[];
  readonly group: readonly (readonly Token[])[] | null;
  readonly having: readonly Token[];
}

export interface Statement {
  readonly ctes: readonly {
    readonly name: string;
    readonly columns: readonly string[] | null;
    readonly body: Statement;
  }[];
  /** Put together as sets, whichever way. */
  readonly cores: readonly Core[];
  /** True where rows are left out by their number. */
  readonly isLimited: boolean;
}

const AFTER_ITEMS = new Set(
  "from where group having window union intersect except order limit offset".split(" "),
);
const AFTER_SOURCE = new Set([
  ...AFTER_ITEMS,
  ..."join inner cross left right full natural on using outer indexed not".split(" "),
]);
/** In an expression these may look at other rows. */
const REFUSED = new Set(
  "select values exists over window raise rowid _rowid_ oid indexed match regexp".split(" "),
);
/** Names that stand at the end of an expression without being given to it. */
const CLOSING = new Set([
  "end",
  "null",
  "true",
  "false",
  "current_timestamp",
  "current_date",
  "current_time",
]);

export class SelectParser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** @throws NotUnderstood */
  parse(): Statement {
    const statement = this.#statement();
    if (this.#at < this.#tokens.length) throw new NotUnderstood();
    return statement;
  }

  #is(text: string): boolean {
    const token = this.#tokens[this.#at];
    return token?.text === text && (token.kind === "word" || token.kind === "sign");
  }

  #take(...texts: string[]): boolean {
    const found = texts.some((text) => this.#is(text));
    if (found) this.#at += 1;
    return found;
  }

  #expect(...texts: string[]): void {
    for (const text of texts) if (!this.#take(text)) throw new NotUnderstood(`expected ${text}`);
  }

  #name(): string {
    const token = this.#tokens[this.#at];
    if (token?.kind !== "word" && token?.kind !== "quoted") throw new NotUnderstood("expected a name");
    this.#at += 1;
    return token.text;
  }

  #statement(): Statement {
    const ctes: Statement["ctes"][number][] = [];
    if (this.#take("with")) {
      this.#take("recursive");
      do ctes.push(this.#cte());
      while (this.#take(","));
    }
    const cores = [this.#core()];
    while (this.#take("union", "intersect", "except")) {
      this.#take("all");
      cores.push(this.#core());
    }
    if (this.#take("order")) {
      this.#expect("by");
      this.#list(AFTER_ITEMS);
    }
    const isLimited = this.#take("limit");
    if (isLimited) this.#list(new Set());
    return { ctes, cores, isLimited };
  }

  #cte(): Statement["ctes"][number] {
    const name = this.#name();
    const columns: string[] = [];
    if (this.#take("(")) {
      do columns.push(this.#name());
      while (this.#take(","));
      this.#expect(")");
    }
    this.#expect("as");
    this.#take("not");
    this.#take("materialized");
    return { name, columns: columns.length === 0 ? null : columns, body: this.#inBrackets() };
  }

  #inBrackets(): Statement {
    this.#expect("(");
    const statement = this.#statement();
    this.#expect(")");
    return statement;
  }

  #core(): Core {
    this.#expect("select");
    this.#take("distinct", "all");
    const items = this.#list(AFTER_ITEMS).map(named);
    const sources = this.#take("from") ? this.#sources() : [];
    const where = this.#take("where") ? this.#expression(AFTER_ITEMS) : [];
    let group: Token[][] | null = null;
    if (this.#take("group")) {
      this.#expect("by");
      group = this.#list(AFTER_ITEMS);
    }
    const having = this.#take("having") ? this.#expression(AFTER_ITEMS) : [];
    return { items, sources, where, group, having };
  }

  #sources(): Source[] {
    const sources = [this.#source("inner")];
    for (;;) {
      if (this.#take("left")) {
        this.#take("outer");
        this.#expect("join");
        sources.push(this.#source("left"));
      } else if (this.#take(",", "join")) sources.push(this.#source("inner"));
      else if (this.#take("inner", "cross")) {
        this.#expect("join");
        sources.push(this.#source("inner"));
      } else return sources;
    }
  }

  #source(join: Source["join"]): Source {
    const of = this.#is("(") ? this.#inBrackets() : this.#name();
    const next = this.#tokens[this.#at];
    let alias = typeof of === "string" ? of : "";
    if (this.#take("as")) alias = this.#name();
    else if (next?.kind === "quoted" || (next?.kind === "word" && !AFTER_SOURCE.has(next.text)))
      alias = this.#name();
    const on = this.#take("on") ? this.#expression(AFTER_SOURCE) : [];
    return { of, alias, join, on };
  }

  /** Expressions between commas. */
  #list(stops: ReadonlySet<string>): Token[][] {
    const list: Token[][] = [];
    do list.push(this.#expression(stops));
    while (this.#take(","));
    return list;
  }

  /** Up to a comma, a bracket that closes, or a word that can't be in it. */
  #expression(stops: ReadonlySet<string>): Token[] {
    const start = this.#at;
    const open: Token[] = [];
    for (; this.#at < this.#tokens.length; this.#at++) {
      const token = itemAt(this.#tokens, this.#at);
      const { kind, text } = token;
      if (kind === "sign" && (text === ")" || text === ",") && open.length === 0) break;
      const isWord = kind === "word" && this.#tokens[this.#at - 1]?.text !== ".";
      if (kind === "word" && REFUSED.has(text)) throw new NotUnderstood(text);
      // A table's name may stand there in the place of a list.
      if (isWord && text === "in" && this.#tokens[this.#at + 1]?.text !== "(") throw new NotUnderstood(text);
      if (isWord && open.length === 0 && stops.has(text) && text !== "not") break;
      const step = nesting(token, this.#tokens[this.#at - 1]);
      if (step > 0) open.push(token);
      if (step < 0 && open.pop()?.text !== (text === ")" ? "(" : "case")) throw new NotUnderstood(text);
    }
    if (this.#at === start || open.length > 0) throw new NotUnderstood("expected an expression");
    return this.#tokens.slice(start, this.#at);
  }
}

/** 1 for what opens a part of an expression, -1 for what closes it. A word after a point is a name. */
function nesting({ kind, text }: Token, before: Token | undefined): -1 | 0 | 1 {
  if (kind === "sign") return text === "(" ? 1 : text === ")" ? -1 : 0;
  if (kind !== "word" || before?.text === ".") return 0;
  return text === "case" ? 1 : text === "end" ? -1 : 0;
}

function named(tokens: readonly Token[]): Core["items"][number] {
  const last = tokens.at(-1);
  const before = tokens.at(-2);
  if (last === undefined) throw new NotUnderstood();
  const isName = last.kind === "quoted" || (last.kind === "word" && !CLOSING.has(last.text));
  if (before?.kind === "word" && before.text === "as" && isName)
    return { name: last.text, tokens: tokens.slice(0, -2) };
  const isReference = isName && (tokens.length === 1 || (tokens.length === 3 && before?.text === "."));
  if (isReference || last.text === "*") return { name: isReference ? last.text : "", tokens };
  // What may be a name given without AS.
  if (isName && (before?.kind !== "sign" || before.text === ")")) throw new NotUnderstood("name");
  return { name: "", tokens };
}

/** The places of a comparison `a = b` of two columns, each `column` or `source.column`. */
export interface Reference {
  readonly source: string | null;
  readonly column: string;
}

/** A reference to a column where the tokens are no more than that. */
export function referenceOf(tokens: readonly Token[]): Reference | null {
  const isName = (token: Token | undefined) => token?.kind === "word" || token?.kind === "quoted";
  const [first, point, second] = tokens;
  if (tokens.length === 1 && isName(first)) return { source: null, column: first?.text ?? "" };
  if (tokens.length !== 3 || !isName(first) || point?.text !== "." || !isName(second)) return null;
  return { source: first?.text ?? "", column: second?.text ?? "" };
}

/** Equalities of two columns that hold wherever the condition does. */
export function equalitiesOf(condition: readonly Token[]): (readonly [Reference, Reference])[] {
  const parts: Token[][] = [[]];
  let depth = 0;
  let isBetween = false;
  for (const [at, token] of condition.entries()) {
    const { kind, text } = token;
    depth += nesting(token, condition[at - 1]);
    if (kind === "word" && depth === 0 && condition[at - 1]?.text !== ".") {
      if (text === "or") return [];
      if (text === "between") isBetween = true;
      else if (text === "and" && isBetween) isBetween = false;
      else if (text === "and") {
        parts.push([]);
        continue;
      }
    }
    parts.at(-1)?.push(token);
  }
  return parts.flatMap((part) => {
    const sign = part.findIndex(({ kind, text }) => kind === "sign" && (text === "=" || text === "=="));
    const one = referenceOf(part.slice(0, Math.max(sign, 0)));
    const other = referenceOf(part.slice(sign + 1));
    return one === null || other === null ? [] : [[one, other] as const];
  });
}
