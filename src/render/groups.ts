/** The rows of a list, grouped by the values of some filters: each combination that has a result, once. */
import { itemAt } from "../base/item-at.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { FilterIndex } from "../catalog/filter-index.ts";
import { type Selection, selectionOf, type Table } from "../catalog/table.ts";
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

/** A filter that groups. */
interface Grouping {
  readonly index: FilterIndex;
  /** Code of the value that equals the parameter's default: with it, the list is the one without that filter. -1: none. */
  readonly plain: number;
}

function groupingsOf(table: Table, { endpoint, filters }: ListFamily): Grouping[] {
  return filters.map((name) => {
    const index = table.filter(name);
    const standard = endpoint.params.find((param) => param.name === name)?.default;
    return { index, plain: standard === undefined ? -1 : index.values.indexOf(standard) };
  });
}

/** Numbers of each row, one row after the other. */
interface RowNumbers {
  readonly numbers: Float64Array;
  /** Where those of each row begin, and one more. */
  readonly starts: Uint32Array;
}

/** The places of the values that keep each row, but for the default's. */
function placesOf({ index, plain }: Grouping, size: number): RowNumbers {
  const starts = new Uint32Array(size + 1);
  let numbers = new Float64Array(size);
  let end = 0;
  const add = (place: number): void => {
    if (place === plain) return;
    if (end === numbers.length) {
      const larger = new Float64Array(2 * end + 1);
      larger.set(numbers);
      numbers = larger;
    }
    numbers[end++] = place;
  };
  for (let row = 0; row < size; row++) {
    index.forEachValueOf(row, add);
    starts[row + 1] = end;
  }
  return { numbers: numbers.subarray(0, end), starts };
}

/** Each number of a row with each place of it: filters' places are the digits of a combination, the first highest. */
function combine(before: RowNumbers, { numbers, starts }: RowNumbers, base: number): RowNumbers {
  const size = starts.length - 1;
  const combined = new Uint32Array(size + 1);
  for (let row = 0; row < size; row++) {
    const prefixes = itemAt(before.starts, row + 1) - itemAt(before.starts, row);
    combined[row + 1] = itemAt(combined, row) + prefixes * (itemAt(starts, row + 1) - itemAt(starts, row));
  }
  const next = new Float64Array(itemAt(combined, size));
  let end = 0;
  for (let row = 0; row < size; row++) {
    for (let at = itemAt(before.starts, row); at < itemAt(before.starts, row + 1); at++) {
      const prefix = itemAt(before.numbers, at) * base;
      for (let digit = itemAt(starts, row); digit < itemAt(starts, row + 1); digit++)
        next[end++] = prefix + itemAt(numbers, digit);
    }
  }
  return { numbers: next, starts: combined };
}

/** The combinations that each row belongs to; without a filter all belong to the one there is. */
function combinationsOf(groupings: readonly Grouping[], size: number): RowNumbers {
  const starts = Uint32Array.from({ length: size + 1 }, (_, row) => row);
  let combined: RowNumbers = { numbers: new Float64Array(size), starts };
  for (const grouping of groupings)
    combined = combine(combined, placesOf(grouping, size), grouping.index.values.length);
  return combined;
}

/** More combinations than this are not counted in an array of all that could be. */
const MOST_COUNTED = 2 ** 22;

/** The distinct ones of whole numbers below `end`, ascending, and the place of each number among them. */
function rank(numbers: Float64Array, end: number): { distinct: Float64Array; places: Uint32Array } {
  if (end > MOST_COUNTED) {
    const distinct = numbers.toSorted().filter((number, at, all) => number !== all[at - 1]);
    const known = new Map(Array.from(distinct, (number, place) => [number, place]));
    return { distinct, places: Uint32Array.from(numbers, (number) => known.get(number) ?? 0) };
  }
  const placeOf = new Uint32Array(end);
  let count = 0;
  for (const number of numbers) {
    if (placeOf[number] === 0) count += 1;
    placeOf[number] = 1;
  }
  const distinct = new Float64Array(count);
  let place = 0;
  for (let number = 0; number < end; number++) {
    if (placeOf[number] === 0) continue;
    distinct[place] = number;
    placeOf[number] = place++;
  }
  return { distinct, places: Uint32Array.from(numbers, (number) => itemAt(placeOf, number)) };
}

