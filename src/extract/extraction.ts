/**
 * The steps of an extraction. `readOwn` finds what others show of a record's rows, `make` brings the record's rows in the catalog up
 * to date; extract.ts says in which order, and why that is right. Both go through the rows in the same way: a row with the remembered
 * fingerprint is kept; any other is made, put and remembered.
 *
 * So a step is right if a fingerprint covers everything that a record is made of (`#rows`, and `#dueRows` for
 * records with an own part; declarations.ts refuses records that declare more), and if what depends on
 * several rows is found from all of them in every build, kept ones too: which row has a slug, which rows are left out, the reports.
 */
import type { PublicConfig } from "../api/config.ts";
import { productRefOf } from "../api/of-product.ts";
import type { RecordDef } from "../api/record.ts";
import { product } from "../api/records/product.ts";
import { RECORDS, type RecordName } from "../api/records.ts";
import type { Cell, GatheredRow, ProductRef, Values } from "../api/row.ts";
import { encodeJson } from "../base/json.ts";
import { formatCount } from "../base/log.ts";
import type { SqlTime } from "../base/time.ts";
import { resourceNamed } from "../catalog/resources.ts";
import type { CatalogWriter } from "../catalog/writer.ts";
import type { AllowList } from "./allow-list.ts";
import { checkDeclarations } from "./declarations.ts";
import { SummaryCounts } from "./extract-report.ts";
import { noteOf, reportNotes } from "./notes.ts";
import { OwnParts } from "./own-parts.ts";
import { maxLeftOutRows, Problems } from "./problems.ts";
import { RecordMaker, type Shared } from "./record-maker.ts";
import { addDigest, digestOf, RowMemory } from "./row-memory.ts";
import { type InputRow, type ReadRow, StoreRows } from "./rows.ts";
import { SlugOwners } from "./slugs.ts";
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

/** The store's rows as an extraction has read them: the next one skips those that are the same. */
export interface KnownRows {
  /** A digest of each file that gave a row, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** By record, and for own parts in two more each: `product`, `own product`, `shown product`. */
  readonly memories: ReadonlyMap<string, RowMemory>;
}

/** A row whose record may have to be made. */
interface Input extends InputRow {
  /** Id of the public product that it belongs to; null if it belongs to none. */
  readonly owner: number | null;
}

checkDeclarations(RECORDS);

export class Extraction {
  readonly problems = new Problems();
  readonly counts = new SummaryCounts();
  /** How many rows belong to products that are not public, by file. */
  readonly leftOut = new Map<string, number>();
  readonly changes = new Map<RecordName, number>();
  /** As in {@link KnownRows}. */
  readonly memories = new Map<string, RowMemory>();
  readonly rows: StoreRows;
  readonly #sources: Sources;
  readonly #before: KnownRows | null;
  readonly #own = new Map<string, OwnParts>();
  #byCategory: ReadonlyMap<number, readonly number[]> | undefined;

  /** @param before of the build that made the writer's catalog; null for a new one: then nothing is remembered */
  constructor(sources: Sources, before: KnownRows | null) {
    this.#sources = sources;
    this.#before = before;
    this.rows = new StoreRows(sources, this.problems);
  }

