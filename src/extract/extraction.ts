/**
 * Rows in, records out. Over an existing catalog, rows are compared by the digests of their texts, and
 * only those that differ are made, with those that depend on them; from nothing, all are. Files are read before it is their
 * turn where others need to know of them: all files of a change, else those whose records others name.
 */
import type { PublicConfig } from "../api/config.ts";
import { columnsOf as columnsOfFields, requiredOf } from "../api/field.ts";
import { formsAmong } from "../api/forms.ts";
import { PRODUCT_REF_COLUMNS, readProductRef } from "../api/of-product.ts";
import type { RecordDef } from "../api/record.ts";
import { product } from "../api/records/product.ts";
import { RECORDS, type RecordName } from "../api/records.ts";
import type { GatheredRow, Overall, ProductRef, Row, Values } from "../api/row.ts";
import { encodeJson, type Json } from "../base/json.ts";
import { formatCount } from "../base/log.ts";
import type { Threads } from "../base/thread-pool.ts";
import type { SqlTime } from "../base/time.ts";
import { columnsOf } from "../catalog/row.ts";
import type { CatalogWriter } from "../catalog/writer.ts";
import type { AllowList } from "./allow-list.ts";
import { type Before, CatalogUpdate, EMBEDDED, TooMuchChanged } from "./catalog-update.ts";
import { rowColumns } from "./columns.ts";
import type { Makers } from "./makers.ts";
import { mostLeftOut, Problems } from "./problems.ts";
import { RowComparison, RowDigests } from "./readings.ts";
import { type MadeRow, type RowInput, readFields, reading, type StepData } from "./record-maker.ts";
import { SummaryCounts } from "./report.ts";
import { RowReader } from "./row-reader.ts";
import { type ReadRow, RowSpool } from "./spool.ts";
import type { StoreReader, StoreValue } from "./store.ts";

/** What an extraction reads, and where it writes. Who opened it closes it. */
export interface Sources {
  readonly store: StoreReader;
  readonly queries: AllowList;
  readonly config: PublicConfig;
  /** The share of a file's rows that may be left out because something required is wrong. */
  readonly maxLeftOut: number;
  /** The moment of the build, bound as `:now`. */
  readonly now: SqlTime;
  readonly writer: CatalogWriter;
  readonly threads: Threads;
  /** Files that begin with this path are the extraction's until it ends. */
  readonly spool: string;
}

/** Columns that decide whether a row makes a record, and of a product those that others need. */
function precheckedColumns(record: RecordDef): readonly string[] {
  const required = columnsOfFields(requiredOf(record.fields, record.added, record.hidden));
  return [...new Set(["id", ...required, ...(record.name === product.name ? PRODUCT_REF_COLUMNS : [])])];
}

/** Records that others name: whether a row makes one is known before those are made. */
function isNamed({ name }: RecordDef): boolean {
  return name === product.name || EMBEDDED.has(name);
}

/**
 * Columns of a record's file whose values are read in addition to a row's text, in the form that the file gives them: they say what
 * others need of it, and whose it is.
 */
function extraColumnsOf(record: RecordDef, queries: AllowList): readonly string[] {
  const { file, belongsTo } = record;
  const columns = isNamed(record) ? precheckedColumns(record) : belongsTo === null ? [] : [belongsTo.column];
  const query = queries[file];
  const given = query === undefined ? [] : rowColumns(query);
  return [...new Set(columns.flatMap((column) => formsAmong(column, given).slice(0, 1)))];
}

/** A row that is to be made, with the id that it has in the store. */
interface DueRow extends RowInput {
  readonly id: StoreValue;
}

/** The id that a row can be remembered by. */
function rememberedId(id: StoreValue): number | null {
  return typeof id === "number" && Number.isSafeInteger(id) ? id : null;
}

/** What was read of a file before its turn. */
interface Ahead {
  /** Rows that are to be made, and the ids of those that have one. */
  readonly spool: RowSpool;
  readonly ids: ReadonlySet<number>;
}

const NONE: ReadonlySet<number> = new Set();

