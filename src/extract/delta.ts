/**
 * What changed in the store → the rows that change in the catalog. Rows are told apart by the digests of their texts; a
 * record that comes out as it was stops there. Records depend on each other as they declare it, each dependency one hop.
 */
import { BRIEF_COLUMNS } from "../api/of-product.ts";
import type { RecordDef } from "../api/record.ts";
import { product } from "../api/records/product.ts";
import { RECORDS, type RecordName } from "../api/records.ts";
import type { Cell, Overall, Part, ProductBrief, Values } from "../api/row.ts";
import { encodeJson, type Json } from "../base/json.ts";
import { type CatalogRow, catalogRow, type ListedRow } from "../catalog/row.ts";
import type { AllowListQuery } from "./allow-list.ts";
import { DueRows, EMBEDDED, gatherersOf, TooMuchChanged } from "./due-rows.ts";
import { besideOf, createBriefReader, type DueRow, Extraction, type Tools } from "./extraction.ts";
import { withColumns } from "./fit.ts";
import { type Readings, RowDigests } from "./readings.ts";
import { type MadeRow, recordNamed } from "./record-maker.ts";
import { RowComparison } from "./row-comparison.ts";
import { BATCH_ROWS, type RowsBy, type RowText, type StoreValue } from "./store.ts";
import { Tallies, tallyOf } from "./summary.ts";
import { WrongRows } from "./wrong-rows.ts";

/** Characters of changed rows that are kept until they are made; the file is read again where there are more. */
const HELD_CHARACTERS = 16_000_000;

/** A changed row; its text is null where there are too many to hold. */
interface Seen extends Omit<RowText, "text"> {
  readonly text: string | null;
  readonly ordinal: number;
}

/** What differs in one file. */
interface Scan {
  readonly changed: Map<number, Seen>;
  /** Rows that have no id which could be remembered: they are wrong, and making them says how. */
  readonly wrong: readonly Seen[];
  readonly gone: number[];
  readonly digests: RowDigests;
}

interface PutRow {
  readonly id: number;
  readonly columns: Readonly<Record<string, Cell>>;
  /** True where it only embeds a record that is another. */
  readonly isRelisted?: boolean;
}

/** What became of the rows of one resource: what followers need to change theirs. */
export interface ResourceChanges {
  readonly put: PutRow[];
  readonly deleted: number[];
}

/** Told of each row that changes, as it happens. */
export interface ChangeSink {
  put(resource: RecordName, row: CatalogRow): void;
  /** Only what lists show of a row changes. */
  list(resource: RecordName, row: ListedRow): void;
  delete(resource: RecordName, id: number): void;
}

const NOTHING: Scan = { changed: new Map(), wrong: [], gone: [], digests: new RowDigests() };

/** Rows of the allow-list's files that may be others than what the catalog was made of. */
export interface Rows {
  readonly files: ReadonlySet<string>;
  /** Of some of these files the only rows. */
  readonly within: ReadonlyMap<string, readonly RowsBy[]>;
}

export interface DeltaTools {
  readonly readings: Readings;
  readonly sink: ChangeSink;
  /** Told of each resource of which a row changes, at the first one. */
  readonly changing: (name: RecordName) => void;
  /** The rows that would be looked at, where all are looked at because of doubts; null where there are none. */
  readonly told: Rows | null;
  /** Told of each file of which a row differs that is not among those. */
  readonly missed: (file: string) => void;
  /** Most rows that may be made. */
  readonly limit: number;
}

