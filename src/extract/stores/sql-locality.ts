/**
 * Which rows of tables the rows of an allow-list's file are made of. A table is *local* by one of its columns where this
 * holds for each number v: the rows of the file with v in a column of its own, `id` or another, are the same whatever rows the table has with another number
 * than v in that column. It holds for a table itself, by any column; filters, groups by that column and joins that equate such
 * columns keep it (research: relational selection commutes with them). What is not understood is not local.
 */
import {
  type Core,
  equalitiesOf,
  NotUnderstood,
  type Reference,
  referenceOf,
  SelectParser,
  type Source,
  type Statement,
} from "./sql-select.ts";
import { type Token, tokensOf } from "./sql-tokens.ts";

interface ColumnShape {
  readonly name: string;
  /** True where numbers in it are numbers, also where texts were written. */
  readonly isInteger: boolean;
}

/** The columns of a table by its name in lower case; null where it is none whose rows are what is stored. */
export type FindTable = (name: string) => readonly ColumnShape[] | null;

/** Local by this column, as far as rows are told apart by a column of what is made of the table. */
interface Key {
  readonly by: string;
  readonly column: number;
}

/** Columns, and for each table that it depends on the ways in which it is local: none, where any row may matter. */
interface Relation {
  readonly columns: readonly string[];
  readonly keys: ReadonlyMap<string, readonly Key[]>;
  /** Tables of which each row is made of a row: those that it joins, with no other side of a union. */
  readonly joined: ReadonlySet<string>;
}

/** Which tables are local. */
export interface Locality {
  /** By name in lower case, with the columns by which. */
  readonly tables: ReadonlyMap<string, ReadonlySet<string>>;
  /** Tables of which each row of the file is made of a row: there the column of the file is what those above are. */
  readonly joined: ReadonlySet<string>;
}

type Scope = ReadonlyMap<string, () => Relation>;

/** Aggregates of which the result does not depend on the order of rows; and those of which it does, unless they say it. */
const UNORDERED = new Set(["count", "min", "max"]);
const ORDERED = new Set(
  "group_concat string_agg json_group_array json_group_object jsonb_group_array jsonb_group_object".split(
    " ",
  ),
);
/** Of fractions, the last digits depend on it. */
const REFUSED = new Set("sum total avg median percentile percentile_cont percentile_disc".split(" "));

/** What is local as far as the file's rows are told apart by a column; null where the SQL is not understood. */
export function localTables(sql: string, of: string, find: FindTable): Locality | null {
  const tokens = tokensOf(sql);
  if (tokens === null) return null;
  const names = new Set<string>();
  const tables = new Set<string>();
  try {
    const statement = new SelectParser(tokens).parse();
    const { columns, keys, joined } = relationOf(statement, new Map(), { find, names, tables });
    const place = columns.indexOf(of);
    if (place < 0 || columns.lastIndexOf(of) !== place || [...names].some((name) => tables.has(name)))
      return null;
    const local = [...keys].map(([table, all]) => {
      const by = all.filter(({ column }) => column === place).map((key) => key.by);
      return [table, new Set(by)] as const;
    });
    return { tables: new Map(local.filter(([, by]) => by.size > 0)), joined };
  } catch (error) {
    if (error instanceof NotUnderstood) return null;
    throw error;
  }
}

interface Context {
  readonly find: FindTable;
  /** Of common table expressions, and of tables, as far as the statement was read. */
  readonly names: Set<string>;
  readonly tables: Set<string>;
}

function wholly({ columns, keys, joined }: Relation): Relation {
  return { columns, keys: new Map([...keys.keys()].map((table) => [table, []])), joined };
}

function relationOf(statement: Statement, scope: Scope, context: Context): Relation {
  const inner = new Map(scope);
  for (const { name, columns, body } of statement.ctes) {
    let isRecursive = false;
    context.names.add(name);
    inner.set(name, () => {
      if (columns === null) throw new NotUnderstood(name);
      isRecursive = true;
      return { columns, keys: new Map(), joined: new Set() };
    });
    const made = relationOf(body, inner, context);
    if (columns !== null && columns.length !== made.columns.length) throw new NotUnderstood(name);
    const relation = { ...made, columns: columns ?? made.columns };
    const known = isRecursive ? wholly(relation) : relation;
    inner.set(name, () => known);
  }
  const united = statement.cores.map((core) => ofCore(core, inner, context)).reduce(unite);
  return statement.isLimited ? wholly(united) : united;
}

