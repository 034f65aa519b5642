/**
 * The capture: triggers in the store write down which rows change, so that a build reads only what follows from those. It is
 * opt-in. What triggers can't see is in one digest of definitions; where that differs, or anything is not understood,
 * everything is read.
 */
import { hash, randomUUID } from "node:crypto";
import { VitrineError } from "../../base/error.ts";
import type { AllowListQuery } from "../allow-list.ts";
import type { StoreChanges } from "../store.ts";
import { filesChanged } from "./changed-files.ts";
import {
  type Ask,
  type CaptureDialect,
  CHANGES,
  type OwnTables,
  type Position,
  type Pruned,
  REGISTRY,
  type Source,
  type StoreSchema,
  type StoreTable,
} from "./dialect.ts";
import { type FileReads, isTellingColumn, readsOf, rowsLines, withParents } from "./reads.ts";

/** Of the triggers and tables as they are made now; others are replaced by `install`. */
const FORM = "2";

/** The capture as it stands in a store. */
interface Capture {
  /** Of one installation. */
  readonly epoch: string;
  readonly sources: readonly Source[];
  readonly pruned: Pruned | null;
  readonly own: OwnTables & { readonly changes: string; readonly registry: string };
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

function prunedOf(text: string | undefined): Pruned | null | undefined {
  if (text === undefined) return null;
  const { below, id } = (parsed(text) ?? {}) as Partial<Pruned>;
  return /^\d{1,20}$/.test(String(below)) && typeof id === "string"
    ? { below: String(below), id }
    : undefined;
}

/** Null where there is none. */
async function readCapture(ask: Ask, dialect: CaptureDialect): Promise<Capture | Unusable | null> {
  const own = await dialect.readOwn(ask);
  const { changes, registry, columns } = own;
  if (own.refusal !== null) return { refusal: own.refusal };
  if (changes === null && registry === null) return null;
  if (changes === null || registry === null) return { refusal: `half of the capture is gone: ${AGAIN}` };
  const isOfThisForm =
    columns.get(REGISTRY)?.join() === "name,value" &&
    columns.get(CHANGES)?.join() === dialect.changeColumns.join();
  if (!isOfThisForm)
    return { refusal: `the capture is of an older form, whose triggers are not safe: ${AGAIN}` };
  const facts = new Map(
    (await ask(`SELECT name, value FROM ${registry}`)).map(([name, value]) => [String(name), String(value)]),
  );
  const [epoch, sources] = [facts.get("epoch"), parsed(facts.get("sources"))];
  const pruned = prunedOf(facts.get("pruned"));
  const isSound = Array.isArray(sources) && sources.every(isSource) && epoch !== undefined;
  if (facts.get("form") !== FORM || !isSound || pruned === undefined)
    return { refusal: `${REGISTRY} says what this version does not understand: ${AGAIN}` };
  return {
    ...{ epoch, pruned, own: { ...own, changes, registry } },
    sources: sources.map(([table, column]) => ({ table, column })),
  };
}

/** Why not every change of a table is written down; null where each is. */
function gapOf(
  table: StoreTable,
  { sources, own }: Capture,
  dialect: CaptureDialect,
  schema: StoreSchema,
): string | null {
  if (table.refusal !== null) return table.refusal;
  if (!sources.some(({ table: of }) => of === table.sql)) return `it has no triggers: ${AGAIN}`;
  const wanted = dialect.triggersOf(table, sources, schema, own.changes);
  const isWhole =
    table.triggers.size === wanted.size && [...wanted].every(([on, text]) => table.triggers.get(on) === text);
  return isWhole ? null : `its triggers are not as they are to be: ${AGAIN}`;
}

/** What is kept of a build for the next one. */
interface State extends Position {
  readonly epoch: string;
  readonly digest: string;
}

const MAGIC = "vitrine capture 2\n";

/** Null where it is none: another store's, or of another version. */
function parseState(bytes: Buffer | null): State | null {
  const text = bytes?.toString() ?? "";
  return text.startsWith(MAGIC) ? (parsed(text.slice(MAGIC.length)) as State | null) : null;
}

function digestOf({ own }: Capture, schema: StoreSchema, reads: readonly (FileReads | null)[]): string {
  const read = reads.filter((each) => each !== null);
  const tables = withParents(
    read.flatMap((each) => each.tables),
    schema,
  );
  const definitions = [...tables].map(({ sql, definition, triggers }) => [sql, definition, [...triggers]]);
  const views = [...new Map(read.flatMap((each) => [...each.views]))];
  const all = [schema.identity, own.definition, [...schema.cascades]];
  return hash("sha256", JSON.stringify([...all, definitions.sort(), views.sort()]));
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
  const schema = await dialect.readSchema(ask);
  const reads = queries.map(({ sql }) => readsOf(sql, schema));
  const { epoch, pruned, own } = capture;
  const digest = digestOf(capture, schema, reads);
  const state = parseState(before);
  const known = state?.epoch === epoch && state.digest === digest ? state : null;
  const { changes, ...position } = await dialect.readChanges(ask, own.changes, known, pruned);
  const mark = Buffer.from(MAGIC + JSON.stringify({ epoch, digest, ...position } satisfies State));
  if (known === null || changes === null) return { mark, ...ALL };
  const isTold = (table: StoreTable) => gapOf(table, capture, dialect, schema) === null;
  const files = queries.map((query, at) => ({ query, reads: reads[at] ?? null }));
  const found = filesChanged({ changes, sources: capture.sources, schema, files, isTold });
  return { mark, ...found };
}

/** The statement by which a `watch` looks whether anything was committed; null where nothing is written down. */
export async function lookSql(ask: Ask, dialect: CaptureDialect): Promise<string | null> {
  const capture = await readCapture(ask, dialect);
  return capture === null || "refusal" in capture ? null : dialect.lookSql(capture.own.changes);
}

/** Of each table that files read, the columns that they tell rows by: those that are numbers. */
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
      if (!isTellingColumn(name, to))
        throw new VitrineError(
          "allow_list_invalid",
          `${file} says "rows: ${table}.${column} = ${to}", but its rows can't be told by ${to}: only by id, or by the ` +
            "column that names their product.",
        );
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
  const schema = await dialect.readSchema(ask);
  const read = queries.flatMap(({ sql }) => readsOf(sql, schema)?.tables ?? []);
  const all = [...withParents(read, schema)];
  const tables = all.filter(({ refusal }) => refusal === null);
  const sources = sourcesFor(tables, queries);
  const facts = new Map([
    ["form", FORM],
    ["epoch", randomUUID()],
    ["sources", JSON.stringify(sources.map(({ table, column }) => [table, column]))],
  ]);
  const installation = { sources, tables, schema, facts, definer };
  return {
    statements: [...(await dialect.removeSql(ask)), ...(await dialect.installSql(ask, installation))],
    grants: await dialect.grantsSql(ask, tables),
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
  const below = await dialect.pruneBelow(ask, capture.own.changes, keep);
  return below === null ? [] : dialect.pruneSql(capture.own, { below, id: randomUUID() });
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
  const schema = await dialect.readSchema(ask);
  const reads = queries.map(({ file, sql }) => ({ file, reads: readsOf(sql, schema) }));
  const read = withParents(
    reads.flatMap((each) => [...(each.reads?.tables ?? [])]),
    schema,
  );
  const gaps = [...read].map((table) => {
    const gap = capture === null ? "" : gapOf(table, capture, dialect, schema);
    const isOnly = (schema.tables.get(table.name)?.length ?? 0) < 2;
    return [isOnly ? table.name : table.sql, gap] as const;
  });
  return {
    installed: found !== null,
    refusal,
    tables: Object.fromEntries(gaps.map(([name, gap]) => [name, gap === null]).sort()),
    gaps: Object.fromEntries(gaps.filter((each): each is readonly [string, string] => Boolean(each[1]))),
    opaque: reads.flatMap((each) => (each.reads === null ? [each.file] : [])),
    faults: await dialect.readFaults(ask),
  };
}
