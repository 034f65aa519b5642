/**
 * The capture: triggers in the store write down which rows change, so that a build reads only what follows from those. It is
 * opt-in. What triggers can't see is in one digest of definitions; where that differs, or anything is not understood,
 * everything is read.
 */
import { hash, randomUUID } from "node:crypto";
import { VitrineError } from "../../base/error.ts";
import type { AllowListQuery } from "../../extract/allow-list.ts";
import type { StoreChanges, StoreValue } from "../../extract/store.ts";
import {
  type Ask,
  type CaptureDialect,
  CHANGES,
  type OwnNames,
  type Position,
  PRUNED,
  REGISTRY,
  type Source,
  type StoreSchema,
  type StoreTable,
  type Unique,
} from "./dialect.ts";
import { type FileReads, filesChanged, isKeyColumn, readsOf, rowsLines, withParents } from "./reads.ts";

/** Of the triggers and tables as they are made now; others are replaced by `install`. */
const FORM = "2";

/** The capture as it stands in a store. */
interface Capture extends OwnNames {
  /** Of one installation. */
  readonly epoch: string;
  readonly sources: readonly Source[];
  /** Of its own tables. */
  readonly definition: string;
}

/** Why nothing that stands there of the capture can be used. */
interface Unusable {
  readonly refusal: string;
}

const AGAIN = "install it again (vitrine capture install)";

function isSource(value: unknown): value is readonly [string, string | null] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [table, column] = value as unknown[];
  return typeof table === "string" && (column === null || typeof column === "string");
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return undefined;
  }
}

/** Of a cell with a JSON array; empty where the database says NULL. */
function listOf<Item>(cell: StoreValue | undefined): Item[] {
  return JSON.parse(String(cell ?? "[]")) as Item[];
}

/** The database's tables, views and functions, and all of its definitions that decide what reading it gives. */
export async function readSchema(ask: Ask, { select, complete }: CaptureDialect): Promise<StoreSchema> {
  const found = (await ask(select.tables)).map(
    ([name, sql, refusal, definition, numbers, triggers, on, unique]): StoreTable => ({
      ...{ name: String(name).toLowerCase(), sql: String(sql), definition: String(definition) },
      ...{ numbers: listOf<string>(numbers), on: listOf<string>(on), unique: listOf<Unique>(unique) },
      triggers: new Map(listOf<readonly [string, string]>(triggers).map(([on, text]) => [on, text])),
      refusal: refusal === null ? null : String(refusal),
    }),
  );
  const tables = new Map<string, StoreTable[]>();
  for (const table of (await complete?.(ask, found)) ?? found)
    tables.set(table.name, [...(tables.get(table.name) ?? []), table]);
  const views = (await ask(select.views)).map(
    ([name, text]) => [String(name).toLowerCase(), text === null ? null : String(text)] as const,
  );
  const opaque = (await ask(select.opaque)).map(([name]) => String(name).toLowerCase());
  const identity = JSON.stringify(await ask(select.identity));
  return { tables, views: new Map(views), opaque: new Set(opaque), identity };
}

/** Null where there is none. */
async function readCapture(ask: Ask, dialect: CaptureDialect): Promise<Capture | Unusable | null> {
  const own = (await ask(dialect.select.own)).map(([table, sql, mayRead, columns, definition]) => ({
    ...{ table, sql: String(sql), mayRead: mayRead === 1, definition },
    columns: listOf<string>(columns).join(),
  }));
  if (own.length === 0) return null;
  const hidden = own.filter(({ mayRead }) => !mayRead).map(({ sql }) => sql);
  if (hidden.length > 0)
    return {
      refusal: `this account may not read ${hidden.join(" and ")}: GRANT SELECT on ${CHANGES} and ${REGISTRY}`,
    };
  const [changes, registry] = [CHANGES, REGISTRY].map((name) => own.find(({ table }) => table === name));
  if (changes === undefined || registry === undefined)
    return { refusal: `half of the capture is gone: ${AGAIN}` };
  if (registry.columns !== "name,value" || changes.columns !== dialect.changeColumns.join())
    return { refusal: `the capture is of an older form, whose triggers are not safe: ${AGAIN}` };
  const refusal = (await dialect.readRefusal?.(ask)) ?? null;
  if (refusal !== null) return { refusal };
  const facts = new Map(
    (await ask(`SELECT name, value FROM ${registry.sql}`)).map(([name, value]) => [
      String(name),
      String(value),
    ]),
  );
  const [epoch, sources] = [facts.get("epoch"), parsed(facts.get("sources"))];
  const isSound = Array.isArray(sources) && sources.every(isSource);
  if (facts.get("form") !== FORM || !isSound || epoch === undefined)
    return { refusal: `${REGISTRY} says what this version does not understand: ${AGAIN}` };
  return {
    ...{ epoch, changes: changes.sql, registry: registry.sql, definition: JSON.stringify(own) },
    sources: sources.map(([table, column]) => ({ table, column })),
  };
}

