/** The rows of a list, grouped by the values of some filters: each combination that has a result, once. */
import { uintAt } from "../base/item-at.ts";
import { letGo } from "../base/memory.ts";
import type { Catalog } from "../catalog/catalog.ts";
import {
  countValues,
  type KeptRows,
  keptRows,
  placeOf,
  type RowLists,
  rowsInOrder,
} from "../catalog/row-lists.ts";
import { allRows } from "../catalog/sorting.ts";
import { type Selection, selectionOf } from "../catalog/table.ts";
import { textAt } from "../catalog/text-bytes.ts";
import type { ListFamily } from "./grid.ts";

/** A selection like any other, with the values that select it. */
export interface Group {
  /** One value for each filter, in their order. */
  readonly values: readonly string[];
  readonly selection: Selection;
}

/** Lists of one length. */
export interface Tally {
  lists: number;
  /** Of all their records. */
  sizeBytes: number;
}

/** Rows by the values of one filter that keep them: those of one value after those of another. */
interface Split {
  /** Of values that keep some, ascending. */
  readonly places: Uint32Array;
  /** Where the rows of each of these values begin, and one more. */
  readonly starts: Uint32Array;
  readonly rows: Uint32Array;
}

/** A filter that groups. */
class Grouping {
  readonly #kept: KeptRows;
  /** Place of the value that equals the parameter's default: with it, the list is the one without that filter. -1: none. */
  readonly #plain: number;
  /** Of each value; all zeros between two splits. */
  readonly #next: Uint32Array;
  /** Places of values that were met. */
  readonly #met: Uint32Array;
  /** The rows that were split last. */
  #rows = new Uint32Array(0);

  constructor(lists: RowLists, { endpoint }: ListFamily, name: string) {
    const standard = endpoint.params.find((param) => param.name === name)?.default;
    this.#kept = keptRows(lists, name);
    this.#plain = standard === undefined ? -1 : placeOf(this.#kept, standard);
    this.#next = new Uint32Array(countValues(this.#kept));
    this.#met = new Uint32Array(countValues(this.#kept));
  }

