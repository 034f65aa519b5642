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

/** Calls with the number of each combination that a row belongs to: filters' codes as digits, the first highest. */
function forEachCombination(
  groupings: readonly Grouping[],
  row: number,
  visit: (combination: number) => void,
): void {
  const descend = (at: number, prefix: number): void => {
    const grouping = groupings[at];
    if (grouping === undefined) visit(prefix);
    else {
      const { index, plain } = grouping;
      index.forEachValueOf(row, (code) => {
        if (code !== plain) descend(at + 1, prefix * index.values.length + code);
      });
    }
  };
  descend(0, 0);
}

/** Which groups each row is in. Groups are numbered in order of their values. */
interface Partition {
  readonly groupings: readonly Grouping[];
  /** Of each group, ascending. */
  readonly combinations: readonly number[];
  /** Rows of each group. */
  readonly totals: Uint32Array;
  /** The groups of row 0, of row 1, …; where those of each row begin, and one more. */
  readonly members: Uint32Array;
  readonly starts: Uint32Array;
}

/** Without a filter all rows are one group, even where there are none: an empty list is an answer too. */
function partition(table: Table, family: ListFamily): Partition {
  const groupings = groupingsOf(table, family);
  const seen = new Map<number, number>();
  if (groupings.length === 0) seen.set(0, 0);
  const members: number[] = [];
  const starts = new Uint32Array(table.size + 1);
  for (let row = 0; row < table.size; row++) {
    forEachCombination(groupings, row, (combination) => {
      const number = seen.get(combination) ?? seen.size;
      if (number === seen.size) seen.set(combination, number);
      members.push(number);
    });
    starts[row + 1] = members.length;
  }
  const ordered = [...seen].sort(([a], [b]) => a - b);
  const combinations = ordered.map(([combination]) => combination);
  const places = new Uint32Array(seen.size);
  ordered.forEach(([, number], place) => {
    places[number] = place;
  });
  const totals = new Uint32Array(seen.size);
  const placed = Uint32Array.from(members, (number) => itemAt(places, number));
  for (const group of placed) totals[group] = itemAt(totals, group) + 1;
  return { groupings, combinations, totals, members: placed, starts };
}

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