/** Which groups each row is in. Groups are numbered in order of their values. */
interface Partition {
  readonly groupings: readonly Grouping[];
  /** Of each group, ascending. */
  readonly combinations: Float64Array;
  /** Rows of each group. */
  readonly totals: Uint32Array;
  /** The groups of row 0, of row 1, …; where those of each row begin, and one more. */
  readonly members: Uint32Array;
  readonly starts: Uint32Array;
}

/** Without a filter all rows are one group, even where there are none: an empty list is an answer too. */
function partition(table: Table, family: ListFamily): Partition {
  const groupings = groupingsOf(table, family);
  if (groupings.length === 0 && table.size === 0) return EMPTY_LIST;
  const { numbers, starts } = combinationsOf(groupings, table.size);
  const end = groupings.reduce((product, { index }) => product * index.values.length, 1);
  const { distinct: combinations, places: members } = rank(numbers, end);
  const totals = new Uint32Array(combinations.length);
  for (const group of members) totals[group] = itemAt(totals, group) + 1;
  return { groupings, combinations, totals, members, starts };
}

const EMPTY_LIST: Partition = {
  groupings: [],
  combinations: new Float64Array(1),
  totals: new Uint32Array(1),
  members: new Uint32Array(0),
  starts: new Uint32Array(1),
};

function valuesOf(groupings: readonly Grouping[], combination: number): string[] {
  const values: string[] = [];
  let rest = combination;
  for (const { index } of groupings.toReversed()) {
    values.unshift(index.values[rest % index.values.length] ?? "");
    rest = Math.floor(rest / index.values.length);
  }
  return values;
}

/** How many lists of which length a family has, by length. */
export function tallyGroups(catalog: Catalog, family: ListFamily): Map<number, Tally> {
  const table = catalog.table(family.resource.name);
  const pool = catalog.fragments(family.resource.name);
  const { totals, members, starts } = partition(table, family);
  const sizes = new Float64Array(totals.length);
  for (let row = 0; row < table.size; row++) {
    const sizeBytes = pool.size(row);
    for (const group of members.subarray(starts[row], starts[row + 1]))
      sizes[group] = itemAt(sizes, group) + sizeBytes;
  }
  const tallies = new Map<number, Tally>();
  totals.forEach((total, group) => {
    const tally = tallies.get(total) ?? { lists: 0, sizeBytes: 0 };
    tally.lists += 1;
    tally.sizeBytes += itemAt(sizes, group);
    tallies.set(total, tally);
  });
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

/** The groups that families render, in order of their values; rows in the family's order. */
export function createGrouper(catalog: Catalog): (family: ListFamily, part?: Part) => Iterable<Group> {
  // Families that differ only by sort follow each other, and so do parts of one: what they share is made once.
  let parted: { readonly name: string; readonly made: Partition } | undefined;
  let ordered: { readonly family: ListFamily; readonly made: OrderedGroups } | undefined;
  return (family, part = WHOLE) => {
    const table = catalog.table(family.resource.name);
    const name = `${family.resource.name} ${family.filters.join()}`;
    if (parted?.name !== name) parted = { name, made: partition(table, family) };
    if (ordered?.family !== family) {
      const rows = table.select({ equal: [] }, family.sort).slice(0, table.size);
      ordered = { family, made: orderGroups(parted.made, rows) };
    }
    return groupsOf(parted.made, ordered.made, rangeOf(part, parted.made.totals.length));
  };
}

/** The rows of each group, one group after the other. */
interface OrderedGroups {
  readonly rows: Uint32Array;
  /** Where each group ends. */
  readonly ends: Uint32Array;
}

function orderGroups({ totals, members, starts }: Partition, rows: Uint32Array): OrderedGroups {
  const ends = new Uint32Array(totals.length);
  for (let group = 1; group < ends.length; group++)
    ends[group] = itemAt(ends, group - 1) + itemAt(totals, group - 1);
  const ordered = new Uint32Array(members.length);
  for (const row of rows) {
    const end = itemAt(starts, row + 1);
    for (let at = itemAt(starts, row); at < end; at++) {
      const group = itemAt(members, at);
      const place = itemAt(ends, group);
      ordered[place] = row;
      ends[group] = place + 1;
    }
  }
  return { rows: ordered, ends };
}

function* groupsOf(
  { groupings, combinations, totals }: Partition,
  { rows, ends }: OrderedGroups,
  [from, to]: [number, number],
): Generator<Group> {
  for (let group = from; group < to; group++) {
    const end = itemAt(ends, group);
    const own = rows.subarray(end - itemAt(totals, group), end);
    yield { values: valuesOf(groupings, itemAt(combinations, group)), selection: selectionOf(own) };
  }
}