/** Why not every change of a table is written down; null where each is. */
function gapOf(table: StoreTable, { sources, changes }: Capture, dialect: CaptureDialect): string | null {
  if (table.refusal !== null) return table.refusal;
  if (!sources.some(({ table: of }) => of === table.sql)) return `it has no triggers: ${AGAIN}`;
  const wanted = dialect.triggersOf(table, sources, changes);
  const isWhole =
    table.triggers.size === wanted.size && [...wanted].every(([on, text]) => table.triggers.get(on) === text);
  return isWhole ? null : `its triggers are not as they are to be: ${AGAIN}`;
}

/** What is kept of a build for the next one. */
interface State extends Position {
  readonly epoch: string;
  readonly digest: string;
}

const MAGIC = "vitrine capture 3\n";

/** Null where it is none: another store's, or of another version. */
function parseState(bytes: Buffer | null): State | null {
  const text = bytes?.toString() ?? "";
  return text.startsWith(MAGIC) ? (parsed(text.slice(MAGIC.length)) as State | null) : null;
}

function digestOf(
  { definition }: Capture,
  schema: StoreSchema,
  reads: readonly (FileReads | null)[],
): string {
  const read = reads.filter((each) => each !== null);
  const tables = withParents(
    read.flatMap((each) => each.tables),
    schema,
  );
  const definitions = [...tables].map((each) => [each.sql, each.definition, [...each.triggers]]);
  const views = [...new Map(read.flatMap((each) => [...each.views]))];
  return hash("sha256", JSON.stringify([schema.identity, definition, definitions.sort(), views.sort()]));
}

const ALL = { changed: "all" } as const;

/** What changed since a build, as triggers wrote it down. */
export async function capturedChanges(
  ask: Ask,
  dialect: CaptureDialect,
  { before, queries }: { readonly before: Buffer | null; readonly queries: readonly AllowListQuery[] },
): Promise<StoreChanges> {
  const capture = await readCapture(ask, dialect);
  if (capture === null || "refusal" in capture) return { mark: null, ...ALL };
  const schema = await readSchema(ask, dialect);
  const reads = queries.map(({ sql }) => readsOf(sql, schema));
  const { epoch, sources } = capture;
  const digest = digestOf(capture, schema, reads);
  const state = parseState(before);
  const known = state?.epoch === epoch && state.digest === digest ? state : null;
  const { changes, ...position } = await dialect.readChanges(ask, capture.changes, known);
  const mark = Buffer.from(MAGIC + JSON.stringify({ epoch, digest, ...position } satisfies State));
  if (known === null || changes === null) return { mark, ...ALL };
  const isCaptured = (table: StoreTable) => gapOf(table, capture, dialect) === null;
  const files = queries.map((query, at) => ({ query, reads: reads[at] ?? null }));
  return {
    mark,
    ...filesChanged({
      changes: changes.filter(([source]) => source !== PRUNED),
      sources,
      schema,
      files,
      isCaptured,
    }),
  };
}

/** The statement by which a `watch` looks whether anything was committed; null where nothing is written down. */
export async function lookSql(ask: Ask, dialect: CaptureDialect): Promise<string | null> {
  const capture = await readCapture(ask, dialect);
  return capture === null || "refusal" in capture ? null : dialect.lookSql(capture.changes);
}

/** Of each table that files read, the columns that identify its rows: those that are numbers. */
function sourcesFor(tables: Iterable<StoreTable>, queries: readonly AllowListQuery[]): Source[] {
  const lines = queries.flatMap(({ sql }) => rowsLines(sql));
  return [...tables].flatMap(({ name, sql, numbers }) => {
    const named = new Set(lines.filter(({ table }) => table === name).map(({ column }) => column));
    const keys = numbers.filter((column) => named.has(column.toLowerCase()));
    const columns: readonly (string | null)[] = keys.length === 0 ? [null] : keys;
    return columns.map((column) => ({ table: sql, column }));
  });
}

/** @throws VitrineError allow_list_invalid */
function checkLines(queries: readonly AllowListQuery[]): void {
  for (const { name, file, sql } of queries)
    for (const { table, column, to } of rowsLines(sql))
      if (!isKeyColumn(name, to))
        throw new VitrineError(
          "allow_list_invalid",
          `${file} says "rows: ${table}.${column} = ${to}", but its rows can't be known by ${to}: only by id, or by the ` +
            "column that names their product.",
        );
}