function unite(one: Relation, other: Relation): Relation {
  if (one.columns.length !== other.columns.length) throw new NotUnderstood("columns");
  const keys = new Map(one.keys);
  for (const [table, own] of other.keys) {
    const known = keys.get(table);
    keys.set(table, known === undefined ? own : common(known, own));
  }
  return {
    columns: one.columns,
    keys,
    joined: new Set([...one.joined].filter((table) => other.joined.has(table))),
  };
}

function common(some: readonly Key[], others: readonly Key[]): Key[] {
  return some.filter(({ by, column }) => others.some((other) => other.by === by && other.column === column));
}

function ofSource({ of }: Source, scope: Scope, context: Context): Relation {
  if (typeof of !== "string") return relationOf(of, scope, context);
  const known = scope.get(of);
  if (known !== undefined) return known();
  const columns = context.find(of);
  if (columns === null) throw new NotUnderstood(of);
  context.tables.add(of);
  const keys = columns.flatMap(({ name, isInteger }, column) => (isInteger ? [{ by: name, column }] : []));
  return { columns: columns.map(({ name }) => name), keys: new Map([[of, keys]]), joined: new Set([of]) };
}

/** The columns of a core's sources, side by side; those that are equal in each row are one class. */
class Columns {
  readonly #columns: { readonly source: string; readonly name: string }[] = [];
  readonly #classes: number[] = [];

  /** Returns the place of its first. */
  add(source: string, names: readonly string[]): number {
    const first = this.#columns.length;
    for (const name of names) {
      this.#classes.push(this.#columns.length);
      this.#columns.push({ source, name });
    }
    return first;
  }

  /** Null where it is none, or not one alone. */
  find({ source, column }: Reference): number | null {
    const isIt = (each: { source: string; name: string }) =>
      each.name === column && (source === null || each.source === source);
    const found = this.#columns.findIndex(isIt);
    return found < 0 || this.#columns.findLastIndex(isIt) !== found ? null : found;
  }

  /** All that a `*` of a source stands for, or of all. */
  allOf(source: string | null): { readonly name: string; readonly place: number }[] {
    return this.#columns.flatMap((each, place) =>
      source === null || each.source === source ? [{ name: each.name, place }] : [],
    );
  }

  classOf(place: number): number {
    return this.#classes[place] ?? place;
  }

  equate([one, other]: readonly [Reference, Reference]): void {
    const [a, b] = [this.find(one), this.find(other)];
    if (a === null || b === null) return;
    const [from, to] = [this.classOf(a), this.classOf(b)];
    this.#classes.forEach((each, place) => {
      if (each === from) this.#classes[place] = to;
    });
  }
}

function ofCore(core: Core, scope: Scope, context: Context): Relation {
  const columns = new Columns();
  const parts = core.sources.map((source) => {
    const relation = ofSource(source, scope, context);
    return { source, relation, first: columns.add(source.alias, relation.columns) };
  });
  const holds = [...core.sources.filter(({ join }) => join === "inner").map(({ on }) => on), core.where];
  for (const equality of holds.flatMap(equalitiesOf)) columns.equate(equality);
  // From here on `column` of a key is a class.
  let keys = new Map<string, readonly Key[]>();
  for (const { source, relation, first } of parts) {
    const isWithin = (place: number) => place >= first && place < first + relation.columns.length;
    const translate = ({ by, column }: Key): Key[] =>
      source.join === "inner"
        ? [{ by, column: columns.classOf(first + column) }]
        : outerEquals(columns, source.on, first + column, isWithin).map((outer) => ({ by, column: outer }));
    const next = new Map(keys);
    for (const [table, own] of relation.keys) {
      const translated = own.flatMap(translate);
      const known = keys.get(table);
      next.set(table, known === undefined ? translated : common(known, translated));
    }
    keys = next;
  }
  const inner = parts.filter(({ source }) => source.join === "inner");
  const joined = inner.flatMap(({ relation }) => [...relation.joined]);
  return project(core, columns, keys, new Set(joined));
}

