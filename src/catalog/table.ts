/**
 * A list of the catalog in memory: its filters and orders as numbers, so that any combination of filters, bounds,
 * sort and page is answered without reading a row. Rows are numbered in order of id, from 0.
 *
 * A selection with a rare value walks that value's rows. Otherwise each value has a bitset in the numbering of the
 * order asked for ("ranks"), made at its first use; their intersection is counted and cut into the page.
 */
import type Database from "better-sqlite3";
import { addBit, type Bitset, countBits, createBitset, intersection, sliceBits } from "./bitset.ts";
import { type Cell, FilterIndex } from "./filter-index.ts";
import { RangeIndex } from "./range-index.ts";
import type { Resource } from "./resources.ts";

/** What a list is narrowed to. */
export interface Conditions {
  /** Canonical values by parameter; all must hold. */
  readonly equal: readonly (readonly [param: string, value: string])[];
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

/** A value that fewer than one in this many rows have is walked row by row: that is cheaper than its bitset. */
const RARE = 64;

export class Table {
  readonly resource: Resource;
  readonly size: number;
  readonly #db: Database.Database;
  readonly #ids: Float64Array;
  readonly #orders = new Map<string, { rows: Uint32Array; ranks: Uint32Array }>();
  readonly #filters = new Map<string, FilterIndex>();
  readonly #bitsets = new Map<string, Bitset>();
  #range: RangeIndex | undefined;

  constructor(db: Database.Database, resource: Resource) {
    this.#db = db;
    this.resource = resource;
    this.#ids = Float64Array.from(
      db.prepare<[], number>(`SELECT id FROM ${resource.name} ORDER BY id`).pluck().all(),
    );
    this.size = this.#ids.length;
  }

  /** Row of an id, or -1. */
  rowOf(id: number): number {
    let low = 0;
    let high = this.size - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = this.#ids[middle] as number;
      if (found === id) return middle;
      if (found < id) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  idAt(row: number): number {
    return this.#ids[row] as number;
  }

  get defaultOrder(): string {
    return Object.keys(this.resource.orders)[0] as string;
  }

  filter(param: string): FilterIndex {
    const known = this.#filters.get(param);
    if (known !== undefined) return known;
    const filter = this.resource.filters.find((candidate) => candidate.param === param);
    if (filter === undefined) throw new Error(`${this.resource.name} has no filter ${param}`);
    const made = new FilterIndex(filter, this.#cells(filter.column));
    this.#filters.set(param, made);
    return made;
  }

  /** Makes all orders and filters now instead of at their first use. */
  warm(): void {
    for (const order of Object.keys(this.resource.orders)) this.#order(order);
    for (const { param } of this.resource.filters) this.filter(param);
    if (this.resource.range !== undefined) this.#rangeIndex();
  }

  /** The rows that meet the conditions, in an order: a sort value, or null for the order of the search. */
  select(conditions: Conditions, order: string | null): Selection {
    if (conditions.found !== undefined) return this.#selectFound(conditions, conditions.found, order);
    const sort = this.#order(order ?? this.defaultOrder);
    if (conditions.equal.length === 0 && conditions.min === undefined && conditions.max === undefined) {
      return selectionOf(sort.rows);
    }
    const rare = this.#rarest(conditions);
    if (rare !== null) return this.#walk(rare, conditions, sort.ranks, sort.rows);
    const set = this.#intersection(conditions, order ?? this.defaultOrder);
    return {
      total: countBits(set),
      slice: (offset, limit) => sliceBits(set, offset, limit).map((rank) => sort.rows[rank] as number),
    };
  }

  #cells(column: string): Cell[] {
    return this.#db
      .prepare<[], Cell>(`SELECT ${column} FROM ${this.resource.name} ORDER BY id`)
      .pluck()
      .all();
  }

  #order(name: string): { rows: Uint32Array; ranks: Uint32Array } {
    const known = this.#orders.get(name);
    if (known !== undefined) return known;
    const clause = this.resource.orders[name];
    if (clause === undefined) throw new Error(`${this.resource.name} has no order ${name}`);
    const ids = this.#db
      .prepare<[], number>(`SELECT id FROM ${this.resource.name} ORDER BY ${clause}`)
      .pluck()
      .all();
    const rows = Uint32Array.from(ids, (id) => this.rowOf(id));
    const ranks = new Uint32Array(this.size);
    rows.forEach((row, rank) => {
      ranks[row] = rank;
    });
    const made = { rows, ranks };
    this.#orders.set(name, made);
    return made;
  }

