/** The whole store → a new catalog: every row is made. */

import { readBrief } from "../api/of-product.ts";
import type { RecordDef } from "../api/record.ts";
import { product } from "../api/records/product.ts";
import { RECORDS, type RecordName } from "../api/records.ts";
import type { Gather, Part, ProductBrief, Row } from "../api/row.ts";
import type { Json } from "../base/json.ts";
import { Briefs } from "./briefs.ts";
import { EMBEDDED } from "./due-rows.ts";
import { besideOf, createJudge, type DueRow, Extraction, type Tools } from "./extraction.ts";
import { withColumns } from "./fit.ts";
import { RowDigests } from "./readings.ts";
import type { MadeRow } from "./record-maker.ts";
import type { RowText, StoreValue } from "./store.ts";
import { Tallies } from "./summary.ts";
import { WrongRows } from "./wrong-rows.ts";

/** Records that others name, each after those that it names. */
const NAMED = RECORDS.filter(({ name }) => EMBEDDED.has(name) || name === product.name);

/** Stands for each product that is only counted. */
const COUNTED: Part = { columns: {}, shape: () => null };

export class WholeExtraction extends Extraction {
  /** Digests of all rows that were read, by file. */
  readonly rows = new Map<string, RowDigests>();
  /** Ids of the records that others name and that are made. */
  readonly #known = new Map<string, Set<number>>();
  /** Slugs that rows were left out for, by the record's name. */
  readonly takenSlugs: [name: string, slug: string][] = [];
  readonly #briefs = new Briefs();
  readonly #products = new Map<string, Map<unknown, Part[]>>();
  /** Parts of the rows that are prepared, by what gathers them. */
  readonly #parts = new Map<Gather<unknown>, Map<number, Part[]>>();

  constructor(tools: Tools) {
    super(tools, new Tallies(), new WrongRows());
  }

  /** What is public of what others name is known before all that names it; then records come in their order. */
  async run(): Promise<void> {
    await this.#readNamed();
    for (const record of RECORDS) {
      await this.make(record, this.#inputs(record));
      this.tools.writer.complete(record.name);
    }
    for (const [file, words] of this.tooMany((name) => this.rows.get(name)?.length ?? 0))
      this.problems.refuse(file, words);
  }

  /** Gives back what all rows left in memory, once nobody asks for it any more. */
  free(): void {
    this.#briefs.free();
    for (const digests of this.rows.values()) digests.free();
  }

  async #readNamed(): Promise<void> {
    for (const record of NAMED) {
      const ids = new Set<number>();
      for await (const row of this.#judged(record)) {
        ids.add(row.integer("id", 1));
        if (record.name === product.name) this.#briefs.add(readBrief(row));
      }
      this.#known.set(record.name, ids);
    }
  }

  /** Rows that make a record: nothing required of them is wrong, and their slug is no earlier row's. */
  async *#judged(record: RecordDef): AsyncGenerator<Row> {
    const { store, queries, config, makers } = this.tools;
    const query = queries[record.file];
    if (query === undefined) return;
    const judge = createJudge(record, { siteUrl: config.siteUrl, queries, known: this.#known });
    const columns = besideOf(record, queries);
    const slugs = new Set<string>();
    let count = 0;
    for await (const rows of store.batches(withColumns(query, columns), columns)) {
      for (const { beside } of rows) {
        const row = judge(beside);
        const slug = row?.slug("slug") ?? "";
        if (row !== null && !slugs.has(slug)) yield row;
        if (row !== null) slugs.add(slug);
      }
      count += rows.length;
      makers.expect(count);
    }
  }

  /** Others have been made as if there were such a record: all of it is refused then, whatever may be left out. */
  protected leaveOut({ name, file }: RecordDef, id: StoreValue): void {
    if (!this.#known.get(name)?.has(Number(id))) return;
    this.problems.refuse(`${file}.sql`, "in a way that is only seen once all of it is made");
  }

  async *#inputs(record: RecordDef): AsyncGenerator<readonly DueRow[]> {
    const { store, queries } = this.tools;
    const query = queries[record.file];
    const digests = new RowDigests();
    const leftOut = new Map<number, number>();
    this.rows.set(record.file, digests);
    this.leftOut.set(record.file, leftOut);
    if (query === undefined) return;
    let ordinal = 0;
    let previous: unknown;
    for await (const rows of store.batches(query, besideOf(record, this.tools.queries))) {
      const inputs: DueRow[] = [];
      this.#gatherParts(record, rows);
      for (const row of rows) {
        ordinal += 1;
        if (row.id === previous) {
          this.refuseTwice(record.file, ordinal, row.id);
          continue;
        }
        previous = row.id;
        if (typeof row.id === "number") digests.add(row.id, row.text);
        const prepared = this.prepare(record, row, ordinal);
        if ("text" in prepared) inputs.push(prepared);
        else leftOut.set(Number(row.id), prepared.leftOutOf);
      }
      if (inputs.length > 0) yield inputs;
    }
  }

  /** Rows come in order of id, so their parts are found between the first and the last. */
  #gatherParts({ gathers }: RecordDef, rows: readonly RowText[]): void {
    const [first, last] = [rows[0]?.id, rows.at(-1)?.id];
    const isRange = typeof first === "number" && typeof last === "number";
    for (const gather of gathers) {
      if (gather.of === product.name) continue;
      const { writer } = this.tools;
      this.#parts.set(gather, isRange ? writer.partsBetween(gather, first, last) : new Map());
    }
  }

  protected override parts(gather: Gather<unknown>, owner: number): Iterable<Part> {
    return this.#parts.get(gather)?.get(owner) ?? [];
  }

  protected brief(id: number): Json | null {
    return this.#briefs.find(id);
  }

  protected productsBy(by: string, owner: number): Iterable<Part> {
    let groups = this.#products.get(by);
    if (groups === undefined) {
      groups = new Map();
      for (const brief of this.#briefs.all()) {
        const of = brief[by as keyof ProductBrief];
        const group = groups.get(of);
        if (group === undefined) groups.set(of, [COUNTED]);
        else group.push(COUNTED);
      }
      this.#products.set(by, groups);
    }
    return groups.get(owner) ?? [];
  }

  protected slugTaken({ name }: RecordDef, slug: string): void {
    this.takenSlugs.push([name, slug]);
  }

  protected put(record: RecordDef<RecordName>, { prepared, tally }: MadeRow): number | null {
    const outcome = this.tools.writer.putPrepared(record.name, prepared);
    if (typeof outcome === "object") return outcome.slugTaken;
    if (tally !== null) this.tallies.count(tally, 1);
    return null;
  }
}
