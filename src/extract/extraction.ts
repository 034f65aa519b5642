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
import type { GatheredRow, ProductRef, Values } from "../api/row.ts";
import { encodeJson } from "../base/json.ts";
import { formatCount } from "../base/log.ts";
import type { SqlTime } from "../base/time.ts";
import { resourceNamed } from "../catalog/resources.ts";
import type { CatalogWriter } from "../catalog/writer.ts";
import { TOOL_VERSION } from "../package.ts";
import type { AllowList } from "./allow-list.ts";
import { rowColumns } from "./columns.ts";
import { noteOf, reportNotes } from "./notes.ts";
import { OwnParts, type ReadRow } from "./own-parts.ts";
import { maxLeftOutRows, Problems } from "./problems.ts";
import { NO_READINGS, type Readings } from "./readings.ts";
import { type MadeRow, RecordMaker, type RowInput, type Shared } from "./record-maker.ts";
import { SummaryCounts } from "./report.ts";
import { addDigest, digestOf, RowMemory } from "./row-memory.ts";
import { Slugs } from "./slugs.ts";
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
}

/** The memory of the build that made the writer's catalog. */
export interface Before {
  readonly readings: Readings;
  /** Called for each file in which a row was added, deleted or changed. */
  readonly differs: (file: string) => void;
}

/** True for records that others embed or belong to: their own parts are known before the others are made. */
export function hasOwnPart({ name }: RecordDef): boolean {
  return name === product.name || RECORDS.some(({ embeds }) => embeds.some(({ of }) => of === name));
}

/** The id under which a row can be remembered. */
function rememberedId(id: StoreValue): number | null {
  return typeof id === "number" && Number.isSafeInteger(id) ? id : null;
}

/** The index at which a row is remembered with this fingerprint, or -1: then it must be made. */
function placeOf(known: RowMemory, { id }: ReadRow, fingerprint: Buffer): number {
  const row = rememberedId(id);
  return row === null ? -1 : known.placeOf(row, fingerprint);
}

/** Names of a row's values, in their order. */
function columnsOf(file: string, queries: AllowList): readonly string[] {
  const query = queries[file];
  return query === undefined ? [] : rowColumns(query);
}

/** Columns that are read in addition to a row's text: the ids of embedded records, and of the product. */
function extraColumnsOf(record: RecordDef, queries: AllowList): readonly string[] {
  const { belongsTo, embeds } = record;
  const columns = [...embeds.map(({ by }) => by), ...(belongsTo === null ? [] : [belongsTo.column])];
  const given = columnsOf(record.file, queries);
  return columns.filter((column) => given.includes(column));
}

/** The state of a file while its rows are read. */
interface ReadFile {
  /** Digest of all rows in their order. */
  readonly all: Hash;
  /** Digest of the code and configuration that make records of them. */
  readonly code: Buffer;
  /** How many rows have an id. */
  rows: number;
}

/** A row, and the digest of everything that its record is made of. */
interface InputRow {
  readonly row: ReadRow;
  readonly fingerprint: Buffer;
}

export class Extraction {
  readonly problems = new Problems();
  readonly counts = new SummaryCounts();
  /** How many rows belong to products that are not public, by file. */
  readonly leftOut = new Map<string, number>();
  readonly changes = new Map<RecordName, number>();
  /** For the next build to remember, by name. */
  readonly memories = new Map<string, RowMemory>();
  readonly #files = new Map<string, ReadFile>();
  readonly #sources: Sources;
  readonly #before: Before | null;
  readonly #readings: Readings;
  readonly #own = new Map<string, OwnParts>();
  #byCategory: ReadonlyMap<number, readonly number[]> | undefined;

  /** @param before null for a new catalog: then nothing is remembered */
  constructor(sources: Sources, before: Before | null) {
    this.#sources = sources;
    this.#before = before;
    this.#readings = before?.readings ?? NO_READINGS;
  }