  valueAt(place: number): string {
    return textAt(this.#kept.values, place);
  }

  /**
   * The rows of each value stay in their order; where they stand is used again by the next split. Takes as long as there are
   * rows, however many values there are.
   */
  split(rows: Uint32Array): Split {
    const { codes, places: kept, starts: from } = this.#kept;
    const next = this.#next;
    const places = this.#count(rows);
    const starts = new Uint32Array(places.length + 1);
    for (let at = 0; at < places.length; at++) {
      const place = uintAt(places, at);
      starts[at + 1] = uintAt(starts, at) + uintAt(next, place);
      next[place] = uintAt(starts, at);
    }
    const count = uintAt(starts, places.length);
    if (this.#rows.length < count) {
      letGo(this.#rows);
      this.#rows = new Uint32Array(count);
    }
    const split = this.#rows.subarray(0, count);
    for (let at = 0; at < rows.length; at++) {
      const row = uintAt(rows, at);
      const code = uintAt(codes, row);
      for (let each = uintAt(from, code); each < uintAt(from, code + 1); each++) {
        const place = uintAt(kept, each);
        if (place === this.#plain) continue;
        const end = uintAt(next, place);
        split[end] = row;
        next[place] = end + 1;
      }
    }
    for (let at = 0; at < places.length; at++) next[uintAt(places, at)] = 0;
    return { places, starts, rows: split };
  }

  /** Nothing is split by it after that. */
  close(): void {
    letGo(this.#rows);
  }

  /** Counts the rows of each value into `#next`; the places of those that have some, ascending. */
  #count(rows: Uint32Array): Uint32Array {
    const { codes, places, starts } = this.#kept;
    let met = 0;
    for (let at = 0; at < rows.length; at++) {
      const code = uintAt(codes, uintAt(rows, at));
      for (let each = uintAt(starts, code); each < uintAt(starts, code + 1); each++) {
        const place = uintAt(places, each);
        if (place === this.#plain) continue;
        const count = uintAt(this.#next, place);
        if (count === 0) this.#met[met++] = place;
        this.#next[place] = count + 1;
      }
    }
    return this.#met.slice(0, met).sort();
  }
}

/** Rows that have the same values of all filters. */
interface RowGroup {
  readonly values: readonly string[];
  readonly rows: Uint32Array;
}

/** Splits rows by one filter after the other, in order of values: at no time more than one of each filter's groups is cut further. */
function* groupRows(
  rows: Uint32Array,
  groupings: readonly Grouping[],
  values: readonly string[] = [],
): Generator<RowGroup> {
  const [grouping, ...others] = groupings;
  if (grouping === undefined) yield { values, rows };
  else {
    const split = grouping.split(rows);
    yield* groupSplit(split, [0, split.places.length], { grouping, others, values });
  }
}

interface Level {
  readonly grouping: Grouping;
  /** Those that split further. */
  readonly others: readonly Grouping[];
  /** Those that all rows have. */
  readonly values: readonly string[];
}

function* groupSplit(
  { places, starts, rows }: Split,
  [from, to]: readonly [number, number],
  { grouping, others, values }: Level,
): Generator<RowGroup> {
  for (let at = from; at < to; at++) {
    const own = rows.subarray(uintAt(starts, at), uintAt(starts, at + 1));
    const all = [...values, grouping.valueAt(uintAt(places, at))];
    if (others.length === 0) yield { values: all, rows: own };
    else yield* groupRows(own, others, all);
  }
}

/** One that the next split leaves alone. */
interface OwnSplit extends Split {
  readonly rows: Uint32Array<ArrayBuffer>;
}

function ownSplit({ rows, ...split }: Split): OwnSplit {
  return { ...split, rows: new Uint32Array(rows) };
}

function groupingsOf(lists: RowLists, family: ListFamily): Grouping[] {
  return family.filters.map((name) => new Grouping(lists, family, name));
}

/** How many lists of which length a family has, by length. */
export function tallyGroups(catalog: Catalog, family: ListFamily): Map<number, Tally> {
  const lists = catalog.rowLists(family.resource.name);
  const pool = catalog.fragments(family.resource.name);
  const tallies = new Map<number, Tally>();
  const groupings = groupingsOf(lists, family);
  for (const { rows } of groupRows(allRows(lists.ids.length), groupings)) {
    const tally = tallies.get(rows.length) ?? { lists: 0, sizeBytes: 0 };
    tally.lists += 1;
    for (let at = 0; at < rows.length; at++) tally.sizeBytes += pool.size(uintAt(rows, at));
    tallies.set(rows.length, tally);
  }
  for (const grouping of groupings) grouping.close();
  return tallies;
}

/** One of equal parts of something that is in an order. */
export interface Part {
  /** From 0. */
  readonly part: number;
  readonly parts: number;
}

const WHOLE: Part = { part: 0, parts: 1 };

/** Where a part of so many begins and ends. */
export function rangeOf({ part, parts }: Part, count: number): [from: number, to: number] {
  return [Math.floor((count * part) / parts), Math.floor((count * (part + 1)) / parts)];
}

/** The first filter's values of a part, by their places in a split: each weighs its rows, and a page that each has at least. */
function valuesOfPart({ places, starts, rows }: Split, perPage: number, part: Part): [number, number] {
  const bounds = rangeOf(part, rows.length + places.length * perPage);
  let [from, to] = [0, 0];
  for (let at = 0; at < places.length; at++) {
    const begin = uintAt(starts, at) + at * perPage;
    if (begin < bounds[0]) from = at + 1;
    if (begin < bounds[1]) to = at + 1;
  }
  return [from, to];
}

/** What families share that differ only by sort or page size. */
class SharedGroups {
  /** Of the resource and the filters. */
  readonly name: string;
  readonly groupings: readonly Grouping[];
  /** By the first filter, of each sort. */
  readonly splits = new Map<string | null, OwnSplit>();

  constructor(name: string, groupings: readonly Grouping[]) {
    this.name = name;
    this.groupings = groupings;
  }

  close(): void {
    for (const grouping of this.groupings) grouping.close();
    for (const { rows } of this.splits.values()) letGo(rows);
  }
}

/**
 * The groups that families render, in order of their values; rows in the family's order. Those of one family are done with
 * when another's are asked for.
 */
export function createGrouper(catalog: Catalog): (family: ListFamily, part?: Part) => Iterable<Group> {
  // Families that share something follow each other, and so do parts of them.
  let shared: SharedGroups | undefined;
  return function* (family, part = WHOLE) {
    const { resource, filters, sort, perPage } = family;
    const lists = catalog.rowLists(resource.name);
    const name = `${resource.name} ${filters.join()}`;
    if (shared?.name !== name) {
      shared?.close();
      shared = new SharedGroups(name, groupingsOf(lists, family));
    }
    const { groupings, splits } = shared;
    const [grouping, ...others] = groupings;
    if (grouping === undefined) {
      // Without a filter all rows are one group, even where there are none: an empty list is an answer too.
      if (part.part === 0) yield { values: [], selection: selectionOf(rowsInOrder(lists, sort)) };
      return;
    }
    const split = splits.get(sort) ?? ownSplit(grouping.split(rowsInOrder(lists, sort)));
    splits.set(sort, split);
    const range = valuesOfPart(split, perPage, part);
    for (const { values, rows } of groupSplit(split, range, { grouping, others, values: [] }))
      yield { values, selection: selectionOf(rows) };
  };
}