export class Extraction {
  /** What is wrong in the rows, those that were not read included. */
  readonly problems: Problems;
  readonly tallies: SummaryCounts;
  /** Rows of products that are not public, by file: id → product. */
  readonly leftOut: ReadonlyMap<string, Map<number, number>>;
  /** Digests of all rows of the files that were read. */
  readonly digests = new Map<string, RowDigests>();
  /** What all rows of a record say together, once it was asked for. */
  readonly overalls = new Map<Overall<unknown>, unknown>();
  /** Slugs that rows were left out for, by the record's name. */
  readonly takenSlugs: [name: string, slug: string][] = [];
  /** What changes in the catalog that stands; null where it is made from nothing. */
  readonly change: CatalogUpdate | null;
  readonly #sources: Sources;
  readonly #before: Before | null;
  readonly #makers: Makers;
  readonly #ahead = new Map<string, Ahead>();
  /** Ids of rows that went, by file. */
  readonly #gone = new Map<string, readonly number[]>();
  /** Ids of embedded records that were read and make one. */
  readonly #validIds = new Map<string, Set<number>>();
  /** Of the products that were read; null of those that are not public. */
  readonly #productRefs = new Map<number, Json | null>();
  /** Ids of these, by a column of theirs and its value. */
  readonly #products = new Map<string, Map<unknown, number[]>>();
  /** Rows whose slug another row has: that one may be about to give it away. */
  #waiting: { readonly made: MadeRow; readonly ordinal: number }[] = [];

  /** @param before the catalog that the writer changes, and what may be other than it says; null of a new one */
  constructor(sources: Sources, before: Before | null, makers: Makers) {
    this.#sources = sources;
    this.#makers = makers;
    this.#before = before;
    const words = before?.readings.words;
    this.tallies = new SummaryCounts(JSON.parse(words?.get("tallies") ?? "[]"));
    this.problems = new Problems(words?.get("wrong"));
    this.leftOut = new Map(RECORDS.map(({ file }) => [file, new Map(before?.readings.leftOut(file))]));
    const { tallies, problems, leftOut } = this;
    this.change =
      before === null
        ? null
        : new CatalogUpdate({ writer: sources.writer, before, tallies, problems, leftOut });
    const overalls = JSON.parse(words?.get("overall") ?? "{}") as Values;
    for (const [name, overall] of namedOveralls())
      if (name in overalls) this.overalls.set(overall, overalls[name]);
  }

  /** What is public of what others name is known before all that names it; then records come in their order. @throws TooMuchChanged */
  async run(): Promise<void> {
    for (const record of RECORDS) if (this.#before !== null || isNamed(record)) await this.#readAhead(record);
    for (const record of RECORDS) {
      for (const id of this.#gone.get(record.file) ?? []) this.#remove(record, id);
      const ahead = this.#ahead.get(record.file);
      const due = this.change?.made(record.name) ?? NONE;
      this.change?.updateEmbedded(record, (id) => ahead?.ids.has(id) === true || due.has(id));
      if (this.change === null || (ahead?.spool.rows ?? 0) + due.size > 0)
        await this.#make(record, this.#inputs(record, ahead, due));
      this.#sources.writer.complete(record.name);
      this.#compareOveralls(record);
    }
  }

  /** Reads a file of which others need to know, and keeps the rows that are to be made. */
  async #readAhead(record: RecordDef<RecordName>): Promise<void> {
    const spool = new RowSpool(`${this.#sources.spool}-${record.file}`);
    const ids = new Set<number>();
    const precheck = isNamed(record) ? this.#createPrecheck(record) : null;
    for await (const rows of this.#differing(record)) {
      spool.add(rows);
      for (const { id, extra } of rows) {
        const known = rememberedId(id);
        if (known === null) continue;
        ids.add(known);
        precheck?.(known, extra);
      }
      this.change?.count(rows.length);
      this.#makers.expect(spool.rows);
    }
    const gone = this.#gone.get(record.file) ?? [];
    this.change?.count(gone.length);
    if (record.name === product.name) for (const id of gone) this.#setProductRef(id, null);
    this.#ahead.set(record.file, { spool, ids });
  }

  /** Rows of a file that are not what they were. Once all are read, those that went are known. */
  async *#differing(record: RecordDef<RecordName>): AsyncGenerator<readonly ReadRow[]> {
    const { file } = record;
    // Rows that are not remembered are new.
    const comparison = new RowComparison(this.#before?.readings.rows(file) ?? new RowDigests());
    this.digests.set(file, comparison.digests);
    for await (const rows of this.#read(record)) {
      const differing = rows.filter(({ id, text }) => {
        const row = rememberedId(id);
        return row === null || comparison.isOther(row, text);
      });
      if (differing.length === 0) continue;
      this.#before?.differs(file);
      yield differing;
    }
    comparison.finish();
    if (comparison.gone.length > 0) this.#before?.differs(file);
    this.#gone.set(file, comparison.gone);
  }

  /** Rows of a file, each with its place. Of two with one id only the first is given, and nothing may be built. */
  async *#read(record: RecordDef, ids?: readonly number[]): AsyncGenerator<readonly ReadRow[]> {
    const { store, queries } = this.#sources;
    const query = queries[record.file];
    if (query === undefined) return;
    let [ordinal, previous]: [number, unknown] = [0, undefined];
    for await (const rows of store.batches(query, extraColumnsOf(record, queries), ids)) {
      const read: ReadRow[] = [];
      for (const row of rows) {
        ordinal += 1;
        if (row.id === previous) this.#refuseTwice(record.file, ordinal, row.id);
        else read.push({ ...row, ordinal });
        previous = row.id;
      }
      yield read;
    }
  }

