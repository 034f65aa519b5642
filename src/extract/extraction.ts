/**
 * The steps of an extraction: the own parts of categories and products, then each record with everything that others
 * contribute. extract.ts explains why this is right.
 */
import { createHash, type Hash } from "node:crypto";
import type { PublicConfig } from "../api/config.ts";
import { productRefOf } from "../api/of-product.ts";
import type { RecordDef } from "../api/record.ts";
import { product } from "../api/records/product.ts";
import { RECORDS, type RecordName } from "../api/records.ts";
import type { Cell, GatheredRow, Values } from "../api/row.ts";
import { encodeJson, type Json } from "../base/json.ts";
import { formatCount } from "../base/log.ts";
import type { Threads } from "../base/thread-pool.ts";
import type { SqlTime } from "../base/time.ts";
import { resourceNamed } from "../catalog/resources.ts";
import type { CatalogWriter } from "../catalog/writer.ts";
import { TOOL_VERSION } from "../package.ts";
import type { AllowList } from "./allow-list.ts";
import { rowColumns } from "./columns.ts";
import type { Makers } from "./makers.ts";
import { OwnParts, type ReadRow, type RowPlace } from "./own-parts.ts";
import { maxLeftOutRows, Problems, type RowProblem } from "./problems.ts";
import { NO_READINGS, type Readings } from "./readings.ts";
import type { MadeBatch, MadeRow, OwnBatch, RowInput, StepData } from "./record-maker.ts";
import { SummaryCounts, type SummaryTerms } from "./report.ts";
import { addDigest, DIGEST_BYTES, digestOfText, RowMemory, writeDigest } from "./row-memory.ts";
import { BATCH_ROWS, type StoreReader, type StoreValue } from "./store.ts";

/** The inputs of an extraction, and the writer of its output. The caller opens and closes them. */
export interface Sources {
  readonly store: StoreReader;
  readonly queries: AllowList;
  readonly config: PublicConfig;
  /** The share of a file's rows that may be left out because a required value is wrong. */
  readonly maxLeftOut: number;
  /** The moment of the build, bound as `:now`. */
  readonly now: SqlTime;
  readonly writer: CatalogWriter;
  readonly threads: Threads;
}

/** The memory of the build that made the writer's catalog. */
export interface Before {
  readonly readings: Readings;
  /** Called for each file in which a row was added, deleted or changed. */
  readonly differs: (file: string) => void;
}

/** The reports of making a row, as they are remembered with it: terms for the summary, and problems. */
type Note = readonly [
  SummaryTerms,
  readonly Omit<RowProblem, "file" | "ordinal" | "id" | "row" | "example">[],
];

function noteOf(terms: SummaryTerms | null, problems: readonly RowProblem[]): string {
  if (terms === null && problems.length === 0) return "";
  const kept = problems.map(({ outcome, column, problem, times = 1 }) => ({
    outcome,
    column,
    problem,
    times,
  }));
  return JSON.stringify([terms ?? [], kept] satisfies Note);
}

/** True for records that others embed or belong to: their own parts are known before the others are made. */
export function hasOwnPart({ name }: RecordDef): boolean {
  return name === product.name || RECORDS.some(({ embeds }) => embeds.some(({ of }) => of === name));
}

/** The id under which a row can be remembered. */
function rememberedId(id: StoreValue): number | null {
  return typeof id === "number" && Number.isSafeInteger(id) ? id : null;
}

/** Concurrent work whose results are taken in order. Its number is bounded, and so is memory. */
class Turns {
  readonly #width: number;
  readonly #turns: (() => Promise<void>)[] = [];

  constructor(width: number) {
    this.#width = width;
  }

