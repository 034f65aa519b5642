/**
 * A list of the catalog in memory: its filters and orders as numbers, so that any combination of filters, bounds,
 * sort and page is answered without reading a row. Rows are numbered in order of id, from 0.
 *
 * A selection with a rare value walks that value's rows. Otherwise each value has a bitset in the numbering of the
 * order asked for ("ranks"), made at its first use; one pass over those counts what they have in common, another one
 * goes as far as the page that is asked for.
 */

import type Database from "better-sqlite3";
import type { Cell, Range } from "../api/record.ts";
import { itemAt, placesIn, uintAt } from "../base/arrays.ts";
import { addBit, Conjunction, createBitset, fullBitset, RankedBitset } from "./bitset.ts";
import { cellAt } from "./column-values.ts";
import { type Column, type Columns, loadColumns, nextColumn } from "./columns.ts";
import { FilterIndex, type RowsByCode } from "./filter-index.ts";
import { type IdChanges, type Moves, planMoves } from "./moves.ts";
import { makeOrder, nextOrder, type OrderKey, type PackedOrder, RowOrder } from "./order.ts";
import { RangeIndex, type Span } from "./range-index.ts";
import type { Resource } from "./resources.ts";

/** Canonical values by parameter; all must hold. */
type Equal = readonly (readonly [param: string, value: string])[];

/** What changes in a list: both in order of id, no id in both. Cells are as the columns' types hold them. */
export interface RowChanges {
  /** New records, and those that take the place of what has their id. A column that is not named is null. */
  readonly put: readonly { readonly id: number; readonly columns: Readonly<Record<string, Cell>> }[];
  readonly deleted: readonly number[];
}

/** What a list is narrowed to. */
export interface Conditions {
  readonly equal: Equal;
  readonly min?: number;
  readonly max?: number;
  /** Rows that a search found, best first; the list has no others. */
  readonly found?: Uint32Array;
}

export interface Selection {
  readonly total: number;
  /** At most `limit` rows from `offset` on, in order. */
  slice(offset: number, limit: number): Uint32Array;
}

/** A list as data alone. */
export interface PackedTable extends Columns {
  readonly orders: ReadonlyMap<string, PackedOrder>;
  /** By parameter. */
  readonly filters: ReadonlyMap<string, RowsByCode>;
}

/** A value that fewer than one in this many rows have is walked row by row: that is cheaper than its bitset. */
const RARE = 64;

export class Table {
  readonly resource: Resource;
  readonly size: number;
  /** Of the rows, ascending. */
  readonly ids: Float64Array;
  readonly #columns: ReadonlyMap<string, Column>;
  readonly #orders = new Map<string, RowOrder>();
  readonly #filters = new Map<string, FilterIndex>();
  readonly #everything: RankedBitset;
  readonly #values = new Map<string, RankedBitset>();
  #rangeOf: RangeIndex | undefined;

  private constructor(resource: Resource, { ids, byName }: Columns) {
    this.resource = resource;
    this.ids = ids;
    this.#columns = byName;
    this.size = this.ids.length;
    this.#everything = new RankedBitset(fullBitset(this.size));
  }

  static load(db: Database.Database, resource: Resource): Table {
    return new Table(resource, loadColumns(db, resource));
  }

  /** Where rows go in a change. */
  moves(changes: IdChanges): Moves {
    return planMoves(this.ids, changes);
  }

  /** The list that {@link pack} made into data. */
  static unpack(resource: Resource, { orders, filters, ...columns }: PackedTable): Table {
    const table = new Table(resource, columns);
    for (const [name, { rows, ranks }] of orders) table.#orders.set(name, new RowOrder(rows, ranks));
    for (const [param, sorted] of filters) {
      const filter = resource.filters[param];
      if (filter !== undefined)
        table.#filters.set(param, new FilterIndex(filter, table.#column(filter.column), sorted));
    }
    return table;
  }

  /** All rows in the order of a sort value; null: the default. */
  rowsInOrder(sort: string | null): Uint32Array {
    return this.#order(sort ?? this.defaultOrder).rows;
  }

