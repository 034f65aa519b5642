/** What a statement reads of an SQLite store: b-trees, and columns of tables, as `EXPLAIN` tells them. */
import Database from "better-sqlite3";
import type { Tree } from "./sqlite-trees.ts";

/** `EXPLAIN` of the statement that reads a file of the allow-list. */
export interface Plan {
  readonly name: string;
  /** The file's own. */
  readonly query: string;
  /** The column that names whose a row is; null where there is none. */
  readonly owner: string | null;
  readonly sql: string;
  readonly bound: readonly object[];
}

/** Of each table that is read, columns beside its rowids; null: any of them. */
export type ColumnsRead = ReadonlyMap<string, ReadonlySet<string> | null>;

export interface PlanReads {
  /** Root pages. */
  readonly roots: ReadonlySet<number>;
  readonly columns: ColumnsRead;
}

interface Operation {
  readonly opcode: string;
  /** The cursor, of an operation that has one. */
  readonly p1: number;
  /** Of OpenRead and ReopenIdx: a root page; of Column: a place in the cursor's record. */
  readonly p2: number;
  /** Of OpenRead and ReopenIdx: 0 for the store, other databases are SQLite's own temporary ones. */
  readonly p3: number;
  readonly p5: number;
}

/** Operations on what the statement itself has put together. */
const OPENS_NO_PAGES = new Set([
  ...["OpenAutoindex", "OpenDup", "OpenEphemeral", "OpenPseudo", "SorterOpen"],
  "IfNotOpen",
]);

/** Operations that read no more of a table than its rowids, of an index than its keys; and the two that read records. */
const KNOWN = new Set(
  `OpenRead ReopenIdx ${[...OPENS_NO_PAGES].join(" ")} Column RowData
  Rewind Last Next Prev SeekGE SeekGT SeekLE SeekLT SeekRowid NotExists Found NotFound NoConflict SeekScan SeekHit IfNoHope
  IdxGE IdxGT IdxLE IdxLT DeferredSeek FinishSeek Rowid IdxRowid NullRow IfNullRow IfEmpty Count Close
  Sort SorterSort SorterNext SorterInsert SorterData SorterCompare IdxInsert Insert Delete NewRowid Sequence SequenceTest
  ResetSorter RowSetAdd RowSetRead RowSetTest FilterAdd Filter MakeRecord Compare Permutation Jump
  AggStep AggStep1 AggInverse AggValue AggFinal Function PureFunc CollSeq ClrSubtype GetSubtype SetSubtype
  Add Subtract Multiply Divide Remainder Concat BitAnd BitOr BitNot ShiftLeft ShiftRight AddImm And Or Not IsTrue
  Eq Ne Lt Le Gt Ge ElseEq IsNull NotNull ZeroOrNull MustBeInt Affinity RealAffinity Cast
  Integer Int64 Real String String8 Blob Null SoftNull Variable Move Copy SCopy IntCopy
  Goto Gosub Return BeginSubrtn InitCoroutine EndCoroutine Yield Once If IfNot IfPos IfNotZero DecrJumpZero OffsetLimit
  Init Transaction ResultRow Halt HaltIfNull Noop Explain ReleaseReg`.split(/\s+/),
);

/** OPFLAG_P2ISREG: p2 is no root page, but where one will stand. */
const ROOT_IN_REGISTER = 0x10;

/** Null where the plan opens what has no pages of its own (a virtual table), or cannot be made: reading it says why. */
export function readsOf(
  db: Database.Database,
  trees: ReadonlyMap<number, Tree>,
  { sql, bound }: Pick<Plan, "sql" | "bound">,
): PlanReads | null {
  let operations: Operation[];
  try {
    operations = db.prepare<object[], Operation>(sql).all(...bound);
  } catch (error) {
    if (error instanceof Database.SqliteError) return null;
    throw error;
  }
  const roots = new Set<number>();
  const cursors = new Map<number, Tree[]>();
  for (const { opcode, p1, p2, p3, p5 } of operations) {
    if (!opcode.includes("Open") || OPENS_NO_PAGES.has(opcode)) continue;
    const isTree = opcode === "OpenRead" || opcode === "ReopenIdx";
    const tree = isTree && p3 === 0 && (p5 & ROOT_IN_REGISTER) === 0 ? trees.get(p2) : undefined;
    if (tree === undefined) return null;
    roots.add(p2);
    cursors.set(p1, [...(cursors.get(p1) ?? []), tree]);
  }
  return { roots, columns: columnsOf(operations, cursors) };
}

/** Of an index all columns count that it is made of, whichever are looked at: they also say in what order rows are met. */
function columnsOf(
  operations: readonly Operation[],
  cursors: ReadonlyMap<number, readonly Tree[]>,
): ColumnsRead {
  const isKnown = operations.every(({ opcode }) => KNOWN.has(opcode));
  const columns = new Map<string, Set<string> | null>();
  const read = (table: string, names: readonly (string | undefined)[] | null): void => {
    const before = columns.get(table);
    const known = names?.filter((name) => name !== undefined);
    const isAny = before === null || known === undefined || known.length !== names?.length;
    columns.set(table, isAny ? null : new Set([...(before ?? []), ...known]));
  };
  for (const tree of [...cursors.values()].flat()) {
    read(tree.table, isKnown && tree.columns !== null ? (tree.keys ?? []) : null);
  }
  for (const { opcode, p1, p2 } of operations) {
    if (opcode !== "Column" && opcode !== "RowData") continue;
    for (const { table, columns: all, keys } of cursors.get(p1) ?? []) {
      if (keys === null) read(table, opcode === "Column" ? [all?.[p2]] : null);
    }
  }
  return columns;
}