  #rangeIndex(): RangeIndex {
    if (this.resource.range === undefined) throw new Error(`${this.resource.name} has no range`);
    this.#range ??= new RangeIndex(Float64Array.from(this.#cells(this.resource.range), Number));
    return this.#range;
  }

  /** The rows of the rarest condition, where it is rare enough to walk; null where none is. */
  #rarest(conditions: Conditions): Uint32Array | null {
    const { equal, min, max } = conditions;
    let fewest = Math.max(RARE, this.size / RARE);
    let rows: (() => Uint32Array) | null = null;
    for (const [param, value] of equal) {
      const filter = this.filter(param);
      const count = filter.countOf(value);
      if (count >= fewest) continue;
      fewest = count;
      rows = () => filter.rowsOf(value);
    }
    if (min !== undefined || max !== undefined) {
      const range = this.#rangeIndex();
      if (range.countBetween(min, max) < fewest) rows = () => range.rowsBetween(min, max);
    }
    return rows === null ? null : rows();
  }

  #meets(row: number, conditions: Conditions): boolean {
    for (const [param, value] of conditions.equal) if (!this.filter(param).has(row, value)) return false;
    if (conditions.min === undefined && conditions.max === undefined) return true;
    const value = this.#rangeIndex().valueAt(row);
    return value >= (conditions.min ?? -Infinity) && value <= (conditions.max ?? Infinity);
  }

  #walk(rows: Uint32Array, conditions: Conditions, ranks: Uint32Array, order: Uint32Array): Selection {
    const found = rows.filter((row) => this.#meets(row, conditions)).map((row) => ranks[row] as number);
    return selectionOf(found.sort().map((rank) => order[rank] as number));
  }

  #selectFound(conditions: Conditions, found: Uint32Array, order: string | null): Selection {
    if (order !== null) {
      const sort = this.#order(order);
      return this.#walk(found, conditions, sort.ranks, sort.rows);
    }
    return selectionOf(found.filter((row) => this.#meets(row, conditions)));
  }

  #intersection(conditions: Conditions, order: string): Bitset {
    const { ranks } = this.#order(order);
    const sets = conditions.equal.map(([param, value]) => this.#bitset(param, value, order, ranks));
    const set = sets.length === 0 ? this.#everything() : intersection(sets);
    const { min, max } = conditions;
    if (min !== undefined || max !== undefined) this.#rangeIndex().restrict(set, order, ranks, min, max);
    return set;
  }

  #everything(): Bitset {
    const set = createBitset(this.size).fill(0xffffffff);
    if (this.size % 32 !== 0) set[set.length - 1] = (1 << (this.size % 32)) - 1;
    return set;
  }

  /** Only values that are not rare come here, at most RARE of a filter: that bounds the memory. */
  #bitset(param: string, value: string, order: string, ranks: Uint32Array): Bitset {
    const name = `${order} ${param} ${value}`;
    const known = this.#bitsets.get(name);
    if (known !== undefined) return known;
    const made = createBitset(this.size);
    for (const row of this.filter(param).rowsOf(value)) addBit(made, ranks[row] as number);
    this.#bitsets.set(name, made);
    return made;
  }
}

function selectionOf(rows: Uint32Array): Selection {
  return { total: rows.length, slice: (offset, limit) => rows.subarray(offset, offset + limit) };
}
