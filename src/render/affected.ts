/** Which lists a change of rows is in, and which of their pages it changes. */
import { uintAt } from "../base/item-at.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { ResourceName } from "../catalog/resources.ts";
import type { Conditions, Table } from "../catalog/table.ts";
import type { ListFamily } from "./grid.ts";

/** Ids of rows that were put and deleted, in order of id. */
interface ChangedRows {
  readonly put: readonly { readonly id: number }[];
  readonly deleted: readonly number[];
}

/** A catalog before and after a change of some rows. */
export interface CatalogChange {
  readonly before: Catalog;
  readonly after: Catalog;
  readonly rows: ReadonlyMap<ResourceName, ChangedRows>;
}

/** A row that changed: its number in the table before and after, -1 where it was not there. */
interface Moved {
  readonly before: number;
  readonly after: number;
}

/** A list with the changed rows that are or were in it. */
export interface AffectedList {
  /** One value for each filter, in their order. */
  readonly values: readonly string[];
  /** Rows of the list before and after; null where it is none: a list without a row, selected by a value. */
  readonly before: number | null;
  readonly after: number | null;
  readonly rows: readonly { readonly row: Moved; readonly wasIn: boolean; readonly isIn: boolean }[];
}

function movedRows({ before, after, rows }: CatalogChange, name: ResourceName): Moved[] {
  const { put = [], deleted = [] } = rows.get(name) ?? {};
  const [old, next] = [before.table(name), after.table(name)];
  const ids = [...put.map(({ id }) => id), ...deleted];
  return ids.map((id) => ({ before: old.rowOf(id), after: next.rowOf(id) }));
}

/** Calls with each combination of values that keeps a row; a value that is a parameter's default makes no list of its own. */
function forEachCombination(
  table: Table,
  { endpoint, filters }: ListFamily,
  row: number,
  visit: (values: readonly string[]) => void,
): void {
  const descend = (at: number, values: readonly string[]): void => {
    const param = filters[at];
    if (param === undefined) {
      visit(values);
      return;
    }
    const standard = endpoint.params.find(({ name }) => name === param)?.default;
    for (const value of table.filter(param).valuesOf(row))
      if (value !== standard) descend(at + 1, [...values, value]);
  };
  descend(0, []);
}

/** The conditions that select a list of a family. */
export function conditionsOf({ filters }: ListFamily, values: readonly string[]): Conditions {
  return { equal: filters.map((param, at) => [param, values[at] ?? ""] as const) };
}

/** Lists of a family that have or had a changed row. The same for all families that differ only by sort and page size. */
function affectedLists(change: CatalogChange, family: ListFamily): AffectedList[] {
  const { name } = family.resource;
  const [before, after] = [change.before.table(name), change.after.table(name)];
  interface Seen {
    readonly values: readonly string[];
    readonly rows: Map<Moved, { wasIn: boolean; isIn: boolean }>;
  }
  const lists = new Map<string, Seen>();
  const see = (values: readonly string[], row: Moved, side: "wasIn" | "isIn") => {
    const key = values.join("\n");
    const list = lists.get(key) ?? { values, rows: new Map() };
    lists.set(key, list);
    list.rows.set(row, { ...(list.rows.get(row) ?? { wasIn: false, isIn: false }), [side]: true });
  };
  for (const row of movedRows(change, name)) {
    if (row.before >= 0)
      forEachCombination(before, family, row.before, (values) => see(values, row, "wasIn"));
    if (row.after >= 0) forEachCombination(after, family, row.after, (values) => see(values, row, "isIn"));
  }
  return [...lists.values()].map(({ values, rows: sides }) => {
    const rows = [...sides].map(([row, each]) => ({ row, ...each }));
    const count = (side: "wasIn" | "isIn") => rows.reduce((sum, each) => sum + Number(each[side]), 0);
    const { total } = before.select(conditionsOf(family, values), null);
    const listed = (rowsIn: number) => (rowsIn > 0 || values.length === 0 ? rowsIn : null);
    return { values, before: listed(total), after: listed(total - count("wasIn") + count("isIn")), rows };
  });
}

/** Lists of families, found once for all that differ only by sort and page size. */
export function createFinder(change: CatalogChange): (family: ListFamily) => readonly AffectedList[] {
  const known = new Map<string, readonly AffectedList[]>();
  return (family) => {
    if (!change.rows.has(family.resource.name)) return [];
    const name = `${family.endpoint.path} ${family.filters.join()}`;
    const lists = known.get(name) ?? affectedLists(change, family);
    known.set(name, lists);
    return lists;
  };
}

interface Pages {
  readonly size: number;
  readonly last: number;
}

/** Where many rows of a list changed: its rows before and after, page by page. */
function differingPages(
  { before, after }: CatalogChange,
  family: ListFamily,
  { values, rows }: AffectedList,
  { size, last }: Pages,
): number[] {
  const [old, next] = [before.table(family.resource.name), after.table(family.resource.name)];
  const conditions = conditionsOf(family, values);
  const had = old.select(conditions, family.sort).slice(0, last * size);
  const has = next.select(conditions, family.sort).slice(0, last * size);
  const changed = new Set(rows.map(({ row }) => row.after));
  const pages: number[] = [];
  for (let at = 0; at < has.length; at++) {
    const row = uintAt(has, at);
    if (!changed.has(row) && next.idAt(row) === old.idAt(uintAt(had, at))) continue;
    const page = Math.floor(at / size) + 1;
    pages.push(page);
    at = page * size - 1;
  }
  return pages;
}

/**
 * The pages of a list, from 1 up to `last`, that may say something else than before: those on which a changed row stands,
 * those between the places of one that moved, and all where the list is longer or shorter, for each says how long.
 */
export function dirtyPages(
  change: CatalogChange,
  family: ListFamily,
  list: AffectedList,
  { size, last }: Pages,
): readonly number[] {
  if (list.before !== list.after) return Array.from({ length: last }, (_, at) => at + 1);
  // Looking for each row's place costs as much as reading a page's rows.
  if (list.rows.length >= last) return differingPages(change, family, list, { size, last });
  const { name } = family.resource;
  const [before, after] = [change.before.table(name), change.after.table(name)];
  const conditions = conditionsOf(family, list.values);
  const pages = new Set<number>();
  let [from, to] = [Infinity, -1];
  for (const { row, wasIn, isIn } of list.rows) {
    const places = [
      ...(wasIn ? [before.positionIn(conditions.equal, family.sort, row.before)] : []),
      ...(isIn ? [after.positionIn(conditions.equal, family.sort, row.after)] : []),
    ];
    if (wasIn && isIn && places[0] === places[1]) pages.add(Math.floor((places[0] ?? 0) / size) + 1);
    else {
      from = Math.min(from, ...places);
      to = Math.max(to, ...places);
    }
  }
  if (to >= 0)
    for (let page = Math.floor(from / size); page <= Math.floor(to / size); page++) pages.add(page + 1);
  return [...pages].filter((page) => page <= last).sort((a, b) => a - b);
}
