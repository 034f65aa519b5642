/**
 * What becomes of a catalog that stands while rows are put and deleted: the rows that change, those that are to be made although
 * their texts are as they were (a record that they name changed), and what a change can't do.
 */
import { PRODUCT_REF_COLUMNS } from "../api/of-product.ts";
import type { RecordDef } from "../api/record.ts";
import { product } from "../api/records/product.ts";
import { RECORDS, type RecordName } from "../api/records.ts";
import type { Cell, ProductRef, Values } from "../api/row.ts";
import { encodeJson } from "../base/json.ts";
import { type CatalogRow, catalogRow, type ListRow } from "../catalog/row.ts";
import type { CatalogWriter } from "../catalog/writer.ts";
import type { Problems } from "./problems.ts";
import type { Readings } from "./readings.ts";
import type { MadeRow } from "./record-maker.ts";
import { type SummaryCounts, summaryTermsOf } from "./report.ts";

/** Takes each changed row as it is found. */
interface ChangeSink {
  put(resource: RecordName, row: CatalogRow): void;
  /** Only the list part of a row changes. */
  list(resource: RecordName, row: ListRow): void;
  delete(resource: RecordName, id: number): void;
}

/** The existing catalog, and what is remembered of the store's rows that it was made from. */
export interface Before {
  readonly readings: Readings;
  readonly sink: ChangeSink;
  /** Called at the first changed row of each resource. */
  readonly changing: (name: RecordName) => void;
  /** Called for each file of which a row came, went or is another. */
  readonly differs: (file: string) => void;
  /** Most rows that may be made. */
  readonly limit: number;
}

interface PutRow {
  readonly id: number;
  readonly columns: Readonly<Record<string, Cell>>;
  /** True where only a record that it embeds changed. */
  readonly isListOnly?: boolean;
}

/** What became of the rows of one resource: what followers need to change theirs. */
export interface ResourceChanges {
  readonly put: PutRow[];
  readonly deleted: number[];
}

/** A whole build is cheaper, or needed to know what is right. */
export class TooMuchChanged extends Error {
  constructor() {
    super("too much changes for a delta");
  }
}

/** The cost of rewriting a list fragment, as a share of making the row. */
const LIST_ONLY_COST = 0.25;

/** Records that others embed. */
export const EMBEDDED: ReadonlySet<string> = new Set(
  RECORDS.flatMap(({ embeds }) => embeds.map(({ of }) => of)),
);

/** Records whose rows name others of a record in a column. */
function gatherersOf(name: string): { record: RecordDef<RecordName>; by: string }[] {
  return RECORDS.flatMap((record) =>
    record.gathers.flatMap(({ of, by }) => (of === name ? [{ record, by }] : [])),
  );
}

/** What a change is made in, and what of the extraction it changes or goes by. */
interface ChangeParts {
  readonly writer: CatalogWriter;
  readonly before: Before;
  readonly tallies: SummaryCounts;
  readonly problems: Problems;
  readonly leftOut: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

export class CatalogUpdate {
  /** What became of each resource; none of those that stayed. */
  readonly rows = new Map<RecordName, ResourceChanges>();
  readonly #parts: ChangeParts;
  /** Rows that are to be made, and those of which only what they embed changed. */
  readonly #made = new Map<string, Set<number>>();
  readonly #listOnly = new Map<string, Set<number>>();
  /** `product invoice-kit`: another row waits for this slug. */
  readonly #takenSlugs: ReadonlySet<string>;
  #count = 0;

  constructor(parts: ChangeParts) {
    this.#parts = parts;
    const taken = JSON.parse(parts.before.readings.words.get("taken") ?? "[]") as string[][];
    this.#takenSlugs = new Set(taken.map((each) => each.join(" ")));
  }

  /** Rows of a record that are to be made. */
  made(name: string): ReadonlySet<number> {
    return this.#made.get(name) ?? new Set();
  }

