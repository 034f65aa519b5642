/** What the capture asks of a kind of database: one file each in this folder, most of it SQL. */
import type { StoreValue } from "../../extract/store.ts";

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

/** The number that no source has: a change of a prune, whose key is {@link CaptureDialect.pruneSql}'s `below`. */
export const PRUNED = 0;

/** Columns with their collations, of which no two rows have the same. */
export type Unique = readonly (readonly [column: string, collation: string])[];

/** A table that a file may read. */
export interface StoreTable {
  /** In lower case. */
  readonly name: string;
  /** Its name as SQL takes it. */
  readonly sql: string;
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
  /** SQLite: by which `REPLACE` removes rows. */
  readonly unique?: readonly Unique[];
  /** MySQL: tables whose rows go with this one's, or change with its columns, without firing triggers. */
  readonly cascades?: { readonly children: readonly string[]; readonly columns: readonly string[] };
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
}

/** A row of the changes: the number of its source, and the key. */
export type CapturedChange = readonly [source: number, id: StoreValue];

/** Where in the changes a build stood. */
export interface Position {
  /** Of the dialect: which changes the build saw. */
  readonly cursor: unknown;
  /** The newest of them: it must still stand. "": there was none. */
  readonly newest: string;
}

export interface ChangesRead extends Position {
  /** Null where not all changes since are known. */
  readonly changes: readonly CapturedChange[] | null;
}

/** SQL names of the capture's own tables. */
export interface OwnNames {
  readonly changes: string;
  readonly registry: string;
}

/** What an installation is made of. */
export interface Installation {
  readonly own: OwnNames;
  readonly sources: readonly Source[];
  readonly tables: readonly StoreTable[];
  /** The account that triggers run as, where the database has to be given one. */
  readonly definer: string | null;
}

export interface CaptureDialect {
  /** Columns of {@link CHANGES}. */
  readonly changeColumns: readonly string[];
  /** SELECTs; each has the same columns in every dialect, JSON arrays as texts. */
  readonly select: {
    /** Of the capture's tables that there are: name, SQL name, 1 where they may be read, columns, definition. */
    readonly own: string;
    /** One row: SQL names that they are to have. */
    readonly names: string;
    /**
     * Name, SQL name, {@link StoreTable.refusal}, {@link StoreTable.definition}, `[column, isNumber]`s, `[on, text]`s of triggers,
     * {@link StoreTable.on}, {@link StoreTable.unique}.
     */
    readonly tables: string;
    /** Name and text; no text where it may not be read. */
    readonly views: string;
    readonly opaque: string;
    /** Whatever {@link StoreSchema.identity} is made of. */
    readonly identity: string;
    /** Statements that remove whatever there is of the capture, of any form, in their order. */
    readonly removal: string;
  };
  /** What no SELECT above says of tables. */
  complete?(ask: Ask, tables: readonly StoreTable[]): Promise<readonly StoreTable[]>;
  /** Why the account that asks can't make use of what is installed, and what to do; null where it can. */
  readRefusal?(ask: Ask): Promise<string | null>;
  /** The texts that {@link StoreTable.triggers} would have. */
  triggersOf(table: StoreTable, sources: readonly Source[], changes: string): ReadonlyMap<string, string>;
  /** @param before of an earlier build; null where there is none */
  readChanges(ask: Ask, changes: string, before: Position | null): Promise<ChangesRead>;
  /** A SELECT whose one row differs wherever a change was committed since it was last run. */
  lookSql(changes: string): string;
  /** A SELECT of below what to prune, so that the newest `keep` changes stay; NULL where there are no more than these. */
  pruneBelow(changes: string, keep: number): string;
  /** Statements that prune, all or none of them: they write down a change {@link PRUNED}, too. */
  pruneSql(changes: string, below: string): readonly string[];
  /** Statements that make tables and triggers, where none are. @throws VitrineError what it can't hold */
  installSql(ask: Ask, installation: Installation): Promise<readonly string[]>;
  /** A text as SQL says it. */
  quoteText(text: string): string;
  /** What the account that builds needs besides reading the capture's tables, as GRANTs. */
  grants?(tables: readonly StoreTable[]): readonly string[];
  /** What is wrong with the accounts that triggers run as; in whole sentences. */
  readFaults?(ask: Ask): Promise<readonly string[]>;
}

/** Numbers of a table's sources, with their columns. */
export function sourcesOf(
  { sql }: Pick<StoreTable, "sql">,
  sources: readonly Source[],
): { readonly number: number; readonly column: string | null }[] {
  return sources.flatMap(({ table, column }, at) => (table === sql ? [{ number: at + 1, column }] : []));
}
