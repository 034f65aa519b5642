/** The whole store → a new catalog: every row is made. */
import type { RecordDef } from "../api/record.ts";
import { product } from "../api/records/product.ts";
import { RECORDS, type RecordName } from "../api/records.ts";
import type { Gather, Part, ProductBrief } from "../api/row.ts";
import type { Json } from "../base/json.ts";
import { Briefs } from "./briefs.ts";
import { besideOf, createBriefReader, Extraction, type Tools } from "./extraction.ts";
import { withColumns } from "./fit.ts";
import { RowDigests } from "./readings.ts";
import type { MadeRow, RowInput } from "./record-maker.ts";
import type { RowText } from "./store.ts";
import { Tallies } from "./summary.ts";

/** Stands for each product that is only counted. */
const COUNTED: Part = { columns: {}, shape: () => null };

export class WholeExtraction extends Extraction {
  /** Digests of all rows that were read, by file. */
  readonly rows = new Map<string, RowDigests>();
  readonly #briefs = new Briefs();
  readonly #products = new Map<string, Map<unknown, Part[]>>();
  /** Parts of the rows that are prepared, by what gathers them. */
  readonly #parts = new Map<Gather<unknown>, Map<number, Part[]>>();

  constructor(tools: Tools) {
    super(tools, new Tallies());
  }

  /** Briefs of products come before all that name them; then records in their order. */
  async run(): Promise<void> {
    await this.#readBriefs();
    for (const record of RECORDS) {
      await this.make(record, this.#inputs(record));
      this.tools.writer.complete(record.name);
    }
  }

  /** Gives back what all rows left in memory, once nobody asks for it any more. */
  free(): void {
    this.#briefs.free();
    for (const digests of this.rows.values()) digests.free();
  }

  async #readBriefs(): Promise<void> {
    const { store, queries, config, makers } = this.tools;
    const query = queries[product.file];
    if (query === undefined) return;
    const read = createBriefReader(config.siteUrl, queries);
    const columns = besideOf(product, queries);
    let count = 0;
    for await (const rows of store.batches(withColumns(query, columns), columns)) {
      for (const { beside } of rows) this.#briefs.add(read(beside));
      count += rows.length;
      makers.expect(count);
    }
  }

  async *#inputs(record: RecordDef): AsyncGenerator<readonly RowInput[]> {
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
      const inputs: RowInput[] = [];
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

  protected put(record: RecordDef<RecordName>, { prepared, tally }: MadeRow): number | null {
    const outcome = this.tools.writer.putPrepared(record.name, prepared);
    if (typeof outcome === "object") return outcome.slugTaken;
    if (tally !== null) this.tallies.count(tally, 1);
    return null;
  }
}