  /** All that was made of the list, as data that can be handed to another thread. */
  pack(): PackedTable {
    const made = [...this.#filters].flatMap(([param, { sorted }]) =>
      sorted ? [[param, sorted] as const] : [],
    );
    const filters = new Map(made);
    const orders = new Map([...this.#orders].map(([name, order]) => [name, order.pack()]));
    return { ids: this.ids, byName: this.#columns, orders, filters };
  }

  /**
   * The list after a change; this one stays as it is. Orders that were made are merged with what is put, not sorted
   * again, and what a column is to filters stays where the column does; the rest is made at its first use.
   */
  next({ put, deleted }: RowChanges): Table {
    const moves = this.moves({ put, deleted });
    const byName = new Map<string, Column>();
    for (const [name, column] of this.#columns) {
      const cells = put.map(({ columns }) => columns[name] ?? null);
      byName.set(name, nextColumn(column, moves, cells));
    }
    const made = new Table(this.resource, { ids: moves.ids, byName });
    for (const [name, order] of this.#orders) {
      const keys = made.#keys(name);
      const same = this.#keys(name).every(({ column }, i) => keys[i]?.column === column);
      made.#orders.set(name, same ? order : nextOrder(order, moves, keys));
    }
    for (const [param, filter] of this.#filters) {
      const { column } = filter.filter;
      if (byName.get(column) === this.#columns.get(column)) made.#filters.set(param, filter);
    }
    return made;
  }

  /** How many rows that meet the conditions stand before a row, whether or not it is one of them. */
  positionIn(equal: Equal, sort: string | null, row: number): number {
    const name = sort ?? this.defaultOrder;
    const order = this.#order(name);
    const rank = uintAt(order.ranks, row);
    if (equal.length === 0) return rank;
    const rare = this.#rarest(equal, null);
    if (rare === null) return this.#equalSet(equal, name).countBetween(0, rank);
    let count = 0;
    for (const other of rare) {
      if (uintAt(order.ranks, other) < rank && this.#meets(other, { equal })) count += 1;
    }
    return count;
  }

  /** Row of an id, or -1. */
  rowOf(id: number): number {
    let low = 0;
    let high = this.size - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = itemAt(this.ids, middle);
      if (found === id) return middle;
      if (found < id) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** Rows of ids, which are descending and all in the list. */
  rowsOf(ids: Float64Array): Uint32Array {
    return placesIn(this.ids, ids);
  }

  idAt(row: number): number {
    return itemAt(this.ids, row);
  }

  get defaultOrder(): string {
    return Object.keys(this.resource.sorts)[0] as string;
  }

  filter(param: string): FilterIndex {
    const known = this.#filters.get(param);
    if (known !== undefined) return known;
    const filter = this.resource.filters[param];
    if (filter === undefined) throw new Error(`${this.resource.name} has no filter ${param}`);
    const made = new FilterIndex(filter, this.#column(filter.column));
    this.#filters.set(param, made);
    return made;
  }

  /** Makes all orders now. */
  sort(): void {
    for (const order of Object.keys(this.resource.sorts)) this.#order(order);
  }

  /** The rows that meet the conditions, in an order: a sort value, or null for the order of the search. */
  select(conditions: Conditions, sort: string | null): Selection {
    if (conditions.found !== undefined) return this.#selectFound(conditions, conditions.found, sort);
    const name = sort ?? this.defaultOrder;
    const order = this.#order(name);
    const { equal, min, max } = conditions;
    const span = min === undefined && max === undefined ? null : this.#rangeIndex().span(min, max);
    if (equal.length === 0 && span === null) return selectionOf(order.rows);
    const rare = this.#rarest(equal, span);
    if (rare !== null) return this.#walk(rare, conditions, order);
    if (span !== null) return this.#selectSpan(equal, name, span);
    const set = this.#equalSet(equal, name);
    return pagesOf(set.countBetween(0, this.size), order, (skip, limit) => set.slice(0, skip, limit));
  }

  /**
   * What lies between bounds is a run of ranks in the order by value: there it is counted, and cut where that order or
   * its reverse is asked for. In any other order the page is looked for.
   */
  #selectSpan(equal: Equal, name: string, [from, to]: Span): Selection {
    const { ascending, descending } = this.#range;
    const byValue = this.#equalSet(equal, ascending);
    const total = byValue.countBetween(from, to);
    const order = this.#order(name);
    const set = name === ascending ? byValue : this.#equalSet(equal, name);
    if (name === ascending || name === descending) {
      const start = name === ascending ? from : this.size - to;
      return pagesOf(total, order, (skip, limit) => set.slice(start, skip, limit));
    }
    const range = this.#rangeIndex();
    return pagesOf(total, order, (skip, limit) => range.slice(set, order, [from, to], skip, limit));
  }

  #column(name: string): Column {
    const column = this.#columns.get(name);
    if (column === undefined) throw new Error(`${this.resource.name} has no column ${name}`);
    return column;
  }

  #order(name: string): RowOrder {
    const known = this.#orders.get(name);
    if (known !== undefined) return known;
    const made = makeOrder(this.size, this.#keys(name));
    this.#orders.set(name, made);
    return made;
  }

  #keys(name: string): OrderKey[] {
    const keys = this.resource.sorts[name];
    if (keys === undefined) throw new Error(`${this.resource.name} has no sort ${name}`);
    return keys.map(({ column, descending }) => ({ column: this.#column(column), descending }));
  }

  get #range(): Range {
    if (this.resource.range === null) throw new Error(`${this.resource.name} has no range`);
    return this.resource.range;
  }

  #rangeIndex(): RangeIndex {
    const { column, ascending } = this.#range;
    if (this.#rangeOf !== undefined) return this.#rangeOf;
    const { codes, values } = this.#column(column);
    const numbers = Float64Array.from(codes, (code) => Number(cellAt(values, code)));
    this.#rangeOf = new RangeIndex(numbers, this.#order(ascending).rows);
    return this.#rangeOf;
  }

  /** The rows of the rarest condition, where it is rare enough to walk; null where none is. */
  #rarest(equal: Equal, span: Span | null): Uint32Array | null {
    let fewest = Math.max(RARE, this.size / RARE);
    let rarest: { filter: FilterIndex; value: string } | null = null;
    for (const [param, value] of equal) {
      const filter = this.filter(param);
      const count = filter.countOf(value);
      if (count >= fewest) continue;
      fewest = count;
      rarest = { filter, value };
    }
    if (span !== null && span[1] - span[0] < fewest) return this.#rangeIndex().rowsOf(span);
    return rarest === null ? null : rarest.filter.rowsOf(rarest.value);
  }

  #meets(row: number, conditions: Conditions): boolean {
    for (const [param, value] of conditions.equal) if (!this.filter(param).has(row, value)) return false;
    if (conditions.min === undefined && conditions.max === undefined) return true;
    const value = this.#rangeIndex().valueAt(row);
    return value >= (conditions.min ?? -Infinity) && value <= (conditions.max ?? Infinity);
  }

  #walk(rows: Uint32Array, conditions: Conditions, order: RowOrder): Selection {
    const kept = rows.filter((row) => this.#meets(row, conditions));
    return selectionOf(rowsAt(order, kept.map((row) => uintAt(order.ranks, row)).sort()));
  }

  #selectFound(conditions: Conditions, found: Uint32Array, sort: string | null): Selection {
    if (sort !== null) return this.#walk(found, conditions, this.#order(sort));
    return selectionOf(found.filter((row) => this.#meets(row, conditions)));
  }

  /** The ranks, in an order, of the rows that have all the values. */
  #equalSet(equal: Equal, order: string): Conjunction {
    if (equal.length === 0) return new Conjunction([this.#everything]);
    return new Conjunction(equal.map(([param, value]) => this.#valueSet(param, value, order)));
  }

  /** Only values that are not rare come here, at most RARE of a filter: that bounds the memory. */
  #valueSet(param: string, value: string, order: string): RankedBitset {
    const name = `${order} ${param} ${value}`;
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    const { ranks } = this.#order(order);
    const words = createBitset(this.size);
    for (const row of this.filter(param).rowsOf(value)) addBit(words, uintAt(ranks, row));
    const made = new RankedBitset(words);
    this.#values.set(name, made);
    return made;
  }
}

function rowsAt(order: RowOrder, ranks: Uint32Array): Uint32Array {
  return ranks.map((rank) => uintAt(order.rows, rank));
}

/** A selection of `total` rows whose ranks are found when a page is asked for; never more of them than there are. */
function pagesOf(
  total: number,
  order: RowOrder,
  ranks: (offset: number, limit: number) => Uint32Array,
): Selection {
  return {
    total,
    slice: (offset, limit) => rowsAt(order, ranks(offset, Math.max(0, Math.min(limit, total - offset)))),
  };
}

/** A selection of just these rows, in their order. */
export function selectionOf(rows: Uint32Array): Selection {
  return { total: rows.length, slice: (offset, limit) => rows.subarray(offset, offset + limit) };
}
