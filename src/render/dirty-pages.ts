/** Which files of a family differ between two catalogs, or are all new where there is none before; each is made when it is written. */
import { uintAt } from "../base/arrays.ts";
import { detailBody, pageBody, pageCount, pageOf } from "../catalog/answer.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { type Allocate, type Body, reusedMemory } from "../catalog/envelope.ts";
import { type ResourceName, resourceNamed } from "../catalog/resources.ts";
import type { Conditions, Selection, Table } from "../catalog/table.ts";
import { keyOf, mayHaveFile } from "../key/key.ts";
import type { SnapshotWriter } from "../snapshot/staging.ts";
import { ALIASES, type DetailFamily, type ListFamily, queryFor } from "./grid.ts";
import type { Group } from "./groups.ts";
import type { Reach } from "./plan.ts";

/** Ids of rows that were put and deleted, in order of id. */
interface ChangedRows {
  readonly put: readonly { readonly id: number }[];
  readonly deleted: readonly number[];
}

/** A catalog before and after a change of some rows. */
export interface ChangedCatalog {
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
export interface DirtyList {
  /** One value for each filter, in their order. */
  readonly values: readonly string[];
  /** Rows of the list before and after; null where it is none: a list without a row, selected by a value. */
  readonly before: number | null;
  readonly after: number | null;
  readonly rows: readonly { readonly row: Moved; readonly wasIn: boolean; readonly isIn: boolean }[];
}

function movedRows({ before, after, rows }: ChangedCatalog, name: ResourceName): Moved[] {
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
function conditionsOf({ filters }: ListFamily, values: readonly string[]): Conditions {
  return { equal: filters.map((param, at) => [param, values[at] ?? ""] as const) };
}

/** Lists of a family that have or had a changed row. The same for all families that differ only by sort and page size. */
function dirtyListsOf(change: ChangedCatalog, family: ListFamily): DirtyList[] {
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
export function createFinder(change: ChangedCatalog): (family: ListFamily) => readonly DirtyList[] {
  const known = new Map<string, readonly DirtyList[]>();
  return (family) => {
    if (!change.rows.has(family.resource.name)) return [];
    const name = `${family.endpoint.path} ${family.filters.join()}`;
    const lists = known.get(name) ?? dirtyListsOf(change, family);
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
  { before, after }: ChangedCatalog,
  family: ListFamily,
  { values, rows }: DirtyList,
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
function pagesOfRows(
  change: ChangedCatalog,
  family: ListFamily,
  list: DirtyList,
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

/** Two catalogs, the one before only where there is one. */
type Catalogs = Pick<ChangedCatalog, "after"> & { readonly before: Catalog | null };

/** How far a family's files go, before and after. */
export interface Reaches {
  readonly before: Reach;
  readonly after: Reach;
}

export const NO_REACH: Reach = { pages: { body: 0, link: 0 }, files: 0 };

function isSameReach({ before, after }: Reaches): boolean {
  return before.pages.body === after.pages.body && before.pages.link === after.pages.link;
}

/** A file to be made, with the keys that have the same bytes; or one that is gone. */
export type DirtyFile =
  | { readonly key: string; readonly aliases: readonly string[]; make(allocate: Allocate): Body }
  | { readonly gone: string };

/** Makes files, each in the memory of the one before it. */
export function writeFiles(files: Iterable<DirtyFile>, writer: SnapshotWriter): void {
  const allocate = reusedMemory();
  for (const file of files) {
    if ("gone" in file) writer.remove(file.gone);
    else writer.put(file.key, file.make(allocate), file.aliases);
  }
}

function slugsOf(catalog: Catalog | null, name: string): (id: number) => string | null {
  const slug = catalog?.db.prepare<[number], string>(`SELECT slug FROM ${name} WHERE id = ?`).pluck();
  return (id) => slug?.get(id) ?? null;
}

/** The files of records, each alone; of those with these ids where files reach as far as before, else of all. */
export function* dirtyDetails(
  { before, after }: Catalogs,
  { endpoint, resource, alias }: DetailFamily,
  reaches: Reaches,
  changed: Iterable<number>,
): Generator<DirtyFile> {
  const { name } = resource;
  const isWhole = before !== null && !isSameReach(reaches);
  const ids = isWhole ? new Set([...before.table(name).ids, ...after.table(name).ids]) : changed;
  const [slugBefore, slugAfter] = [slugsOf(before, name), slugsOf(after, name)];
  const byId = alias === null ? undefined : ALIASES[alias];
  const keyFor = (values: Readonly<Record<string, string>>) => keyOf(queryFor(endpoint, values));
  const keysOf = (id: number, slug: string | null, { pages }: Reach): string[] => {
    if (slug === null || pages.body === 0) return [];
    const isLinked = byId !== undefined && pages.link > 0;
    return [keyFor({ slug }), ...(isLinked ? [keyFor({ [byId]: String(id) })] : [])];
  };
  for (const id of ids) {
    const [was, is] = [slugBefore(id), slugAfter(id)];
    if (was !== is || isWhole) for (const gone of keysOf(id, was, reaches.before)) yield { gone };
    const [key, ...aliases] = keysOf(id, is, reaches.after);
    const json = key === undefined ? null : after.detail(resource, id);
    if (key === undefined || json === null) continue;
    yield { key, aliases, make: (allocate) => detailBody(json, allocate) };
  }
}

/** What is asked for where a list of a family is meant. */
function askedOf({ filters, sort, perPage }: ListFamily, values: readonly string[]): Record<string, string> {
  return {
    per_page: String(perPage),
    ...(sort === null ? {} : { sort }),
    ...Object.fromEntries(filters.map((param, at) => [param, values[at] ?? ""])),
  };
}

/** The same selection by the product's id, or null where it does not select a product by slug. */
function aliasOf(
  catalog: Catalog,
  { alias }: ListFamily,
  asked: Readonly<Record<string, string>>,
): Record<string, string> | null {
  if (alias === null) return null;
  const { [alias]: slug, ...rest } = asked;
  const id = catalog.idOfSlug(resourceNamed("product"), slug ?? "");
  return id === null ? null : { ...rest, [ALIASES[alias] as string]: String(id) };
}

/** How many pages of a list are files, and how many of those also under the product's id. */
interface Extent {
  readonly body: number;
  readonly link: number;
  readonly alias: Readonly<Record<string, string>> | null;
}

function isSameAlias(a: Extent, b: Extent): boolean {
  return JSON.stringify(a.alias) === JSON.stringify(b.alias);
}

/** The files of lists of one family. */
class ListWalk {
  readonly #catalogs: Catalogs;
  readonly #family: ListFamily;
  readonly #reaches: Reaches;
  readonly #size: number;

  constructor(catalogs: Catalogs, family: ListFamily, reaches: Reaches) {
    this.#catalogs = catalogs;
    this.#family = family;
    this.#reaches = reaches;
    this.#size = pageOf(queryFor(family.endpoint, { per_page: String(family.perPage) })).size;
  }

  /** `pagesOf`: the pages that differ of those that were and are; `select`: the list's rows. */
  *files(
    list: Pick<DirtyList, "values" | "before" | "after">,
    pagesOf: (last: number) => readonly number[],
    select: () => Selection,
  ): Generator<DirtyFile> {
    const { before, after } = this.#catalogs;
    const asked = askedOf(this.#family, list.values);
    const was = this.#extent(before, asked, list.before, this.#reaches.before);
    const is = this.#extent(after, asked, list.after, this.#reaches.after);
    const hasSameAlias = isSameAlias(was, is);
    for (let page = 1; page <= was.body; page++) {
      if (page > is.body) yield { gone: this.#key(asked, page) };
      const isLink = page <= is.link && hasSameAlias;
      if (was.alias !== null && page <= was.link && !isLink) yield { gone: this.#key(was.alias, page) };
    }
    if (is.body === 0) return;
    const pages = new Set(was.body === 0 ? [] : pagesOf(is.body));
    for (let page = was.body + 1; page <= is.body; page++) pages.add(page);
    for (let page = hasSameAlias ? was.link + 1 : 1; page <= is.link; page++) pages.add(page);
    const selection = select();
    for (const page of pages) yield* this.#page(asked, page, selection, is);
  }

  #extent(
    catalog: Catalog | null,
    asked: Readonly<Record<string, string>>,
    total: number | null,
    { pages }: Reach,
  ): Extent {
    if (catalog === null || total === null) return { body: 0, link: 0, alias: null };
    const body = Math.min(pages.body, pageCount(this.#family.endpoint, total, this.#size));
    const alias = pages.link > 0 ? aliasOf(catalog, this.#family, asked) : null;
    return { body, link: alias === null ? 0 : Math.min(body, pages.link), alias };
  }

  *#page(
    asked: Readonly<Record<string, string>>,
    page: number,
    selection: Selection,
    { link, alias }: Extent,
  ): Generator<DirtyFile> {
    const { endpoint, resource } = this.#family;
    const query = queryFor(endpoint, { ...asked, page: String(page) });
    const key = keyOf(query);
    if (!mayHaveFile(query, key)) return;
    const aliases = alias !== null && page <= link ? [this.#key(alias, page)] : [];
    const make = (allocate: Allocate) => pageBody(this.#catalogs.after, resource, query, selection, allocate);
    yield { key, aliases, make };
  }

  #key(values: Readonly<Record<string, string>>, page: number): string {
    return keyOf(queryFor(this.#family.endpoint, { ...values, page: String(page) }));
  }
}

/** All files of lists, as groups give them. */
export function* allPages(
  after: Catalog,
  family: ListFamily,
  reach: Reach,
  groups: Iterable<Group>,
): Generator<DirtyFile> {
  const walk = new ListWalk({ before: null, after }, family, { before: NO_REACH, after: reach });
  for (const { values, selection } of groups) {
    const list = { values, before: null, after: selection.total };
    yield* walk.files(
      list,
      () => [],
      () => selection,
    );
  }
}

/**
 * The files of a family's lists that differ. `lists` are those that changed; where files reach further or less far now, all are
 * looked at.
 */
export function* dirtyPages(
  change: ChangedCatalog,
  family: ListFamily,
  reaches: Reaches,
  lists: readonly DirtyList[],
  groups: () => Iterable<Group>,
): Generator<DirtyFile> {
  const walk = new ListWalk(change, family, reaches);
  const changed = new Set(lists.map(({ values }) => values.join("\n")));
  if (!isSameReach(reaches)) {
    for (const { values, selection } of groups()) {
      if (changed.has(values.join("\n"))) continue;
      const list = { values, before: selection.total, after: selection.total };
      yield* walk.files(
        list,
        () => [],
        () => selection,
      );
    }
  }
  const { size } = pageOf(queryFor(family.endpoint, { per_page: String(family.perPage) }));
  const table = change.after.table(family.resource.name);
  for (const list of lists)
    yield* walk.files(
      list,
      (last) => pagesOfRows(change, family, list, { size, last }),
      () => table.select(conditionsOf(family, list.values), family.sort),
    );
}