/** Classes of the columns outside of a source that its own condition equates with one of its columns. */
function outerEquals(
  columns: Columns,
  on: readonly Token[],
  place: number,
  isWithin: (place: number) => boolean,
): number[] {
  return equalitiesOf(on).flatMap(([one, other]) => {
    const [a, b] = [columns.find(one), columns.find(other)];
    if (a === null || b === null) return [];
    if (a === place && !isWithin(b)) return [columns.classOf(b)];
    return b === place && !isWithin(a) ? [columns.classOf(a)] : [];
  });
}

function project(
  core: Core,
  columns: Columns,
  keys: ReadonlyMap<string, readonly Key[]>,
  joined: ReadonlySet<string>,
): Relation {
  const groups = groupsOf(core, columns);
  const made = core.items.flatMap(({ name, tokens }) => {
    if (tokens.at(-1)?.text === "*" && tokens.length !== 2) {
      const source = tokens.length === 1 ? null : (tokens[0]?.text ?? "");
      return columns.allOf(source).map((each) => ({ name: each.name, of: columns.classOf(each.place) }));
    }
    const reference = referenceOf(tokens);
    const place = reference === null ? null : columns.find(reference);
    return [{ name, of: place === null ? null : columns.classOf(place) }];
  });
  const kept = [...keys].map(([table, own]) => {
    const local = made.flatMap(({ of }, column) =>
      own
        .filter((key) => key.column === of && (groups === null || groups.has(key.column)))
        .map(({ by }) => ({ by, column })),
    );
    return [table, local] as const;
  });
  // Of no rows at all, aggregates without groups make one.
  const isOne = groups !== null && core.group === null;
  const names = made.map(({ name }) => name);
  return { columns: names, keys: new Map(kept), joined: isOne ? new Set() : joined };
}

/** Classes by which rows are grouped: none where all rows are one group; null where rows stay as they are. */
function groupsOf({ items, group, having }: Core, columns: Columns): ReadonlySet<number> | null {
  const expressions = [...items.map(({ tokens }) => tokens), having];
  const looked = expressions.map(withoutAggregates);
  if (group === null && looked.every(({ found }) => !found)) return null;
  const classes = (group ?? []).flatMap((tokens) => {
    const reference = referenceOf(tokens);
    const place = reference === null ? null : columns.find(reference);
    return place === null ? [] : [columns.classOf(place)];
  });
  const groups = new Set(classes);
  // Of a column that differs within a group, SQLite takes any row's.
  for (const place of looked.flatMap(({ rest }) => placesIn(rest, columns)))
    if (!groups.has(columns.classOf(place))) throw new NotUnderstood("group");
  return groups;
}

/** An expression's tokens without the aggregates in it. */
function withoutAggregates(tokens: readonly Token[]): { readonly found: boolean; readonly rest: Token[] } {
  const rest: Token[] = [];
  let found = false;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    const end = tokens[at + 1]?.text === "(" && token.kind !== "value" ? closing(tokens, at + 1) : -1;
    if (end > 0 && isAggregate(token.text, tokens.slice(at + 2, end))) {
      found = true;
      at = end;
    } else rest.push(token);
  }
  return { found, rest };
}

function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    if (tokens[at]?.text === "(") depth += 1;
    if (tokens[at]?.text === ")") depth -= 1;
    if (depth === 0) return at;
  }
  throw new NotUnderstood("bracket");
}

function isAggregate(name: string, inside: readonly Token[]): boolean {
  if (REFUSED.has(name)) throw new NotUnderstood(name);
  let depth = 0;
  let [commas, ordered] = [false, false];
  for (const { kind, text } of inside) {
    if (text === "(") depth += 1;
    else if (text === ")") depth -= 1;
    else if (depth === 0 && text === ",") commas = true;
    else if (depth === 0 && kind === "word" && text === "order") ordered = true;
  }
  if (ORDERED.has(name) && !ordered) throw new NotUnderstood(name);
  // Of two and more, min and max are functions.
  return ORDERED.has(name) || (UNORDERED.has(name) && (name === "count" || !commas));
}

/** Columns that an expression names. */
function placesIn(tokens: readonly Token[], columns: Columns): number[] {
  const places: number[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const three = referenceOf(tokens.slice(at, at + 3));
    const reference = three ?? referenceOf(tokens.slice(at, at + 1));
    if (reference === null) continue;
    if (three !== null) at += 2;
    else if (tokens[at + 1]?.text === "(") continue;
    const place = columns.find(reference);
    if (place !== null) places.push(place);
  }
  return places;
}
