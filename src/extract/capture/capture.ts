/** The capture: triggers in the store write down what changes, so that a build reads only that. It is opt-in. */
import { randomUUID } from "node:crypto";
import { VitrineError } from "../../base/error.ts";
import type { AllowListQuery } from "../allow-list.ts";
import type { StoreChanges } from "../store.ts";
import { allRows, type ServerSession } from "../stores/server-session.ts";
import {
  type Capture,
  type Captured,
  filesChanged,
  formatState,
  identitiesOf,
  isCaptured,
  PRUNED,
  type Pruned,
  parseState,
  REGISTRY,
} from "./changes.ts";
import type { Ask, CaptureDialect } from "./dialect.ts";
import { keysOf, readsOf, type StoreSchema } from "./reads.ts";

function askOf(session: ServerSession): Ask {
  return (sql) => allRows(session, sql);
}

/** The capture that stands in a store; null where there is none, or none that may be read. */
async function readCapture(session: ServerSession, dialect: CaptureDialect): Promise<Capture | null> {
  const ask = askOf(session);
  try {
    const rows = await ask(`SELECT tbl, shape FROM ${REGISTRY}`);
    const shapes = new Map(rows.map(([table, shape]) => [String(table), String(shape)]));
    const epoch = shapes.get("");
    if (epoch === undefined) return null;
    const mark = shapes.get(PRUNED);
    const pruned = mark === undefined ? null : (JSON.parse(mark) as Pruned);
    const tables = [...shapes].flatMap(([table, shape]) =>
      table === "" || table === PRUNED ? [] : [[table.toLowerCase(), JSON.parse(shape) as Captured] as const],
    );
    return { epoch, pruned, tables: new Map(tables), schema: await dialect.readSchema(ask) };
  } catch (error) {
    if (session.isOfTheSql(error)) return null;
    throw error;
  }
}

/** What changed since a build, as triggers wrote it down. */
export async function capturedChanges(
  session: ServerSession,
  dialect: CaptureDialect,
  { before, queries }: { readonly before: Buffer | null; readonly queries: readonly AllowListQuery[] },
): Promise<StoreChanges> {
  const capture = await readCapture(session, dialect);
  if (capture === null) return { fingerprint: async () => null, changed: "all" };
  const { epoch } = capture;
  const state = parseState(before);
  const known = state?.epoch === epoch ? state : null;
  const { cursor, changes } = await dialect.readChanges(
    askOf(session),
    known?.cursor ?? null,
    capture.pruned,
  );
  const made = formatState({ epoch, cursor, identities: identitiesOf(capture) });
  const fingerprint = async () => made;
  if (known === null || changes === null) return { fingerprint, changed: "all" };
  return { fingerprint, ...filesChanged(capture, known, changes, queries, dialect.triggers) };
}

/** The tables that files read, with what their triggers are to write down. */
function tablesToCapture(schema: StoreSchema, queries: readonly AllowListQuery[]): Map<string, Captured> {
  const keys = new Map<string, Set<string>>();
  for (const { sql } of queries) {
    for (const table of readsOf(sql, schema)?.keys() ?? []) {
      const known = keys.get(table) ?? new Set();
      const key = keysOf(sql).get(table);
      keys.set(table, key === undefined ? known : known.add(key));
    }
  }
  return new Map(
    [...keys].flatMap(([table, named]) => {
      const found = schema.tables.get(table);
      if (found === undefined) return [];
      const { name, columns } = found;
      return [[name, { columns, keys: columns.filter((column) => named.has(column.toLowerCase())) }]];
    }),
  );
}

/** All statements of an installation, in the place of one that there may be. */
export async function planInstall(
  session: ServerSession,
  dialect: CaptureDialect,
  queries: readonly AllowListQuery[],
): Promise<readonly string[]> {
  const ask = askOf(session);
  const tables = tablesToCapture(await dialect.readSchema(ask), queries);
  return [...(await dialect.removeSql(ask)), ...dialect.installSql(tables, randomUUID())];
}

export function planRemove(session: ServerSession, dialect: CaptureDialect): Promise<readonly string[]> {
  return dialect.removeSql(askOf(session));
}

/** Statements that remove all changes but the newest; none where there are no more than these. @throws VitrineError usage */
export async function planPrune(
  session: ServerSession,
  dialect: CaptureDialect,
  keep: number,
): Promise<readonly string[]> {
  if ((await readCapture(session, dialect)) === null)
    throw new VitrineError(
      "usage",
      "There is no capture in this store: nothing is written down, and nothing grows.",
    );
  const below = await dialect.pruneBelow(askOf(session), keep);
  return below === null ? [] : dialect.pruneSql({ below, id: randomUUID() });
}

export interface CaptureStatus {
  readonly installed: boolean;
  /** Tables that files read, and whether each change of them is written down. */
  readonly tables: Readonly<Record<string, boolean>>;
  /** Files that may read anything: they are always read. */
  readonly opaque: readonly string[];
}

export async function captureStatus(
  session: ServerSession,
  dialect: CaptureDialect,
  queries: readonly AllowListQuery[],
): Promise<CaptureStatus> {
  const capture = await readCapture(session, dialect);
  const schema = capture?.schema ?? (await dialect.readSchema(askOf(session)));
  const reads = queries.map(({ file, sql }) => ({ file, reads: readsOf(sql, schema) }));
  const tables = new Set(reads.flatMap((each) => [...(each.reads?.keys() ?? [])]));
  const isTold = (table: string) => capture !== null && isCaptured(capture, table, dialect.triggers);
  return {
    installed: capture !== null,
    tables: Object.fromEntries([...tables].sort().map((table) => [table, isTold(table)])),
    opaque: reads.flatMap((each) => (each.reads === null ? [each.file] : [])),
  };
}
