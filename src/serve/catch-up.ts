/**
 * What a copy of a catalog lacks of the file that is followed, taken from the deltas that led there: applied to the copy,
 * then told to whoever serves from it, who goes on reading the copy as it was until all is told.
 */
import Database from "better-sqlite3";
import { messageOf, VitrineError } from "../base/error.ts";
import type { RowChange } from "../catalog/apply.ts";
import { type CatalogChange, type ListChanges, openCatalog } from "../catalog/catalog.ts";
import type { ResourceName } from "../catalog/resources.ts";
import { readSearchWords } from "../search/search-words.ts";
import { applyDeltas } from "../snapshot/apply-deltas.ts";
import { deltasBetween } from "../snapshot/delta-chain.ts";

export interface CatchUpOrder {
  /** The file that is followed. */
  readonly file: string;
  /** Files of deltas that may lead to it, the oldest first. */
  readonly deltas: readonly string[];
  /** The copy, and the content digest that it must have. */
  readonly copy: string;
  readonly digest: string;
  /** Rows up to which a change is told. More of them are read faster than merged. */
  readonly mostRows: number;
}

export type CatchUpPart =
  /** Nothing was done: the file cannot be read; is what the copy is; or no deltas lead to it. */
  | { readonly kind: "unreadable"; readonly why: string; readonly isNewer: boolean }
  | { readonly kind: "same" | "no deltas" }
  /** The copy has the change. It is too large to be told: the lists are to be read again. */
  | { readonly kind: "large" }
  /** The copy has the change, and this is some of it. Ids ascend from part to part. */
  | { readonly kind: "rows"; readonly resource: ResourceName; readonly changes: ListChanges }
  /** The last that is told. */
  | { readonly kind: "rest"; readonly change: Omit<CatalogChange, "changes"> };

/** Rows of one part: what is taken between two requests. */
const PART_ROWS = 200;

type Put = ListChanges["put"][number];

/** What deltas leave of each row: the last one of them says it. */
class Changes {
  readonly #rows = new Map<ResourceName, Map<number, Put | null>>();
  readonly #most: number;
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** True where it is too much to be told. */
  get isLarge(): boolean {
    return this.#size > this.#most;
  }

  /** The rows as they are, noted on their way. */
  *noted(rows: Iterable<RowChange>): Generator<RowChange> {
    for (const row of rows) {
      this.#size += 1;
      if (!this.isLarge) this.#note(row);
      yield row;
    }
  }

  #note(row: RowChange): void {
    const known = this.#rows.get(row.resource) ?? new Map<number, Put | null>();
    this.#rows.set(row.resource, known);
    if ("deleted" in row) known.set(row.deleted, null);
    else {
      const { id, columns, list } = "put" in row ? row.put : row.listed;
      known.set(id, { id, columns, list });
    }
  }

  *parts(): Generator<CatchUpPart> {
    for (const [resource, rows] of this.#rows) {
      const sorted = [...rows].sort(([a], [b]) => a - b);
      for (let from = 0; from < sorted.length; from += PART_ROWS) {
        const some = sorted.slice(from, from + PART_ROWS);
        const put = some.flatMap(([, row]) => (row === null ? [] : [row]));
        const deleted = some.flatMap(([id, row]) => (row === null ? [id] : []));
        yield { kind: "rows", resource, changes: { put, deleted } };
      }
    }
  }
}

function digestOf(file: string): string {
  const catalog = openCatalog(file);
  catalog.close();
  return catalog.digest;
}

/** What is told beside the rows. */
function readRest(copy: string, documents: boolean): CatchUpPart {
  const db = new Database(copy, { readonly: true });
  try {
    const meta = Object.fromEntries(
      db.prepare<[], [string, string]>("SELECT name, value FROM meta").raw().all(),
    );
    return { kind: "rest", change: documents ? { meta, words: readSearchWords(db) } : { meta } };
  } finally {
    db.close();
  }
}

/** Moves the change from the log into the file, and empties the log: what was deleted stands in neither then. */
function emptyLog(copy: string): void {
  const db = new Database(copy);
  try {
    db.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    db.close();
  }
}

/** Asked for what comes after its last part, the copy is no longer read as it was: its log is emptied then. */
export function* catchUp({ file, deltas, copy, digest, mostRows }: CatchUpOrder): Generator<CatchUpPart> {
  let target: string;
  try {
    target = digestOf(file);
  } catch (error) {
    const isNewer = error instanceof VitrineError && error.code === "newer_format";
    yield { kind: "unreadable", why: messageOf(error), isNewer };
    return;
  }
  if (digestOf(copy) !== digest)
    throw new VitrineError("delta_refused", "The copy of the catalog is ahead of what is served.");
  const chain = target === digest ? null : deltasBetween(deltas, { catalog: digest }, { catalog: target });
  if (chain === null) {
    yield { kind: target === digest ? "same" : "no deltas" };
    return;
  }
  const changes = new Changes(mostRows);
  const documents = applyDeltas(copy, chain, { digest: target, noted: (rows) => changes.noted(rows) });
  if (changes.isLarge) yield { kind: "large" };
  else {
    yield* changes.parts();
    yield readRest(copy, documents);
  }
  emptyLog(copy);
}