  /** Counts rows to be made. @throws TooMuchChanged */
  count(rows: number): void {
    this.#count += rows;
    if (this.#count > this.#parts.before.limit) throw new TooMuchChanged();
  }

  /** @throws TooMuchChanged */
  make(name: string, ids: Iterable<number>): void {
    this.count(addAll(this.#made, name, ids));
  }

  /** What follows from a change of what others show of a product: counts of what it belongs to, and all records that name it. */
  makeReferrers(id: number, before: ProductRef | null, after: ProductRef | null): void {
    const { writer, leftOut, problems } = this.#parts;
    for (const { record, by } of gatherersOf(product.name)) {
      const owners = [before, after].map((ref) => ref?.[by as keyof ProductRef] ?? null);
      if (owners[0] === owners[1]) continue;
      this.make(
        record.name,
        owners.filter((owner) => typeof owner === "number"),
      );
    }
    if (PRODUCT_REF_COLUMNS.every((column) => before?.[column] === after?.[column])) return;
    for (const { name, file, belongsTo } of RECORDS) {
      if (belongsTo === null) continue;
      this.make(name, writer.idsBy(name, belongsTo.column, id));
      for (const [row, owner] of leftOut.get(file) ?? []) if (owner === id) this.make(name, [row]);
      // Whose a wrong row is, is not remembered; it is counted as wrong only while its product is public.
      if (before === null || after === null) this.make(name, problems.leftOut(`${file}.sql`));
    }
  }

  /** What a changed row changes: those that gather it, before and after. @throws TooMuchChanged */
  #makeGatherers(name: RecordName, columns: readonly (Readonly<Record<string, Cell>> | null)[]): void {
    for (const { record, by } of name === product.name ? [] : gatherersOf(name)) {
      const owners = columns.map((each) => each?.[by] ?? null).filter((owner) => typeof owner === "number");
      this.make(record.name, owners);
    }
  }

  /**
   * What a changed row changes of those that embed it: they are made again where columns follow from it too, else only their list fragments are rewritten.
   * `before`: its shape; null where it was not there, or goes. @throws TooMuchChanged
   */
  #makeEmbedders(name: RecordName, id: number, before: Values | null): void {
    const { writer } = this.#parts;
    const after = writer.shape(name, id);
    for (const { name: embedder, embeds } of RECORDS) {
      for (const { of, inColumns } of embeds) {
        if (of !== name) continue;
        const ids = writer.idsBy(embedder, `${name}_id`, id);
        const isListed =
          before !== null && after !== null && inColumns.every((field) => before[field] === after[field]);
        if (isListed) this.count(addAll(this.#listOnly, embedder, ids) * LIST_ONLY_COST);
        else this.make(embedder, ids);
      }
    }
  }

  #changesOf(name: RecordName): ResourceChanges {
    const known = this.rows.get(name);
    if (known !== undefined) return known;
    const made: ResourceChanges = { put: [], deleted: [] };
    this.rows.set(name, made);
    this.#parts.before.changing(name);
    return made;
  }

  /** Puts a row; the id of the row that has its slug, where that is why it was not. @throws TooMuchChanged */
  put({ name }: RecordDef<RecordName>, { prepared, summaryTerms: terms }: MadeRow): number | null {
    const { writer, before, tallies } = this.#parts;
    const row = catalogRow(name, prepared);
    const columns = writer.columns(name, row.id);
    const old = terms === null ? null : writer.detail(name, row.id);
    const shape = EMBEDDED.has(name) ? writer.shape(name, row.id) : null;
    const outcome = writer.putPrepared(name, prepared);
    if (outcome === "unchanged") return null;
    if (columns?.["slug"] !== row.columns["slug"])
      for (const each of [columns, row.columns]) this.#checkSlug(name, each);
    if (typeof outcome === "object") return outcome.slugTaken;
    if (outcome === "new") this.#checkNew(name);
    if (old !== null) tallies.count(summaryTermsOf(old), -1);
    if (terms !== null) tallies.count(terms, 1);
    this.#changesOf(name).put.push({ id: row.id, columns: row.columns });
    if (outcome === "list_only") before.sink.list(name, row);
    else before.sink.put(name, row);
    this.#makeGatherers(name, [columns, row.columns]);
    this.#makeEmbedders(name, row.id, shape);
    return null;
  }

  /** @throws TooMuchChanged where another row may have the slug that this one gives up, or must give it up */
  #checkSlug(name: string, columns: Readonly<Record<string, Cell>> | null): void {
    if (this.#takenSlugs.has(`${name} ${columns?.["slug"]}`)) throw new TooMuchChanged();
  }

  /** @throws TooMuchChanged where rows that were left out may be right now */
  #checkNew(name: string): void {
    if (!EMBEDDED.has(name)) return;
    const embedders = RECORDS.filter(({ embeds }) => embeds.some(({ of }) => of === name));
    if (embedders.some(({ file }) => this.#parts.problems.leftOut(`${file}.sql`).size > 0))
      throw new TooMuchChanged();
  }

  /** Takes a row out, where it stands. @throws TooMuchChanged */
  delete({ name }: RecordDef<RecordName>, id: number): void {
    const { writer, before, tallies } = this.#parts;
    const columns = writer.columns(name, id);
    if (columns === null) return;
    this.#checkSlug(name, columns);
    const old = name === product.name ? writer.detail(name, id) : null;
    if (old !== null) tallies.count(summaryTermsOf(old), -1);
    writer.delete(name, id);
    this.#changesOf(name).deleted.push(id);
    before.sink.delete(name, id);
    this.#makeGatherers(name, [columns]);
    this.#makeEmbedders(name, id, null);
  }

  /** Rewrites the list fragments of rows of which only an embedded record changed. */
  updateEmbedded({ name, embeds }: RecordDef<RecordName>, isMade: (id: number) => boolean): void {
    const { writer, before } = this.#parts;
    const shapes = new Map<string, Values | null>();
    const shapeOf = (of: string, owner: number) => {
      const key = `${of} ${owner}`;
      if (!shapes.has(key)) shapes.set(key, writer.shape(of, owner));
      return shapes.get(key);
    };
    for (const id of this.#listOnly.get(name) ?? []) {
      if (isMade(id)) continue;
      const listed = writer.rewriteList(name, id, (list, columns) => {
        const embedded = embeds.map(({ of, field }) => [field, shapeOf(of, Number(columns[`${of}_id`]))]);
        return encodeJson({ ...(JSON.parse(list) as Values), ...Object.fromEntries(embedded) });
      });
      if (listed === null) continue;
      const { columns } = listed;
      this.#changesOf(name).put.push({ id, columns, isListOnly: true });
      before.sink.list(name, listed);
      this.#makeGatherers(name, [columns]);
    }
  }

  /** What changed, in order of id. */
  finish(): ReadonlyMap<RecordName, ResourceChanges> {
    for (const { put, deleted } of this.rows.values()) {
      put.sort((a, b) => a.id - b.id);
      deleted.sort((a, b) => a - b);
    }
    return this.rows;
  }
}

/** Adds to the set of a name; how many were not in it. */
function addAll(sets: Map<string, Set<number>>, name: string, ids: Iterable<number>): number {
  const set = sets.get(name) ?? new Set();
  sets.set(name, set);
  const { size } = set;
  for (const id of ids) set.add(id);
  return set.size - size;
}