  /**
   * Says of rows that others name, before they are made, whether they make a record: nothing required of them is wrong, and no
   * row that was read before has their slug. What is wrong is detected when they are made.
   */
  #createPrecheck(record: RecordDef): (id: number, extra: readonly StoreValue[]) => void {
    const { config, queries, writer } = this.#sources;
    const shapes = new Map(
      [...EMBEDDED].map((of) => {
        const ids = [...writer.ids(of), ...(this.#validIds.get(of) ?? [])];
        return [of, new Map(ids.map((id) => [id, {}]))];
      }),
    );
    const around = { siteUrl: config.siteUrl, shapes, gathers: [], overall: new Map() };
    const columns = extraColumnsOf(record, queries);
    const reader = new RowReader(record.file, columns, { add: () => undefined }, around);
    const fields = Object.entries(requiredOf(record.fields, record.added, record.hidden));
    const slugs = new Set<string>();
    const validIds = new Set<number>();
    this.#validIds.set(record.name, validIds);
    const isRight = (extra: readonly StoreValue[]) => {
      reader.open(extra, 0).id();
      reading(reader, () => readFields(fields, reader));
      return !reader.failed && !slugs.has(reader.slug("slug"));
    };
    return (id, extra) => {
      const row: Row | null = isRight(extra) ? reader : null;
      if (row !== null) slugs.add(row.slug("slug"));
      if (record.name === product.name) this.#setProductRef(id, row === null ? null : readProductRef(row));
      else if (row !== null) validIds.add(id);
    };
  }

  #setProductRef(id: number, ref: ProductRef | null): void {
    this.change?.makeReferrers(id, this.#storedProductRef(id), ref);
    this.#productRefs.set(id, ref === null ? null : encodeJson(ref));
  }

  #storedProductRef(id: number): ProductRef | null {
    const shape = this.#sources.writer.shape(product.name, id) as
      | (Omit<ProductRef, "category_id"> & { readonly category: { readonly id: number } })
      | null;
    if (shape === null) return null;
    const { title, slug, public_url, category } = shape;
    return { id, title, slug, public_url, category_id: category.id };
  }