export class DeltaExtraction extends Extraction {
  readonly changes = new Map<RecordName, ResourceChanges>();
  readonly #readings: Readings;
  readonly #sink: ChangeSink;
  readonly #changing: DeltaTools["changing"];
  readonly #told: Rows | null;
  readonly #missed: DeltaTools["missed"];
  readonly #scans = new Map<string, Scan>();
  readonly #due: DueRows;
  /** `product invoice-kit`: another row waits for this slug. */
  readonly #takenSlugs: ReadonlySet<string>;
  readonly #briefs = new Map<number, ProductBrief | null>();
  constructor(tools: Tools, { readings, sink, changing, told, missed, limit }: DeltaTools) {
    const tallies = new Tallies(JSON.parse(readings.words.get("tallies") ?? "[]"));
    super(tools, tallies, new WrongRows(readings.words.get("wrong")));
    this.#takenSlugs = new Set(
      (JSON.parse(readings.words.get("taken") ?? "[]") as string[][]).map((each) => each.join(" ")),
    );
    this.#readings = readings;
    this.#sink = sink;
    this.#changing = changing;
    this.#told = told;
    this.#missed = missed;
    this.#due = new DueRows(tools.writer, limit);
    for (const { file } of RECORDS) this.leftOut.set(file, new Map(readings.leftOut(file)));
  }

  /** New digests of the files that were read. */
  get rows(): ReadonlyMap<string, RowDigests> {
    return new Map([...this.#scans].map(([file, { digests }]) => [file, digests]));
  }

  /** True where nothing may be built. */
  get areTooManyWrong(): boolean {
    const rows = this.rows;
    const rowsOf = (file: string) => (rows.get(file) ?? this.#readings.rows(file))?.length ?? 0;
    return this.problems.areRefused || this.tooMany(rowsOf).size > 0;
  }

  /** Reads files and finds the rows that differ. @throws TooMuchChanged */
  async scan({ files, within }: Rows): Promise<void> {
    for (const record of RECORDS) {
      if (!files.has(record.file)) continue;
      this.#scans.set(record.file, await this.#scan(record, within.get(record.file)));
    }
  }

  /** Makes what differs, and what depends on it. @throws TooMuchChanged */
  async run(): Promise<void> {
    this.#forceOfProducts();
    for (const record of RECORDS) {
      const scan = this.#scans.get(record.file) ?? NOTHING;
      for (const id of scan.gone) this.#delete(record, id);
      const forced = this.#due.made(record.name);
      const isMade = (id: number) => scan.changed.has(id) || forced.has(id);
      this.#relist(
        record,
        [...this.#due.relisted(record.name)].filter((id) => !isMade(id)),
      );
      if (scan.changed.size + scan.wrong.length + forced.size > 0)
        await this.make(record, this.#inputs(record, scan, forced));
      this.#forceOfOverall(record);
    }
    for (const { put, deleted } of this.changes.values()) {
      put.sort((a, b) => a.id - b.id);
      deleted.sort((a, b) => a - b);
    }
  }

  async #scan(record: RecordDef<RecordName>, within: readonly RowsBy[] | undefined): Promise<Scan> {
    const query = this.tools.queries[record.file];
    const known = this.#readings.rows(record.file);
    // Of what is not remembered nothing stands.
    const isPart = known !== null && within !== undefined && query !== undefined;
    const ids = isPart ? await this.#idsWithin(record, query, within) : null;
    const told = await this.#idsTold(record);
    const comparison = new RowComparison(known ?? new RowDigests(), ids);
    const { digests, gone } = comparison;
    const scan = { changed: new Map<number, Seen>(), wrong: [] as Seen[], gone, digests };
    let [ordinal, held, counted] = [0, 0, 0];
    const count = () => {
      const rows = scan.changed.size + gone.length;
      this.#due.count(rows - counted);
      counted = rows;
    };
    let previous: unknown;
    const see = (row: RowText): Seen => {
      held += row.text.length;
      return { ...row, ordinal, text: held > HELD_CHARACTERS ? null : row.text };
    };
    const wanted = ids === null ? undefined : { column: "id", ids: [...ids] };
    for await (const rows of query === undefined ? [] : this.#read(record, query, wanted)) {
      for (const row of rows) {
        ordinal += 1;
        if (row.id === previous) this.refuseTwice(record.file, ordinal, row.id);
        previous = row.id;
        if (typeof row.id !== "number" || !Number.isSafeInteger(row.id)) scan.wrong.push({ ...row, ordinal });
        else if (comparison.see(row.id, row.text) === "other") {
          scan.changed.set(row.id, see(row));
          if (told?.has(row.id) === false) this.#missed(record.file);
        }
      }
      count();
    }
    comparison.finish();
    if (told !== null && gone.some((id) => !told.has(id))) this.#missed(record.file);
    count();
    return scan;
  }

  #read(record: RecordDef, query: AllowListQuery, wanted: RowsBy | undefined) {
    const beside = besideOf(record, this.tools.queries);
    return this.tools.store.batches(query, beside, wanted);
  }

  /** Ids of the rows that are known to have changed; null where that may be any, or nobody asks. */
  async #idsTold(record: RecordDef<RecordName>): Promise<ReadonlySet<number> | null> {
    const query = this.tools.queries[record.file];
    if (this.#told === null || query === undefined) return null;
    if (!this.#told.files.has(record.file)) return new Set();
    const within = this.#told.within.get(record.file);
    return within === undefined ? null : this.#idsWithin(record, query, within);
  }

  /** Ids of rows that are told by a column of theirs, those that they had by then, too. */
  async #idsWithin(
    { name, file }: RecordDef<RecordName>,
    query: AllowListQuery,
    wanted: readonly RowsBy[],
  ): Promise<ReadonlySet<number>> {
    const found = new Set<number>();
    for (const rows of wanted) {
      const ids = rows.column === "id" ? rows.ids : await this.#idsOwned({ name, file }, query, rows);
      for (const id of ids) found.add(id);
    }
    return found;
  }

  async #idsOwned(
    { name, file }: Pick<RecordDef<RecordName>, "name" | "file">,
    query: AllowListQuery,
    wanted: RowsBy,
  ): Promise<ReadonlySet<number>> {
    const { column } = wanted;
    const owners = new Set(wanted.ids);
    const isMeant = (owner: unknown) => typeof owner !== "number" || owners.has(owner);
    const { store, writer } = this.tools;
    const ids = new Set(wanted.ids.flatMap((owner) => writer.idsBy(name, column, owner)));
    for (const [id, owner] of this.leftOut.get(file) ?? []) if (isMeant(owner)) ids.add(id);
    for await (const rows of store.batches(withColumns(query, ["id", column]), [column], wanted))
      for (const { id, beside } of rows) if (typeof id === "number" && isMeant(beside[0])) ids.add(id);
    return ids;
  }

  /** What products' briefs change: counts of those that they belong to, and all records that name them. */
  #forceOfProducts(): void {
    const scan = this.#scans.get(product.file) ?? NOTHING;
    const { config, queries, writer } = this.tools;
    // As if each category that comes or changes were right: if it is not, that is seen when its products are made.
    const known = [...EMBEDDED].map((name) => {
      const { file } = recordNamed(name as RecordName);
      const changed = this.#scans.get(file)?.changed.keys() ?? [];
      return [name, new Set([...writer.ids(name), ...changed])] as const;
    });
    const read = createBriefReader(config.siteUrl, queries, new Map(known));
    for (const [id, { beside }] of scan.changed) this.#forceOfBrief(id, read(beside));
    for (const id of scan.gone) this.#forceOfBrief(id, null);
  }

  #forceOfBrief(id: number, after: ProductBrief | null): void {
    const before = this.#storedBrief(id);
    this.#briefs.set(id, after);
    for (const { record, by } of gatherersOf(product.name)) {
      const owners = [before, after].map((brief) => brief?.[by as keyof ProductBrief] ?? null);
      if (owners[0] !== owners[1])
        this.#due.make(
          record.name,
          owners.filter((owner) => typeof owner === "number"),
        );
    }
    if (BRIEF_COLUMNS.every((column) => before?.[column] === after?.[column])) return;
    for (const { name, file, belongsTo } of RECORDS) {
      if (belongsTo === null) continue;
      this.#due.make(name, this.tools.writer.idsBy(name, belongsTo.column, id));
      for (const [row, owner] of this.leftOut.get(file) ?? []) if (owner === id) this.#due.make(name, [row]);
      // Whose a wrong row is, is not remembered; it is counted as wrong only while its product is public.
      if (before === null || after === null) this.#due.make(name, this.wrong.leftOut(`${file}.sql`));
    }
  }

  #storedBrief(id: number): ProductBrief | null {
    const shape = this.tools.writer.shape(product.name, id) as
      | (Omit<ProductBrief, "category_id"> & { readonly category: { readonly id: number } })
      | null;
    if (shape === null) return null;
    const { title, slug, public_url, category } = shape;
    return { id, title, slug, public_url, category_id: category.id };
  }

  protected brief(id: number): Json | null {
    const known = this.#briefs.get(id);
    const brief = known === undefined ? this.#storedBrief(id) : known;
    return brief === null ? null : encodeJson(brief);
  }

  protected *productsBy(by: string, owner: number): Generator<Part> {
    const { writer } = this.tools;
    const part = (id: number): Part => ({ columns: {}, shape: () => writer.shape(product.name, id) });
    for (const id of writer.idsBy(product.name, by, owner)) if (!this.#briefs.has(id)) yield part(id);
    for (const [id, brief] of this.#briefs) if (brief?.[by as keyof ProductBrief] === owner) yield part(id);
  }

  /** A coarse value of all rows that came out otherwise changes every record that asks for it. */
  #forceOfOverall({ name }: RecordDef): void {
    if (!this.changes.has(name as RecordName)) return;
    const known = JSON.parse(this.#readings.words.get("overall") ?? "{}") as Values;
    for (const record of RECORDS) {
      record.overalls.forEach((overall, at) => {
        if (overall.of !== name) return;
        const value = this.valueOf(overall);
        this.overalls.set(overall, value);
        if (JSON.stringify(value) === JSON.stringify(known[`${record.name} ${at}`])) return;
        this.#due.make(record.name, this.tools.writer.ids(record.name));
      });
    }
  }

  protected override overall(overall: Overall<unknown>): unknown {
    if (this.overalls.has(overall)) return this.overalls.get(overall);
    const known = JSON.parse(this.#readings.words.get("overall") ?? "{}") as Values;
    for (const record of RECORDS) {
      const at = record.overalls.indexOf(overall);
      const value = known[`${record.name} ${at}`];
      if (at >= 0 && value !== undefined) this.overalls.set(overall, value);
    }
    return super.overall(overall);
  }

  /** Rows of a file that are to be made: as they were held, or read again. */
  async *#inputs(
    record: RecordDef<RecordName>,
    scan: Scan,
    forced: ReadonlySet<number>,
  ): AsyncGenerator<readonly DueRow[]> {
    const isHeld = (id: number) => typeof scan.changed.get(id)?.text === "string";
    const held = [...scan.changed.values()].every(({ text }) => text !== null) && [...forced].every(isHeld);
    const gone = new Set(scan.gone);
    const ids = new Set([...scan.changed.keys(), ...[...forced].filter((id) => !gone.has(id))]);
    const source = held ? [[...scan.changed.values()]] : this.#readAgain(record, ids);
    let inputs: DueRow[] = [];
    for await (const rows of joined(source, scan.wrong)) {
      for (const row of rows) {
        const prepared = this.prepare(record, row as RowText, row.ordinal);
        const leftOut = this.leftOut.get(record.file);
        if ("text" in prepared) {
          leftOut?.delete(Number(row.id));
          inputs.push(prepared);
        } else {
          this.#delete(record, Number(row.id));
          leftOut?.set(Number(row.id), prepared.leftOutOf);
        }
        if (inputs.length < BATCH_ROWS) continue;
        yield inputs;
        inputs = [];
      }
    }
    if (inputs.length > 0) yield inputs;
  }

  async *#readAgain(record: RecordDef, ids: ReadonlySet<number>): AsyncGenerator<readonly Seen[]> {
    const query = this.tools.queries[record.file];
    if (query === undefined) return;
    let ordinal = 0;
    for await (const rows of this.#read(record, query, { column: "id", ids: [...ids] })) {
      const found = rows.map((row) => ({ ...row, ordinal: ++ordinal }));
      yield found.filter(({ id }) => typeof id === "number" && ids.has(id));
    }
  }

  #changesOf(name: RecordName): ResourceChanges {
    const known = this.changes.get(name);
    if (known !== undefined) return known;
    const made: ResourceChanges = { put: [], deleted: [] };
    this.changes.set(name, made);
    this.#changing(name);
    return made;
  }

  /** @throws TooMuchChanged where others were made as if it stayed */
  protected leaveOut(record: RecordDef<RecordName>, id: StoreValue): void {
    if (record.name === product.name && this.brief(Number(id)) !== null) throw new TooMuchChanged();
    this.#delete(record, Number(id));
  }

  /** Which of two rows has a slug, all rows say: the one with the lower id. @throws TooMuchChanged */
  protected slugTaken(): never {
    throw new TooMuchChanged();
  }

  /** @throws TooMuchChanged where another row may have the slug that this one gives up, or must give it up */
  #checkSlug(name: string, columns: Readonly<Record<string, Cell>> | null): void {
    if (this.#takenSlugs.has(`${name} ${columns?.["slug"]}`)) throw new TooMuchChanged();
  }

  /** @throws TooMuchChanged where rows that were left out may be right now, or others were made as if this one were */
  #checkNew({ name }: RecordDef, id: number): void {
    if (name === product.name && this.#briefs.get(id) === null) throw new TooMuchChanged();
    const embedders = EMBEDDED.has(name)
      ? RECORDS.filter(({ embeds }) => embeds.some(({ of }) => of === name))
      : [];
    if (embedders.some(({ file }) => this.wrong.leftOut(`${file}.sql`).size > 0)) throw new TooMuchChanged();
  }

  protected put(record: RecordDef<RecordName>, { prepared, tally }: MadeRow): number | null {
    const { writer } = this.tools;
    const { name } = record;
    const row = catalogRow(name, prepared);
    const before = writer.columns(name, row.id);
    const old = tally === null ? null : writer.detail(name, row.id);
    const shape = EMBEDDED.has(name) ? writer.shape(name, row.id) : null;
    const outcome = writer.putPrepared(name, prepared);
    if (outcome === "kept") return null;
    if (before?.["slug"] !== row.columns["slug"])
      for (const columns of [before, row.columns]) this.#checkSlug(name, columns);
    if (typeof outcome === "object") return outcome.slugTaken;
    if (outcome === "new") this.#checkNew(record, row.id);
    if (old !== null) this.tallies.count(tallyOf(old), -1);
    if (tally !== null) this.tallies.count(tally, 1);
    this.#changesOf(name).put.push({ id: row.id, columns: row.columns });
    if (outcome === "listed") this.#sink.list(name, row);
    else this.#sink.put(name, row);
    this.#due.makeGatherers(name, [before, row.columns]);
    this.#due.makeEmbedders(name, row.id, shape);
    return null;
  }

  /** Rows of which nothing changed but what is embedded: their list fragments are changed where they stand. */
  #relist({ name, embeds }: RecordDef<RecordName>, ids: Iterable<number>): void {
    const { writer } = this.tools;
    const shapes = new Map<string, Values | null>();
    const shapeOf = (of: string, owner: number) => {
      const key = `${of} ${owner}`;
      if (!shapes.has(key)) shapes.set(key, writer.shape(of, owner));
      return shapes.get(key);
    };
    for (const id of ids) {
      const listed = writer.relist(name, id, (list, columns) => {
        const embedded = embeds.map(({ of, field }) => [field, shapeOf(of, Number(columns[`${of}_id`]))]);
        return encodeJson({ ...(JSON.parse(list) as Values), ...Object.fromEntries(embedded) });
      });
      if (listed === null) continue;
      const { columns } = listed;
      this.#changesOf(name).put.push({ id, columns, isRelisted: true });
      this.#sink.list(name, listed);
      this.#due.makeGatherers(name, [columns]);
    }
  }

  #delete(record: RecordDef<RecordName>, id: number): void {
    const { writer } = this.tools;
    const { name } = record;
    this.leftOut.get(record.file)?.delete(id);
    this.wrong.forget(`${record.file}.sql`, id);
    const before = writer.columns(name, id);
    if (before === null) return;
    this.#checkSlug(name, before);
    const old = name === product.name ? writer.detail(name, id) : null;
    if (old !== null) this.tallies.count(tallyOf(old), -1);
    writer.delete(name, id);
    this.#changesOf(name).deleted.push(id);
    this.#sink.delete(name, id);
    this.#due.makeGatherers(name, [before]);
    this.#due.makeEmbedders(name, id, null);
  }
}

async function* joined<Row>(
  batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  last: readonly Row[],
): AsyncGenerator<readonly Row[]> {
  yield* batches;
  yield last;
}

/** What is to be remembered of overall values. */
export function overallWords(overalls: ReadonlyMap<Overall<unknown>, unknown>): string {
  const words = RECORDS.flatMap((record) =>
    record.overalls.flatMap((overall, at) =>
      overalls.has(overall) ? [[`${record.name} ${at}`, overalls.get(overall)] as const] : [],
    ),
  );
  return JSON.stringify(Object.fromEntries(words));
}
