/** What the capture asks of a kind of database: one file each beside this one. */
import type { StoreValue } from "../store.ts";

export type Rows = readonly (readonly StoreValue[])[];

/** Runs a SELECT and gives its rows. */
export type Ask = (sql: string) => Promise<Rows>;

/** Tables of the capture's own: what changed, and what there is to know of the capture itself. */
export const CHANGES = "vitrine_change";
export const REGISTRY = "vitrine_capture";

/** All that is ours in a store has a name that begins so. */
export const PREFIX = "vitrine_capture_";

/** More changes than these are not looked at one by one. */
export const MOST_CHANGES = 100_000;

/** Changes that a look compares: more than are ever committed in another order than they were made in. */
export const LOOKED_AT = 1000;

/** What the number in a change stands for: its place in this list, from 1. A table has one for each of its keys. */
export interface Source {
  /** As {@link StoreTable.sql}. */
  readonly table: string;
  /** The column whose value a change names; null: it names none, so any row may have changed. */
  readonly column: string | null;
}

/** A table that a file may read. */
export interface StoreTable {
  /** In lower case. */
  readonly name: string;
  /** Its name as SQL takes it. */
  readonly sql: string;
  readonly columns: readonly string[];
  /** Columns of whole numbers: only these can be keys, since only a number can't fail to be written down. */
  readonly numbers: readonly string[];
  /** SQL names of what triggers are to be made on: it, and what inherits from it. */
  readonly on: readonly string[];
  /** What decides, besides its rows, what reading it gives: columns, storage, parts, triggers. */
  readonly definition: string;
  /** Texts of the capture's triggers on it, each by what it is on; "" where one is missing. */
  readonly triggers: ReadonlyMap<string, string>;
  /** Why its changes cannot be written down; null where they can. */
  readonly refusal: string | null;
}

/** What there is in the store's database. Names are in lower case. */
export interface StoreSchema {
  /** Of the database itself, and of what all tables share. */
  readonly identity: string;
  /** By name: of each schema that is looked through one. */
  readonly tables: ReadonlyMap<string, readonly StoreTable[]>;
  /** SQL of views; null where it may not be read. */
  readonly views: ReadonlyMap<string, string | null>;
  /** Names behind which anything may be read: functions of the store's own, other databases and schemas. */
  readonly opaque: ReadonlySet<string>;
  /** Tables whose rows a change of another changes without firing triggers of theirs: that one's SQL name → theirs. */
  readonly cascades: ReadonlyMap<string, readonly Cascade[]>;
}

export interface Cascade {
  /** As {@link StoreTable.sql}. */
  readonly child: string;
  /** Columns of the parent that an update must change to change the child; null: an update never does. */
  readonly onUpdateOf: readonly string[] | null;
}

/** What stands in the store of the capture itself. */
export interface OwnTables {
  /** SQL names; null where there is none. */
  readonly changes: string | null;
  readonly registry: string | null;
  /** Names of the columns of each, in their order: `["xact", "src", …]`. */
  readonly columns: ReadonlyMap<string, readonly string[]>;
  /** Why the account that asks can't make use of them, and what to do; null where it can. */
  readonly refusal: string | null;
  readonly definition: string;
}

/** What a prune leaves behind: which changes are gone, and which prune it was. */
export interface Pruned {
  /** Of the dialect: changes below it are gone. */
  readonly below: string;
  readonly id: string;
}

/** A row of the changes: the number of its source, and the key. */
export type Change = readonly [source: number, id: StoreValue];

/** Where in the changes a build stood. */
export interface Position {
  /** Of the dialect: which changes the build saw. */
  readonly cursor: unknown;
  /** The newest of them: it must still stand. "": there was none. */
  readonly newest: string;
}

export interface ChangesRead extends Position {
  /** Null where not all changes since are known. */
  readonly changes: readonly Change[] | null;
}

/** What an installation is made of. */
export interface Installation {
  readonly sources: readonly Source[];
  readonly tables: readonly StoreTable[];
  readonly schema: StoreSchema;
  /** What the registry is to say. */
  readonly facts: ReadonlyMap<string, string>;
  /** The account that triggers run as, where the database has to be told. */
  readonly definer: string | null;
}

export interface CaptureDialect {
  /** Of {@link CHANGES}, as {@link OwnTables.columns} has them. */
  readonly changeColumns: readonly string[];
  readOwn(ask: Ask): Promise<OwnTables>;
  readSchema(ask: Ask): Promise<StoreSchema>;
  /** The texts that {@link StoreTable.triggers} would have. */
  triggersOf(
    table: StoreTable,
    sources: readonly Source[],
    schema: StoreSchema,
    changes: string,
  ): ReadonlyMap<string, string>;
  /** @param before of an earlier build; null where there is none */
  readChanges(
    ask: Ask,
    changes: string,
    before: Position | null,
    pruned: Pruned | null,
  ): Promise<ChangesRead>;
  /** A statement whose one row differs wherever a change was committed since it was last run. */
  lookSql(changes: string): string;
  /** Below what to prune, so that the newest `keep` changes stay; null where there are no more than these. */
  pruneBelow(ask: Ask, changes: string, keep: number): Promise<string | null>;
  /** Statements that prune, all or none of them; `put` sets a fact in the registry. */
  pruneSql(own: { readonly changes: string; readonly registry: string }, pruned: Pruned): readonly string[];
  /** Statements that make it, where none is. @throws VitrineError what it can't hold */
  installSql(ask: Ask, installation: Installation): Promise<readonly string[]>;
  /** What the account that builds needs, as GRANTs. */
  grantsSql(ask: Ask, tables: readonly StoreTable[]): Promise<readonly string[]>;
  /** Statements that remove whatever there is of it, of any form. */
  removeSql(ask: Ask): Promise<readonly string[]>;
  /** What is wrong with the accounts that triggers run as; in whole sentences. */
  readFaults(ask: Ask): Promise<readonly string[]>;
}

/** Numbers of a table's sources, with their columns. */
export function sourcesOf(
  { sql }: Pick<StoreTable, "sql">,
  sources: readonly Source[],
): { readonly number: number; readonly column: string | null }[] {
  return sources.flatMap(({ table, column }, at) => (table === sql ? [{ number: at + 1, column }] : []));
}

/** By the lower case of the first cell: the other cells of all rows. */
export function groupRows(rows: Rows): ReadonlyMap<string, readonly (readonly string[])[]> {
  const groups = new Map<string, string[][]>();
  for (const [name, ...cells] of rows) {
    const key = String(name).toLowerCase();
    groups.set(key, [...(groups.get(key) ?? []), cells.map(String)]);
  }
  return groups;
}

/** Of rows of tables and columns: each table's columns. */
export function columnsOf(rows: Rows): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const [table, column] of rows)
    found.set(String(table), [...(found.get(String(table)) ?? []), String(column)]);
  return found;
}

/** The first cells of rows, in lower case. */
export function namesOf(rows: Rows): Set<string> {
  return new Set(rows.map(([name]) => String(name).toLowerCase()));
}

/** Tables by their names: those of several schemas may have one. */
export function byName(tables: Iterable<StoreTable>): Map<string, readonly StoreTable[]> {
  const found = new Map<string, readonly StoreTable[]>();
  for (const table of tables) found.set(table.name, [...(found.get(table.name) ?? []), table]);
  return found;
}