  async add<Result>(work: Promise<Result>, take: (result: Result) => void): Promise<void> {
    // Attach a handler now: the promise is awaited later.
    work.catch(() => undefined);
    this.#turns.push(async () => take(await work));
    while (this.#turns.length > this.#width) await this.#turns.shift()?.();
  }

  async finish(): Promise<void> {
    for (const turn of this.#turns.splice(0)) await turn();
  }
}

const NO_PARTS: Promise<OwnBatch> = Promise.resolve({ parts: [], problems: [] });
const NO_ROWS: Promise<MadeBatch> = Promise.resolve({ made: [], problems: [] });

/** The index at which a row is remembered with this fingerprint, or -1: then it must be made. */
function placeOf(known: RowMemory, { id }: ReadRow, fingerprints: Buffer, at: number): number {
  const row = rememberedId(id);
  const place = row === null ? -1 : known.find(row);
  return place >= 0 && known.isSame(place, fingerprints, at) ? place : -1;
}

function withoutText({ id, ordinal }: ReadRow): RowPlace {
  return { id, ordinal };
}

/** Names of a row's values, in their order. */
function columnsOf({ file }: RecordDef, queries: AllowList): readonly string[] {
  const query = queries[file];
  return query === undefined ? [] : rowColumns(query);
}

/** Columns that are read in addition to a row's text: the ids of embedded records, and of the product. */
function extraColumnsOf(record: RecordDef, queries: AllowList): readonly string[] {
  const { belongsTo, embeds } = record;
  const columns = [...embeds.map(({ by }) => by), ...(belongsTo === null ? [] : [belongsTo.column])];
  const given = columnsOf(record, queries);
  return columns.filter((column) => given.includes(column));
}

/** Rows, some of which may have to be made. */
interface Batch {
  readonly rows: readonly ReadRow[];
  /** The fingerprints of the rows, joined. */
  readonly fingerprints: Buffer;
}

export class Extraction {
  readonly problems = new Problems();
  readonly counts = new SummaryCounts();
  /** How many rows belong to products that are not public, by file. */
  readonly leftOut = new Map<string, number>();
  readonly changes = new Map<RecordName, number>();
  /** For the next build to remember, by name. */
  readonly memories = new Map<string, RowMemory>();
  /** Digests of all rows in their order, by file. */
  readonly files = new Map<string, Hash>();
  readonly #sources: Sources;
  readonly #before: Before | null;
  readonly #readings: Readings;
  readonly #makers: Makers;
  readonly #own = new Map<string, OwnParts>();
  readonly #rowCounts = new Map<string, number>();
  #byCategory: ReadonlyMap<number, readonly number[]> | undefined;

  /** @param before null for a new catalog: then nothing is remembered */
  constructor(sources: Sources, before: Before | null, makers: Makers) {
    this.#sources = sources;
    this.#before = before;
    this.#readings = before?.readings ?? NO_READINGS;
    this.#makers = makers;
  }

  /** Reads the rows of a record that others name, and finds which of them are valid and what others show of each. */
  async readOwn(record: RecordDef<RecordName>): Promise<void> {
    const { name, embeds, gathers } = record;
    const { writer } = this.#sources;
    const own = new OwnParts();
    this.#own.set(name, own);
    const known = this.#readings.rows(`own ${name}`);
    const shown = this.#readings.rows(`shown ${name}`);
    const before = writer.cellsBy(name, name === product.name ? ["slug", "category_id"] : ["slug"]);
    const embedded = embeds.map(({ of }) => this.#own.get(of));
    const slugs = new Map<string, number>();
    const maker = this.#makers.begin(name, this.#ownStep(record));
    const gathered = gathers.map((gather) => gather.value([]));
    const turns = new Turns(this.#makers.width);
    for await (const rows of this.#read(record)) {
      const digests = this.#digestRows(record, rows);
      const keptAt = rows.map((row, nth) =>
        embedded.every((others, at) => others?.has(row.extra[at]) === true)
          ? placeOf(known, row, digests, DIGEST_BYTES * nth)
          : -1,
      );
      const due = rows.filter((_, nth) => keptAt[nth] === -1);
      const inputs = due.map(({ text, ordinal }) => ({ text, ordinal, product: null, gathered }));
      const texts = due.map((row) => own.keepText(row));
      const places = rows.map(withoutText);
      const made = due.length === 0 ? NO_PARTS : maker.makeOwn(inputs);
      await turns.add(made, ({ parts, problems }) => {
        for (const problem of problems) this.problems.add(problem);
        let next = 0;
        for (const [nth, { id: storeId, ordinal }] of places.entries()) {
          const at = DIGEST_BYTES * nth;
          if (keptAt[nth] !== -1) {
            const id = Number(storeId);
            const [slug, category] = before.get(id) ?? [];
            if (this.#takeSlug(record, slugs, { id, slug: String(slug), ordinal }))
              own.keep(id, digests, at, shown, Number(category ?? 0));
            continue;
          }
          const part = parts[next] ?? null;
          const text = texts[next] ?? -1;
          next += 1;
          if (part === null || !this.#takeSlug(record, slugs, { ...part, ordinal })) continue;
          const category = name === product.name ? JSON.parse(part.shown).category_id : 0;
          own.put(part, { ordinal, text }, digests, at, category);
        }
      });
    }
    await turns.finish();
    this.memories.set(`own ${name}`, own.rows);
    this.memories.set(`shown ${name}`, own.shown);
  }

  /** Makes all rows of a record that differ from the remembered ones, and deletes missing ones. */
  async make(record: RecordDef<RecordName>): Promise<void> {
    const { name, file } = record;
    const { writer } = this.#sources;
    const known = this.#readings.rows(name);
    const memory = new RowMemory();
    const own = this.#own.get(name);
    const step = this.#step(record);
    const maker = this.#makers.begin(name, step);
    const turns = new Turns(this.#makers.width);
    const hasSlugs = own === undefined && resourceNamed(name).slug;
    const slugsBefore = hasSlugs ? writer.cellsBy(name, ["slug"]) : new Map<number, Cell[]>();
    const slugAt = Object.keys(resourceNamed(name).columns).indexOf("slug");
    const slugs = new Map<string, number>();
    const isFree = (id: number, slug: Cell | undefined, ordinal: number) =>
      !hasSlugs || this.#takeSlug(record, slugs, { id, slug: String(slug), ordinal });
    const batches =
      own === undefined ? this.#rowsOf(record) : this.#ownRows(record, own, { step, known, memory });
    for await (const { rows, fingerprints } of batches) {
      const keptAt = rows.map((row, nth) => placeOf(known, row, fingerprints, DIGEST_BYTES * nth));
      const due = rows.filter((_, nth) => keptAt[nth] === -1);
      const places = rows.map(withoutText);
      const batch = due.length === 0 ? NO_ROWS : maker.make(this.#inputs(record, due));
      await turns.add(batch, ({ made, problems }) => {
        const next = made[Symbol.iterator]();
        const put = new Map<number | null, { readonly place: number; readonly terms: SummaryTerms | null }>();
        for (const [nth, { id: storeId, ordinal }] of places.entries()) {
          const id = Number(storeId);
          const at = DIGEST_BYTES * nth;
          const place = keptAt[nth] ?? -1;
          if (place >= 0) {
            if (isFree(id, slugsBefore.get(id)?.[0], ordinal)) memory.keep(known, place);
            continue;
          }
          const row: MadeRow | null = next.next().value ?? null;
          if (row === null && own !== undefined)
            this.problems.refuse(`${file}.sql`, "which shows only once the whole record is made");
          if (row === null || !isFree(id, row.prepared.cells[slugAt], ordinal)) continue;
          this.#put(name, row);
          put.set(id, { place: memory.add(id, fingerprints, at), terms: row.summaryTerms });
        }
        // Only now: the problems are complete once the iterator of made rows has ended.
        const noted = new Map<number | null, RowProblem[]>();
        for (const problem of problems) {
          if (put.has(problem.row)) noted.set(problem.row, [...(noted.get(problem.row) ?? []), problem]);
          else this.problems.add(problem);
        }
        for (const [id, { place, terms }] of put) memory.setNote(place, noteOf(terms, noted.get(id) ?? []));
      });
    }
    await turns.finish();
    this.#report(record, memory);
    for (const id of known.ids()) if (memory.find(id) === -1) this.#delete(name, id);
    writer.complete(name);
    this.memories.set(name, memory);
  }

  /**
   * Rows of a record that no other one names: their inputs are their texts and their products' references. Rows of a product
   * that is not public are left out.
   */
  async *#rowsOf(record: RecordDef<RecordName>): AsyncGenerator<Batch> {
    const { belongsTo, file } = record;
    const products = this.#own.get(product.name);
    for await (const all of this.#read(record)) {
      const digests = this.#digestRows(record, all);
      const fingerprints = Buffer.alloc(digests.length);
      const rows: ReadRow[] = [];
      for (const [nth, row] of all.entries()) {
        const at = DIGEST_BYTES * rows.length;
        digests.copy(fingerprints, at, DIGEST_BYTES * nth, DIGEST_BYTES * (nth + 1));
        const owner = belongsTo === null ? null : row.extra[0];
        if (products !== undefined && typeof owner === "number") {
          const place = products.placeOf(owner);
          if (place === undefined) {
            this.leftOut.set(file, (this.leftOut.get(file) ?? 0) + 1);
            continue;
          }
          products.shown.addTo(fingerprints, at, place);
          products.addPart(place, fingerprints, at);
        }
        rows.push(row);
      }
      yield { rows, fingerprints };
    }
  }

  /**
   * Rows with known own parts that must be made; the others are kept. Their inputs are their texts, the records that they embed,
   * all rows that belong to them, and values of the whole shop. Texts that are not in memory are read again.
   */
  async *#ownRows(
    record: RecordDef<RecordName>,
    own: OwnParts,
    { step, known, memory }: OwnRowsOptions,
  ): AsyncGenerator<Batch> {
    const due = new RowMemory();
    const overall = digestOfText(JSON.stringify(step.overall));
    const shapes = record.embeds.map(
      ({ of }) =>
        new Map([...(step.shapes.get(of) ?? [])].map(([id, shape]) => [id, digestOfText(encodeJson(shape))])),
    );
    const ofProducts = record.gathers.filter(({ of }) => of === product.name);
    const fingerprint = Buffer.alloc(DIGEST_BYTES);
    for (let place = 0; place < own.rows.length; place++) {
      const id = own.rows.idAt(place);
      own.rows.copyTo(fingerprint, 0, place);
      addDigest(fingerprint, 0, overall, 0);
      for (const each of shapes) {
        const shape = each.get(own.categoryAt(place));
        if (shape !== undefined) addDigest(fingerprint, 0, shape, 0);
      }
      own.addPartsTo(fingerprint, 0, place);
      if (ofProducts.length > 0) {
        const values = ofProducts.map((gather) => gather.value(this.#productsOf(id)));
        addDigest(fingerprint, 0, digestOfText(JSON.stringify(values)), 0);
      }
      const before = known.find(id);
      if (before >= 0 && known.isSame(before, fingerprint, 0)) memory.keep(known, before);
      else due.add(id, fingerprint, 0);
    }
    const batchOf = (rows: readonly ReadRow[]): Batch => {
      const fingerprints = Buffer.alloc(DIGEST_BYTES * rows.length);
      for (const [nth, { id }] of rows.entries())
        due.copyTo(fingerprints, DIGEST_BYTES * nth, due.find(Number(id)));
      return { rows, fingerprints };
    };
    const again: number[] = [];
    let inMemory: ReadRow[] = [];
    for (const id of due.ids()) {
      const row = own.rowAt(own.placeOf(id) ?? -1);
      if (row === null) again.push(id);
      else inMemory.push(row);
      if (inMemory.length < BATCH_ROWS) continue;
      yield batchOf(inMemory);
      inMemory = [];
    }
    if (inMemory.length > 0) yield batchOf(inMemory);
    if (again.length === 0) return;
    const wanted = new Set<StoreValue>(again);
    for await (const rows of this.#read(record, again))
      yield batchOf(rows.filter(({ id }) => wanted.has(id)));
  }

  /** Rows of a file, numbered. Of two rows with one id only the first is returned, and the build is refused. */
  async *#read(record: RecordDef, ids?: readonly number[]): AsyncGenerator<readonly ReadRow[]> {
    const { store, queries } = this.#sources;
    const query = queries[record.file];
    if (query === undefined) return;
    let ordinal = 0;
    let previous: unknown;
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

  /** The digests of rows' texts together with the code and configuration that make records of them, joined. */
  #digestRows(record: RecordDef, rows: readonly ReadRow[]): Buffer {
    const { name, file } = record;
    const { config, queries } = this.#sources;
    const columns = columnsOf(record, queries);
    const shared = digestOfText(JSON.stringify([TOOL_VERSION, name, config.siteUrl, columns]));
    const digests = Buffer.alloc(DIGEST_BYTES * rows.length);
    for (const [nth, { text }] of rows.entries()) writeDigest(text, digests, DIGEST_BYTES * nth);
    const whole = this.files.get(file) ?? createHash("sha256");
    this.files.set(file, whole.update(digests));
    for (let at = 0; at < digests.length; at += DIGEST_BYTES) addDigest(digests, at, shared, 0);
    const count = rows.filter(({ id }) => rememberedId(id) !== null).length;
    this.#rowCounts.set(file, (this.#rowCounts.get(file) ?? 0) + count);
    return digests;
  }

  /** Inputs for rows to be made, with the values from other records. */
  #inputs(record: RecordDef<RecordName>, rows: readonly ReadRow[]): RowInput[] {
    const { belongsTo, gathers } = record;
    const ids = rows.flatMap(({ id }) => rememberedId(id) ?? []);
    const parts = gathers.map((gather) =>
      gather.of === product.name ? null : this.#sources.writer.partsOf(gather, ids),
    );
    return rows.map(({ id, text, ordinal, extra }) => {
      const owner = belongsTo === null ? null : extra[0];
      const gathered = gathers.map((gather, nth) =>
        gather.value(
          parts[nth]?.get(Number(id)) ?? (parts[nth] === null ? this.#productsOf(Number(id)) : []),
        ),
      );
      return { text, ordinal, product: typeof owner === "number" ? this.#productRef(owner) : null, gathered };
    });
  }

  /** How other records refer to a public product. */
  #productRef(id: number): Json {
    const made = this.#own.get(product.name)?.madeOf(id) ?? null;
    if (made !== null) return made;
    return encodeJson(productRefOf(this.#sources.writer.shape(product.name, id) ?? {}));
  }

  /** The products of a category. */
  #productsOf(category: number): GatheredRow[] {
    const { writer } = this.#sources;
    this.#byCategory ??= this.#own.get(product.name)?.byCategory() ?? new Map();
    const ids = this.#byCategory.get(category) ?? [];
    return ids.map((id) => ({ columns: {}, shape: () => writer.shape(product.name, id) }));
  }

  /** The data that all rows of a record share while they are made. */
  #step(record: RecordDef): StepData {
    const { writer, config, queries } = this.#sources;
    const shapesOf = (of: string) =>
      new Map(writer.ids(of).map((id) => [id, writer.shape(of, id) as Values]));
    return {
      siteUrl: config.siteUrl,
      columns: columnsOf(record, queries),
      shapes: new Map(record.embeds.map(({ of }) => [of, shapesOf(of)])),
      overall: record.overalls.map(({ of, columns, value }) => value(writer.alikeRows(of, columns))),
    };
  }

  /** As {@link #step}, before anything was gathered: embedded records are known by then, but without gathered values. */
  #ownStep(record: RecordDef): StepData {
    const { writer, config, queries } = this.#sources;
    const shapeOf = (of: string, id: number): Values => {
      const made = this.#own.get(of)?.madeOf(id) ?? null;
      return made === null ? (writer.shape(of, id) ?? {}) : JSON.parse(made);
    };
    const shapesOf = (of: string) =>
      new Map([...(this.#own.get(of)?.rows.ids() ?? [])].map((id) => [id, shapeOf(of, id)]));
    return {
      siteUrl: config.siteUrl,
      columns: columnsOf(record, queries),
      shapes: new Map(record.embeds.map(({ of }) => [of, shapesOf(of)])),
      overall: record.overalls.map(({ value }) => value([])),
    };
  }

  /** Adds the reports of all rows that are in the catalog now, made in this build or before. */
  #report({ file }: RecordDef, memory: RowMemory): void {
    const notes = new Map(
      memory.notes.flatMap((note) => (note === "" ? [] : [[note, JSON.parse(note) as Note]])),
    );
    for (const [number, count] of memory.countNotes().entries()) {
      const [terms = []] = notes.get(memory.notes[number] ?? "") ?? [];
      this.counts.count(terms, count);
    }
    const wrong = new Set([...notes].flatMap(([note, [, problems]]) => (problems.length > 0 ? [note] : [])));
    for (const [row, note] of memory.withNotes(wrong))
      for (const problem of notes.get(note)?.[1] ?? [])
        this.problems.add({
          ...problem,
          file: `${file}.sql`,
          ordinal: 0,
          id: String(row),
          row,
          example: null,
        });
  }

  /** Gives a slug to a row; false if a row with a lower id has it, which is reported. */
  #takeSlug(
    { file }: RecordDef,
    owners: Map<string, number>,
    { id, slug, ordinal }: { readonly id: number; readonly slug: string; readonly ordinal: number },
  ): boolean {
    const owner = owners.get(slug);
    if (owner === undefined) owners.set(slug, id);
    else
      this.problems.add({
        file: `${file}.sql`,
        ordinal,
        id: String(id),
        row: id,
        column: "slug",
        outcome: "left out",
        problem: "must be unique",
        example: `${JSON.stringify(slug)}, which id ${owner} has too`,
      });
    return owner === undefined;
  }

  /** Puts a row. Another row with its slug loses it: that one gets another slug or is deleted later. */
  #put(name: RecordName, { prepared }: MadeRow): void {
    const { writer } = this.#sources;
    const outcome = writer.takeSlugAndPut(name, prepared);
    if (this.#before === null || outcome === "unchanged") return;
    this.#countChange(name);
  }

  #delete(name: RecordName, id: number): void {
    this.#sources.writer.delete(name, id);
    this.#countChange(name);
  }

  #countChange(name: RecordName): void {
    this.changes.set(name, (this.changes.get(name) ?? 0) + 1);
  }

  /** Refuses files with more wrong rows than may be left out. */
  refuseTooMany(): void {
    for (const { file } of RECORDS) {
      const rows = this.#rowCounts.get(file) ?? 0;
      const max = maxLeftOutRows(rows, this.#sources.maxLeftOut);
      if (this.problems.leftOut(`${file}.sql`).size <= max) continue;
      const words = `more than the ${formatCount(max)} of ${formatCount(rows)} that may be left out (rows.maxLeftOut)`;
      this.problems.refuse(`${file}.sql`, words);
    }
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

interface OwnRowsOptions {
  readonly step: StepData;
  readonly known: RowMemory;
  /** Takes the rows that are kept. */
  readonly memory: RowMemory;
}