  /** Reads the rows of a record that others name, and finds which of them are valid and what others show of each. */
  async readOwn(record: RecordDef<RecordName>): Promise<void> {
    const { name, embeds, gathers } = record;
    const own = new OwnParts();
    this.#own.set(name, own);
    const known = this.#readings.rows(`own ${name}`);
    const shown = this.#readings.rows(`shown ${name}`);
    const before = this.#sources.writer.cellsBy(
      name,
      name === product.name ? ["slug", "category_id"] : ["slug"],
    );
    const embedded = embeds.map(({ of }) => this.#own.get(of));
    const areEmbedded = (row: ReadRow) => embedded.every((others, at) => others?.has(row.extra[at]) === true);
    const slugs = new Slugs(`${record.file}.sql`, this.problems);
    const maker = new RecordMaker(record, this.#ownShared(record));
    const gathered = gathers.map((gather) => gather.value([]));
    for await (const rows of this.#read(record))
      for (const row of rows) {
        const { text, ordinal } = row;
        const fingerprint = this.#fingerprint(record, row);
        if (placeOf(known, row, fingerprint) !== -1 && areEmbedded(row)) {
          const id = Number(row.id);
          const [slug, category] = before.get(id) ?? [];
          if (slugs.take({ id, slug: String(slug), ordinal }))
            own.keep(id, fingerprint, shown, Number(category ?? 0));
          continue;
        }
        const { made, problems } = maker.makeOwn({ text, ordinal, product: null, gathered });
        for (const problem of problems) this.problems.add(problem);
        if (made !== null && slugs.take({ ...made, ordinal })) own.put(made, row, fingerprint);
      }
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
    const shared = this.#shared(record);
    const maker = new RecordMaker(record, shared);
    // Those of rows with own parts are taken already.
    const hasSlugs = own === undefined && resourceNamed(name).slug;
    const slugsBefore = hasSlugs ? writer.cellsBy(name, ["slug"]) : new Map<number, unknown[]>();
    const slugAt = Object.keys(resourceNamed(name).columns).indexOf("slug");
    const slugs = new Slugs(`${file}.sql`, this.problems);
    const isFree = (id: number, slug: unknown, ordinal: number) =>
      !hasSlugs || slugs.take({ id, slug: String(slug), ordinal });
    const batches =
      own === undefined ? this.#rowsOf(record) : this.#dueRows(record, { own, shared, known, memory });
    for await (const rows of batches) {
      const places = rows.map(({ row, fingerprint }) => placeOf(known, row, fingerprint));
      const due = rows.filter((_, nth) => places[nth] === -1);
      const gathered = this.#gathered(record, due)[Symbol.iterator]();
      // In the order of the rows, kept or not: of two with one slug the first has it.
      for (const [nth, { row, fingerprint }] of rows.entries()) {
        const [id, place] = [Number(row.id), places[nth] ?? -1];
        if (place !== -1) {
          if (isFree(id, slugsBefore.get(id)?.[0], row.ordinal)) memory.keep(known, place);
          continue;
        }
        const { made, problems } = maker.make(this.#input(record, row, gathered.next().value ?? []));
        if (made === null && own !== undefined)
          this.problems.refuse(`${file}.sql`, "which shows only once the whole record is made");
        if (made === null || !isFree(id, made.row.cells[slugAt], row.ordinal)) {
          for (const problem of problems) this.problems.add(problem);
          continue;
        }
        this.#put(name, made);
        memory.add(id, fingerprint, noteOf(made.summaryTerms, problems));
      }
    }
    reportNotes(`${file}.sql`, memory, { counts: this.counts, problems: this.problems });
    for (const id of known.ids()) if (memory.find(id) === -1) this.#delete(name, id);
    this.memories.set(name, memory);
  }

  /**
   * Rows of a record that no other one names: their inputs are their texts and their products' references. Rows of a product
   * that is not public are left out.
   */
  async *#rowsOf(record: RecordDef<RecordName>): AsyncGenerator<readonly InputRow[]> {
    const { belongsTo, file } = record;
    const products = this.#own.get(product.name);
    for await (const rows of this.#read(record)) {
      const found: InputRow[] = [];
      for (const row of rows) {
        const fingerprint = this.#fingerprint(record, row);
        const owner = belongsTo === null ? null : row.extra[0];
        if (products !== undefined && typeof owner === "number") {
          const place = products.placeOf(owner);
          if (place === undefined) {
            this.leftOut.set(file, (this.leftOut.get(file) ?? 0) + 1);
            continue;
          }
          addDigest(fingerprint, products.shown.fingerprintAt(place));
          products.addPart(place, fingerprint);
        }
        found.push({ row, fingerprint });
      }
      yield found;
    }
  }

  /**
   * Rows with known own parts that must be made; the others are kept. Their inputs are their texts, the records that they embed, all rows that belong to them, and
   * values of the whole shop. Texts that are not in memory are read again.
   */
  async *#dueRows(
    record: RecordDef<RecordName>,
    { own, shared, known, memory }: OwnRows,
  ): AsyncGenerator<readonly InputRow[]> {
    const overall = digestOf(JSON.stringify(shared.overall));
    const shapes = record.embeds.map(
      ({ of }) =>
        new Map([...(shared.shapes.get(of) ?? [])].map(([id, shape]) => [id, digestOf(encodeJson(shape))])),
    );
    const ofProducts = record.gathers.filter(({ of }) => of === product.name);
    const inMemory: InputRow[] = [];
    const readAgain = new Map<StoreValue, Buffer>();
    for (let place = 0; place < own.rows.length; place++) {
      const id = own.rows.idAt(place);
      const fingerprint = Buffer.from(own.rows.fingerprintAt(place));
      addDigest(fingerprint, overall);
      for (const each of shapes) {
        const shape = each.get(own.categoryAt(place));
        if (shape !== undefined) addDigest(fingerprint, shape);
      }
      addDigest(fingerprint, own.partsAt(place));
      if (ofProducts.length > 0) {
        const values = ofProducts.map((gather) => gather.value(this.#productsOf(id)));
        addDigest(fingerprint, digestOf(JSON.stringify(values)));
      }
      const before = known.placeOf(id, fingerprint);
      const row = own.rowOf(id);
      if (before !== -1) memory.keep(known, before);
      else if (row === null) readAgain.set(id, fingerprint);
      else inMemory.push({ row, fingerprint });
    }
    for (let at = 0; at < inMemory.length; at += BATCH_ROWS) yield inMemory.slice(at, at + BATCH_ROWS);
    if (readAgain.size === 0) return;
    for await (const rows of this.#read(record, [...readAgain.keys()].map(Number)))
      yield rows.flatMap((row) => {
        const fingerprint = readAgain.get(row.id);
        return fingerprint === undefined ? [] : [{ row, fingerprint }];
      });
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

  /** The digest of a row's text together with the code and configuration that make a record of it. Call it once for each row. */
  #fingerprint({ name, file }: RecordDef, { id, text }: ReadRow): Buffer {
    const { config, queries } = this.#sources;
    const read = this.#files.get(file) ?? {
      all: createHash("sha256"),
      code: digestOf(JSON.stringify([TOOL_VERSION, name, config.siteUrl, columnsOf(file, queries)])),
      rows: 0,
    };
    this.#files.set(file, read);
    const fingerprint = digestOf(text);
    read.all.update(fingerprint);
    addDigest(fingerprint, read.code);
    if (rememberedId(id) !== null) read.rows += 1;
    return fingerprint;
  }

  /** The gathered values of these rows. Parts are looked up for all rows at once, which is twenty times as fast. */
  #gathered({ gathers }: RecordDef<RecordName>, rows: readonly InputRow[]): unknown[][] {
    const { writer } = this.#sources;
    const ids = rows.map(({ row }) => Number(row.id));
    const parts = gathers.map((gather) => {
      if (gather.of === product.name) return this.#productsOf.bind(this);
      const found = writer.partsOf(gather, ids);
      return (id: number): readonly GatheredRow[] => found.get(id) ?? [];
    });
    return ids.map((id) => gathers.map((gather, nth) => gather.value(parts[nth]?.(id) ?? [])));
  }

  #input(
    { belongsTo }: RecordDef,
    { text, ordinal, extra }: ReadRow,
    gathered: readonly unknown[],
  ): RowInput {
    const owner = belongsTo === null ? null : extra[0];
    return { text, ordinal, product: typeof owner === "number" ? this.#productRef(owner) : null, gathered };
  }

  /** How other records refer to a public product. */
  #productRef(id: number): ProductRef {
    const made = this.#own.get(product.name)?.madeOf(id) ?? null;
    if (made !== null) return JSON.parse(made) as ProductRef;
    return productRefOf(this.#sources.writer.shape(product.name, id) ?? {});
  }

  /** The products of a category. */
  #productsOf(category: number): GatheredRow[] {
    const { writer } = this.#sources;
    this.#byCategory ??= this.#own.get(product.name)?.byCategory() ?? new Map();
    const ids = this.#byCategory.get(category) ?? [];
    return ids.map((id) => ({ columns: {}, shape: () => writer.shape(product.name, id) }));
  }

  /** The values that all rows of a record share. */
  #shared(record: RecordDef): Shared {
    const { writer, config, queries } = this.#sources;
    const shapesOf = (of: string) =>
      new Map(writer.ids(of).map((id) => [id, writer.shape(of, id) as Values]));
    return {
      siteUrl: config.siteUrl,
      columns: columnsOf(record.file, queries),
      shapes: new Map(record.embeds.map(({ of }) => [of, shapesOf(of)])),
      overall: record.overalls.map(({ of, columns, value }) => value(writer.alikeRows(of, columns))),
    };
  }