  #known(name: string): RowMemory {
    return this.#before?.memories.get(name) ?? new RowMemory();
  }

  /** Reads the rows of a record that others name, and finds which of them are valid and what others show of each. */
  async readOwn(record: RecordDef<RecordName>): Promise<void> {
    const { name, file, embeds, gathers } = record;
    const own = new OwnParts();
    this.#own.set(name, own);
    const known = this.#known(`own ${name}`);
    const shown = this.#known(`shown ${name}`);
    const before = this.#sources.writer.cellsBy(
      name,
      name === product.name ? ["slug", "category_id"] : ["slug"],
    );
    const slugs = new SlugOwners(`${file}.sql`, this.problems);
    const maker = new RecordMaker(record, this.#shared(record, { ofOwnParts: true }));
    const embedded = embeds.map(
      ({ of, by }) => [this.#own.get(of), this.rows.reference(record, by)] as const,
    );
    const gathered = gathers.map((gather) => gather.value([]));
    for await (const rows of this.rows.read(record))
      for (const { row, fingerprint } of rows) {
        const { text, ordinal } = row;
        if (
          known.placeOf(row.id, fingerprint) !== -1 &&
          embedded.every(([others, idIn]) => others?.has(idIn(row)) === true)
        ) {
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

  /** Brings all rows of a record in the catalog up to date, in the order of the rows: of two with one slug the first has it. */
  async make(record: RecordDef<RecordName>): Promise<void> {
    const { name, file } = record;
    const { writer } = this.#sources;
    const known = this.#known(name);
    const memory = new RowMemory();
    const own = this.#own.get(name);
    const shared = this.#shared(record, { ofOwnParts: false });
    const maker = new RecordMaker(record, shared);
    const takesSlug = this.#slugTaker(record);
    const inputs =
      own === undefined ? this.#rows(record) : this.#dueRows(record, { own, shared, known, memory });
    for await (const rows of inputs) {
      const gathered = this.#gatherer(record, rows);
      for (const { row, fingerprint, owner } of rows) {
        const { text, ordinal } = row;
        const place = known.placeOf(row.id, fingerprint);
        if (place !== -1) {
          if (takesSlug(known.idAt(place), ordinal)) memory.keep(known, place);
          continue;
        }
        const { made, problems } = maker.make({
          text,
          ordinal,
          product: owner === null ? null : this.#shown<ProductRef>(product.name, owner),
          gathered: gathered(row),
        });
        if (made === null && own !== undefined)
          this.problems.refuse(`${file}.sql`, "which shows only once the whole record is made");
        if (made === null || !takesSlug(made.row.id, ordinal, made.row.cells)) {
          for (const problem of problems) this.problems.add(problem);
          continue;
        }
        if (writer.put(name, made.row) && this.#before !== null) this.#countChange(name);
        memory.add(made.row.id, fingerprint, noteOf(made.summaryTerms, problems));
      }
    }
    reportNotes(`${file}.sql`, memory, { counts: this.counts, problems: this.problems });
    for (const id of known.ids()) {
      if (memory.find(id) !== -1) continue;
      writer.delete(name, id);
      this.#countChange(name);
    }
    this.memories.set(name, memory);
  }

  /**
   * Rows of a record without an own part: a record is made of its row's text and what the product shows that it belongs to. Rows of
   * a product that is not public are left out; the others are a part of their product.
   */
  async *#rows(record: RecordDef<RecordName>): AsyncGenerator<readonly Input[]> {
    const { belongsTo, file } = record;
    const products = this.#own.get(product.name);
    const ownerIn = belongsTo === null ? () => null : this.rows.reference(record, belongsTo.column);
    for await (const rows of this.rows.read(record)) {
      const found: Input[] = [];
      for (const { row, fingerprint } of rows) {
        const owner = ownerIn(row);
        if (products === undefined || typeof owner !== "number") {
          found.push({ row, fingerprint, owner: null });
          continue;
        }
        const place = products.placeOf(owner);
        if (place === undefined) {
          this.leftOut.set(file, (this.leftOut.get(file) ?? 0) + 1);
          continue;
        }
        addDigest(fingerprint, products.shown.fingerprintAt(place));
        products.addPart(place, fingerprint);
        found.push({ row, fingerprint, owner });
      }
      yield found;
    }
  }

  /**
   * Keeps the rows with known own parts whose records are remembered, and returns the others. A record is made of its row's text, the
   * category that it embeds, all rows that belong to it, values of the whole shop, and the products of a category. Rows whose texts
   * are not in memory are read again.
   */
  async *#dueRows(
    record: RecordDef<RecordName>,
    { own, shared, known, memory }: OwnRows,
  ): AsyncGenerator<readonly Input[]> {
    const overall = digestOf(JSON.stringify(shared.overall));
    const shapes = [...shared.shapes.values()].map(
      (each) => new Map([...each].map(([id, shape]) => [id, digestOf(encodeJson(shape))])),
    );
    const ofProducts = record.gathers.filter(({ of }) => of === product.name);
    const inMemory: Input[] = [];
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
      else inMemory.push({ row, fingerprint, owner: null });
    }
    for (let at = 0; at < inMemory.length; at += BATCH_ROWS) yield inMemory.slice(at, at + BATCH_ROWS);
    if (readAgain.size === 0) return;
    for await (const rows of this.rows.readAgain(record, [...readAgain.keys()].map(Number)))
      yield rows.flatMap((row) => {
        const fingerprint = readAgain.get(row.id);
        return fingerprint === undefined ? [] : [{ row, fingerprint, owner: null }];
      });
  }

  /** Gathers for rows of a batch. Parts are looked up for all of them at once, which is twenty times as fast. */
  #gatherer({ gathers }: RecordDef<RecordName>, rows: readonly InputRow[]): (row: ReadRow) => unknown[] {
    const ids = rows.map(({ row }) => Number(row.id));
    const parts = gathers.map((gather) => {
      if (gather.of === product.name) return (id: number) => this.#productsOf(id);
      const found = this.#sources.writer.partsOf(gather, ids);
      return (id: number): readonly GatheredRow[] => found.get(id) ?? [];
    });
    return ({ id }) => gathers.map((gather, nth) => gather.value(parts[nth]?.(Number(id)) ?? []));
  }

  /** The products of a category. */
  #productsOf(category: number): GatheredRow[] {
    const { writer } = this.#sources;
    this.#byCategory ??= this.#own.get(product.name)?.byCategory() ?? new Map();
    const ids = this.#byCategory.get(category) ?? [];
    return ids.map((id) => ({ columns: {}, shape: () => writer.shape(product.name, id) }));
  }

  /** A row as other records show it (OwnPart in record-maker.ts): made by this build, or else as the catalog has it. */
  #shown<Shown extends ProductRef | Values>(of: string, id: number): Shown {
    const made = this.#own.get(of)?.madeOf(id) ?? null;
    if (made !== null) return JSON.parse(made) as Shown;
    const shape = this.#sources.writer.shape(of, id) ?? {};
    return (of === product.name ? productRefOf(shape) : shape) as Shown;
  }

  /**
   * The values that all rows of a record share. For own parts nothing is gathered yet: embedded records are without what they gather,
   * and values of the whole shop are those of an empty one.
   */
  #shared(record: RecordDef, { ofOwnParts }: { readonly ofOwnParts: boolean }): Shared {
    const { writer, config } = this.#sources;
    const shapeOf = (of: string, id: number) =>
      ofOwnParts ? this.#shown<Values>(of, id) : (writer.shape(of, id) as Values);
    const shapesOf = (of: string) =>
      new Map([...(this.#own.get(of)?.rows.ids() ?? [])].map((id) => [id, shapeOf(of, id)]));
    return {
      siteUrl: config.siteUrl,
      columns: this.rows.columns(record),
      shapes: new Map(record.embeds.map(({ of }) => [of, shapesOf(of)])),
      overall: record.overalls.map(({ of, columns, value }) =>
        value(ofOwnParts ? [] : writer.alikeRows(of, columns)),
      ),
    };
  }

  /**
   * Returns a function that gives a row its slug, in order of the rows; false if an earlier row has it. `cells`: of a record that was
   * made; a kept one has the slug that it had. Rows with own parts got their slugs when those were read.
   */
  #slugTaker({ name, file }: RecordDef<RecordName>) {
    const { slug: hasSlug, columns } = resourceNamed(name);
    if (this.#own.has(name) || !hasSlug) return () => true;
    const before = this.#sources.writer.cellsBy(name, ["slug"]);
    const at = Object.keys(columns).indexOf("slug");
    const slugs = new SlugOwners(`${file}.sql`, this.problems);
    return (id: number, ordinal: number, cells?: readonly Cell[]): boolean => {
      const slug = cells === undefined ? before.get(id)?.[0] : cells[at];
      return slugs.take({ id, slug: String(slug), ordinal });
    };
  }

  #countChange(name: RecordName): void {
    this.changes.set(name, (this.changes.get(name) ?? 0) + 1);
  }

  /** Refuses files with more wrong rows than may be left out. */
  refuseTooMany(): void {
    for (const { file } of RECORDS) {
      const rows = this.rows.count(file);
      const max = maxLeftOutRows(rows, this.#sources.maxLeftOut);
      if (this.problems.leftOut(`${file}.sql`).size <= max) continue;
      const words = `more than the ${formatCount(max)} of ${formatCount(rows)} that may be left out (rows.maxLeftOut)`;
      this.problems.refuse(`${file}.sql`, words);
    }
  }
}

interface OwnRows {
  readonly own: OwnParts;
  readonly shared: Shared;
  readonly known: RowMemory;
  /** Takes the rows that are kept. */
  readonly memory: RowMemory;
}