  /** The product with this id as others refer to it after this build; null where it is not public. */
  #productRef(id: number): Json | null {
    const known = this.#productRefs.get(id);
    if (known !== undefined) return known;
    const stored = this.#storedProductRef(id);
    return stored === null ? null : encodeJson(stored);
  }

  /** Products that name a record in a column of their briefs. */
  #productsBy(by: string, owner: number): GatheredRow[] {
    const { writer } = this.#sources;
    const stored = writer.idsBy(product.name, by, owner).filter((id) => !this.#productRefs.has(id));
    const read = this.#readProducts(by).get(owner) ?? [];
    return [...stored, ...read].map((id) => ({ columns: {}, shape: () => writer.shape(product.name, id) }));
  }

  #readProducts(by: string): ReadonlyMap<unknown, readonly number[]> {
    let groups = this.#products.get(by);
    if (groups !== undefined) return groups;
    groups = new Map();
    for (const [id, json] of this.#productRefs) {
      if (json === null) continue;
      const owner = (JSON.parse(json) as ProductRef)[by as keyof ProductRef];
      const group = groups.get(owner);
      if (group === undefined) groups.set(owner, [id]);
      else group.push(id);
    }
    this.#products.set(by, groups);
    return groups;
  }

  /** Rows of a record that are to be made: those that were read ahead, or are read now, and those that are due anyway. */
  async *#inputs(
    record: RecordDef<RecordName>,
    ahead: Ahead | undefined,
    due: ReadonlySet<number>,
  ): AsyncGenerator<readonly DueRow[]> {
    const isRead = ahead !== undefined || this.change !== null;
    const differing = isRead ? (ahead?.spool.batches() ?? []) : this.#differing(record);
    for await (const rows of differing) yield this.#prepare(record, rows);
    const gone = new Set(this.#gone.get(record.file));
    const again = new Set([...due].filter((id) => !gone.has(id) && ahead?.ids.has(id) !== true));
    if (again.size === 0) return;
    for await (const rows of this.#read(record, [...again]))
      yield this.#prepare(
        record,
        rows.filter(({ id }) => typeof id === "number" && again.has(id)),
      );
  }

  /** Rows with what others say of them. Those whose product is not public make no record. */
  #prepare(record: RecordDef<RecordName>, rows: readonly ReadRow[]): DueRow[] {
    const { belongsTo, gathers, file } = record;
    const leftOut = this.leftOut.get(file);
    const ids = rows.flatMap(({ id }) => rememberedId(id) ?? []);
    const parts = gathers.map((gather) =>
      gather.of === product.name ? null : this.#sources.writer.partsOf(gather, ids),
    );
    const inputs: DueRow[] = [];
    for (const { id, text, ordinal, extra } of rows) {
      const [owner] = extra;
      const ofProduct = belongsTo === null || typeof owner !== "number" ? null : owner;
      const ref = ofProduct === null ? null : this.#productRef(ofProduct);
      if (ofProduct !== null && ref === null) {
        this.#remove(record, Number(id));
        leftOut?.set(Number(id), ofProduct);
        continue;
      }
      leftOut?.delete(Number(id));
      const gathered = gathers.map((gather, at) => {
        if (typeof id !== "number") return gather.value([]);
        return gather.value(
          parts[at]?.get(id) ?? (parts[at] === null ? this.#productsBy(gather.by, id) : []),
        );
      });
      inputs.push({ id, text, ordinal, product: ref, gathered });
    }
    return inputs;
  }

  /** What all rows of a record have in common while they are made. */
  #step({ file, embeds, overalls }: RecordDef): StepData {
    const { writer, config, queries } = this.#sources;
    const query = queries[file];
    return {
      siteUrl: config.siteUrl,
      columns: query === undefined ? [] : rowColumns(query),
      shapes: new Map(
        embeds.map(({ of }) => [
          of,
          new Map(writer.ids(of).map((id) => [id, writer.shape(of, id) as Values])),
        ]),
      ),
      overall: overalls.map((overall) => {
        if (!this.overalls.has(overall)) this.overalls.set(overall, this.#valueOf(overall));
        return this.overalls.get(overall);
      }),
    };
  }

  /** Worked out of all rows that stand now. */
  #valueOf({ of, columns, value }: Overall<unknown>): unknown {
    return value(this.#sources.writer.alikeRows(of, columns));
  }

  /** A coarse value of all rows that came out otherwise changes every record that asks for it. */
  #compareOveralls({ name }: RecordDef<RecordName>): void {
    if (this.change?.rows.has(name) !== true) return;
    for (const record of RECORDS) {
      for (const overall of record.overalls) {
        if (overall.of !== name) continue;
        const [known, value] = [this.overalls.get(overall), this.#valueOf(overall)];
        this.overalls.set(overall, value);
        if (JSON.stringify(value) !== JSON.stringify(known))
          this.change.make(record.name, this.#sources.writer.ids(record.name));
      }
    }
  }

  /** Makes rows in their order, a batch while others wait: work under way is bounded, and so is memory. */
  async #make(record: RecordDef<RecordName>, batches: AsyncIterable<readonly DueRow[]>): Promise<void> {
    const run = await this.#makers.begin(record.name, this.#step(record));
    const underWay: (() => Promise<void>)[] = [];
    for await (const inputs of batches) {
      if (inputs.length === 0) continue;
      const done = run(inputs);
      const rows = inputs.map(({ id, ordinal }) => ({ id, ordinal }));
      // It is waited for in its turn; until then nobody may take its failure for forgotten.
      done.catch(() => undefined);
      underWay.push(async () => {
        const { made, problems } = await done;
        for (const { id } of rows) this.problems.forget(`${record.file}.sql`, rememberedId(id));
        let at = 0;
        for (const each of made) {
          const { id, ordinal } = rows[at] ?? { id: null, ordinal: 0 };
          if (each === null) this.#leaveOut(record, id);
          else if (this.#put(record, each) !== null) this.#waiting.push({ made: each, ordinal });
          at += 1;
        }
        for (const problem of problems) this.problems.add(problem);
      });
      while (underWay.length > this.#makers.width) await underWay.shift()?.();
    }
    for (const take of underWay) await take();
    this.#putWaiting(record);
  }

  /** Puts a row; the id of the row that has its slug, where that is why it was not. */
  #put(record: RecordDef<RecordName>, made: MadeRow): number | null {
    const { name } = record;
    const { prepared, summaryTerms: terms } = made;
    if (this.change !== null) {
      // Others were made as if it were not there.
      if (name === product.name && this.#productRefs.get(prepared.id) === null) throw new TooMuchChanged();
      return this.change.put(record, made);
    }
    const outcome = this.#sources.writer.putPrepared(name, prepared);
    if (typeof outcome === "object") return outcome.slugTaken;
    if (terms !== null) this.tallies.count(terms, 1);
    return null;
  }

  /** Which of two rows has a slug, all rows say: the one with the lower id. @throws TooMuchChanged */
  #putWaiting(record: RecordDef<RecordName>): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { ordinal, made } of waiting) {
      const owner = this.#put(record, made);
      if (owner === null) continue;
      if (this.change !== null) throw new TooMuchChanged();
      const { id, cells } = made.prepared;
      const slug = columnsOf(record.name, cells)["slug"];
      this.takenSlugs.push([record.name, String(slug)]);
      this.problems.add({
        file: `${record.file}.sql`,
        ordinal,
        id: String(id),
        row: id,
        column: "slug",
        outcome: "left out",
        problem: "must be unique",
        example: `${JSON.stringify(slug)}, which id ${owner} has too`,
      });
    }
  }

  /** A row in which something required is wrong makes no record. @throws TooMuchChanged where others were made as if it did */
  #leaveOut(record: RecordDef<RecordName>, id: StoreValue): void {
    const { name, file } = record;
    const isJudged =
      name === product.name
        ? this.#productRef(Number(id)) !== null
        : this.#validIds.get(name)?.has(Number(id));
    if (isJudged === true) {
      if (this.change !== null) throw new TooMuchChanged();
      this.problems.refuse(`${file}.sql`, "in a way that is only seen once all of it is made");
    }
    this.#remove(record, Number(id));
  }

  /** Takes a record out, where it stands. */
  #remove(record: RecordDef<RecordName>, id: number): void {
    this.leftOut.get(record.file)?.delete(id);
    this.problems.forget(`${record.file}.sql`, id);
    this.change?.delete(record, id);
  }

  /** Files of which more rows are wrong than may be left out, with that as words. */
  get tooMany(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const { file } of RECORDS) {
      const rows = this.digests.get(file)?.length ?? 0;
      const most = mostLeftOut(rows, this.#sources.maxLeftOut);
      if (this.problems.leftOut(`${file}.sql`).size <= most) continue;
      const words = `more than the ${formatCount(most)} of ${formatCount(rows)} that may be left out (rows.maxLeftOut)`;
      found.set(`${file}.sql`, words);
    }
    return found;
  }

  #refuseTwice(file: string, ordinal: number, id: StoreValue): void {
    this.problems.add({
      file: `${file}.sql`,
      ordinal,
      id: String(id),
      row: null,
      column: "id",
      problem: "must be unique",
      example: null,
      outcome: "refused",
    });
  }
}

/** Overall values by what each is remembered by: `product 0`. */
export function namedOveralls(): (readonly [name: string, overall: Overall<unknown>])[] {
  return RECORDS.flatMap(({ name, overalls }) =>
    overalls.map((overall, at) => [`${name} ${at}`, overall] as const),
  );
}