  /** As {@link #shared}, before anything was gathered: embedded records are known by then, but without gathered values. */
  #ownShared(record: RecordDef): Shared {
    const { writer, config, queries } = this.#sources;
    const shapeOf = (of: string, id: number): Values => {
      const made = this.#own.get(of)?.madeOf(id) ?? null;
      return made === null ? (writer.shape(of, id) ?? {}) : JSON.parse(made);
    };
    const shapesOf = (of: string) =>
      new Map([...(this.#own.get(of)?.rows.ids() ?? [])].map((id) => [id, shapeOf(of, id)]));
    return {
      siteUrl: config.siteUrl,
      columns: columnsOf(record.file, queries),
      shapes: new Map(record.embeds.map(({ of }) => [of, shapesOf(of)])),
      overall: record.overalls.map(({ value }) => value([])),
    };
  }

  /** Puts a row. Another row with its slug loses it: that one gets another slug or is deleted later. */
  #put(name: RecordName, { row }: MadeRow): void {
    const isChanged = this.#sources.writer.put(name, row);
    if (isChanged && this.#before !== null) this.#countChange(name);
  }

  #delete(name: RecordName, id: number): void {
    this.#sources.writer.delete(name, id);
    this.#countChange(name);
  }

  #countChange(name: RecordName): void {
    this.changes.set(name, (this.changes.get(name) ?? 0) + 1);
  }

  /** Digests of the files that gave a row, by name. */
  digests(): Map<string, string> {
    return new Map([...this.#files].map(([file, { all }]) => [file, all.digest("hex")]));
  }

  /** Refuses files with more wrong rows than may be left out. */
  refuseTooMany(): void {
    for (const { file } of RECORDS) {
      const rows = this.#files.get(file)?.rows ?? 0;
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

interface OwnRows {
  readonly own: OwnParts;
  readonly shared: Shared;
  readonly known: RowMemory;
  /** Takes the rows that are kept. */
  readonly memory: RowMemory;
}