/** Statements that remove it, of any form. */
export async function planRemove(ask: Ask, { select }: CaptureDialect): Promise<string[]> {
  return (await ask(select.removal)).map(([statement]) => String(statement));
}

export interface InstallPlan {
  /** All statements of an installation, in the place of one that there may be. */
  readonly statements: readonly string[];
  /** GRANTs that the account needs that builds. */
  readonly grants: readonly string[];
  /** Tables whose changes cannot be written down, and why: files that name them are always read. */
  readonly refused: Readonly<Record<string, string>>;
}

/** @throws VitrineError usage, allow_list_invalid: what it can't hold */
export async function planInstall(
  ask: Ask,
  dialect: CaptureDialect,
  queries: readonly AllowListQuery[],
  definer: string | null,
): Promise<InstallPlan> {
  checkLines(queries);
  const schema = await readSchema(ask, dialect);
  const read = queries.flatMap(({ sql }) => readsOf(sql, schema)?.tables ?? []);
  const all = [...withParents(read, schema)];
  const tables = all.filter(({ refusal }) => refusal === null);
  const sources = sourcesFor(tables, queries);
  const [[changes, registry] = []] = await ask(dialect.select.names);
  const own = { changes: String(changes), registry: String(registry) };
  const facts = {
    form: FORM,
    epoch: randomUUID(),
    sources: JSON.stringify(sources.map(({ table, column }) => [table, column])),
  };
  // Last: without them nothing that stands there counts.
  const register = Object.entries(facts).map(
    ([name, value]) => `INSERT INTO ${own.registry} VALUES ('${name}', ${dialect.quoteText(value)})`,
  );
  const installed = await dialect.installSql(ask, { own, sources, tables, definer });
  const more = dialect.grants?.(tables);
  return {
    statements: [...(await planRemove(ask, dialect)), ...installed, ...register],
    grants:
      more === undefined
        ? []
        : [...Object.values(own).map((table) => `GRANT SELECT ON ${table} TO …`), ...more],
    refused: Object.fromEntries(
      all.flatMap(({ sql, refusal }) => (refusal === null ? [] : [[sql, refusal]])),
    ),
  };
}

/** Statements that remove all changes but the newest; none where there are no more than these. @throws VitrineError usage */
export async function planPrune(ask: Ask, dialect: CaptureDialect, keep: number): Promise<readonly string[]> {
  const capture = await readCapture(ask, dialect);
  if (capture === null || "refusal" in capture)
    throw new VitrineError(
      "usage",
      capture === null
        ? "There is no capture in this store: nothing is written down, and nothing grows."
        : `The capture in this store can't be pruned: ${capture.refusal}.`,
    );
  const [[below = null] = []] = await ask(dialect.pruneBelow(capture.changes, keep));
  return below === null ? [] : dialect.pruneSql(capture.changes, String(below));
}

export interface CaptureStatus {
  readonly installed: boolean;
  /** Why builds can't use it as it is; null where they can, or where there is none. */
  readonly refusal: string | null;
  /** Tables that files read, and whether each change of them is written down. */
  readonly tables: Readonly<Record<string, boolean>>;
  /** Of those where not each is, why. */
  readonly gaps: Readonly<Record<string, string>>;
  /** Files that may read anything: they are always read. */
  readonly opaque: readonly string[];
  /** What is wrong with the accounts that triggers run as. */
  readonly faults: readonly string[];
}

export async function captureStatus(
  ask: Ask,
  dialect: CaptureDialect,
  queries: readonly AllowListQuery[],
): Promise<CaptureStatus> {
  const found = await readCapture(ask, dialect);
  const refusal = found !== null && "refusal" in found ? found.refusal : null;
  const capture = found === null || "refusal" in found ? null : found;
  const schema = await readSchema(ask, dialect);
  const reads = queries.map(({ file, sql }) => ({ file, reads: readsOf(sql, schema) }));
  const read = withParents(
    reads.flatMap((each) => [...(each.reads?.tables ?? [])]),
    schema,
  );
  const gaps = [...read].map((table) => {
    const gap = capture === null ? "" : gapOf(table, capture, dialect);
    const isOnly = (schema.tables.get(table.name)?.length ?? 0) < 2;
    return [isOnly ? table.name : table.sql, gap] as const;
  });
  return {
    installed: found !== null,
    refusal,
    tables: Object.fromEntries(gaps.map(([name, gap]) => [name, gap === null]).sort()),
    gaps: Object.fromEntries(gaps.filter((each): each is readonly [string, string] => Boolean(each[1]))),
    opaque: reads.flatMap((each) => (each.reads === null ? [each.file] : [])),
    faults: (await dialect.readFaults?.(ask)) ?? [],
  };
}
