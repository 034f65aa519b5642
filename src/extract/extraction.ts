/** What every extraction does, whether of a whole store or of what changed in it: rows in, with what others say; records out. */
import type { PublicConfig } from "../api/config.ts";
import { formsAmong } from "../api/forms.ts";
import { BRIEF_COLUMNS, readBrief } from "../api/of-product.ts";
import type { RecordDef } from "../api/record.ts";
import { product } from "../api/records/product.ts";
import { RECORDS, type RecordName } from "../api/records.ts";
import type { Gather, Overall, Part, ProductBrief, Values } from "../api/row.ts";
import type { Json } from "../base/json.ts";
import { columnsOf } from "../catalog/row.ts";
import type { CatalogWriter } from "../catalog/writer.ts";
import type { AllowList } from "./allow-list.ts";
import { rowColumns } from "./fit.ts";
import type { Makers } from "./makers.ts";
import { Problems } from "./problems.ts";
import type { MadeRow, RowInput, StepData } from "./record-maker.ts";
import { RowReader } from "./row-reader.ts";
import type { RowText, StoreReader, StoreValue } from "./store.ts";
import type { Tallies } from "./summary.ts";

/** The ports of an extraction. */
export interface Tools {
  readonly store: StoreReader;
  readonly queries: AllowList;
  readonly config: PublicConfig;
  readonly writer: CatalogWriter;
  readonly makers: Makers;
}

/**
 * Columns of a record's file whose values are wanted beside a row's text, in the form that it gives them: they say what
 * others need of it, and whose it is.
 */
export function besideOf({ name, file, belongsTo }: RecordDef, queries: AllowList): readonly string[] {
  const columns = name === product.name ? BRIEF_COLUMNS : belongsTo === null ? [] : [belongsTo.column];
  const query = queries[file];
  const given = query === undefined ? [] : rowColumns(query);
  return columns.map((column) => formsAmong(column, given)[0] ?? column);
}

/** Reads briefs of products. What is wrong in these columns is told when the whole row is read. */
export function createBriefReader(
  siteUrl: string,
  queries: AllowList,
): (beside: readonly StoreValue[]) => ProductBrief {
  const around = { siteUrl, shapes: new Map(), gathers: [], overall: new Map() };
  const columns = besideOf(product, queries);
  const reader = new RowReader("products.sql", columns, { add: () => undefined }, around);
  return (beside) => readBrief(reader.open(beside, 0));
}

/** What a row becomes, or why it makes no record: its product is not public. */
export type Prepared = RowInput | { readonly leftOutOf: number };

export abstract class Extraction {
  readonly problems = new Problems();
  readonly tallies: Tallies;
  /** Rows that make no record, by file: id → product. */
  readonly leftOut = new Map<string, Map<number, number>>();
  /** What all rows of a record say together, once it was asked for. */
  readonly overalls = new Map<Overall<unknown>, unknown>();
  protected readonly tools: Tools;
  /** Rows whose slug another row has: that one may be about to give it away. */
  #waiting: { readonly made: MadeRow; readonly ordinal: number }[] = [];

  constructor(tools: Tools, tallies: Tallies) {
    this.tools = tools;
    this.tallies = tallies;
  }

  /** The brief of the product with this id as it is to be; null where it is not public. */
  protected abstract brief(id: number): Json | null;
  /** Products that name a record in a column of their briefs. */
  protected abstract productsBy(by: string, owner: number): Iterable<Part>;
  /** Told of each row that was made. */
  protected abstract put(record: RecordDef<RecordName>, made: MadeRow): number | null;

  /** What all rows of a record have in common while they are made. */
  protected step({ file, embeds, overalls }: RecordDef): StepData {
    const { writer, config, queries } = this.tools;
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
      overall: overalls.map((overall) => this.overall(overall)),
    };
  }

  protected overall(overall: Overall<unknown>): unknown {
    if (!this.overalls.has(overall)) this.overalls.set(overall, this.valueOf(overall));
    return this.overalls.get(overall);
  }

  /** Worked out of all rows that stand now. */
  protected valueOf({ of, columns, value }: Overall<unknown>): unknown {
    return value(this.tools.writer.alikeRows(of, columns));
  }

  /** A row with what others say of it. */
  protected prepare(record: RecordDef, { id, text, beside }: RowText, ordinal: number): Prepared {
    const { belongsTo, gathers } = record;
    const [owner] = beside;
    let product: Json | null = null;
    if (belongsTo !== null && typeof owner === "number") {
      product = this.brief(owner);
      if (product === null) return { leftOutOf: owner };
    }
    const gathered = gathers.map((gather) => this.#gather(gather, id));
    return { text, ordinal, product, gathered };
  }

  #gather(gather: Gather<unknown>, id: StoreValue): unknown {
    if (typeof id !== "number") return gather.value([]);
    if (gather.of === product.name) return gather.value(this.productsBy(gather.by, id));
    return gather.value(this.parts(gather, id));
  }

  /** Rows of a part that name an owner, in order of id. */
  protected parts(gather: Gather<unknown>, owner: number): Iterable<Part> {
    return this.tools.writer.partsOf(gather, owner);
  }

  /** Makes rows in their order, a batch while others wait: work under way is bounded, and so is memory. */
  protected async make(
    record: RecordDef<RecordName>,
    batches: AsyncIterable<readonly RowInput[]>,
  ): Promise<void> {
    const { makers } = this.tools;
    const run = await makers.begin(record.name, this.step(record));
    const underWay: (() => Promise<void>)[] = [];
    for await (const inputs of batches) {
      const done = run(inputs);
      const ordinals = inputs.map(({ ordinal }) => ordinal);
      // It is waited for in its turn; until then nobody may take its failure for forgotten.
      done.catch(() => undefined);
      underWay.push(async () => {
        const { made, problems } = await done;
        let at = 0;
        for (const each of made) {
          if (each !== null) this.#put(record, each, ordinals[at] ?? 0);
          at += 1;
        }
        for (const problem of problems) this.problems.add(problem);
      });
      while (underWay.length > makers.width) await underWay.shift()?.();
    }
    for (const take of underWay) await take();
    this.#putWaiting(record);
  }

  #put(record: RecordDef<RecordName>, made: MadeRow, ordinal: number): void {
    if (this.put(record, made) !== null) this.#waiting.push({ made, ordinal });
  }

  #putWaiting(record: RecordDef<RecordName>): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { ordinal, made } of waiting) {
      const owner = this.put(record, made);
      if (owner === null) continue;
      const { id, cells } = made.prepared;
      const slug = JSON.stringify(columnsOf(record.name, cells)["slug"]);
      this.problems.add({
        ...{ file: `${record.file}.sql`, ordinal, id: String(id), column: "slug" },
        ...{ problem: "must be unique", example: `${slug}, which id ${owner} has too` },
      });
    }
  }

  /** Counts the records that there are. */
  counts(): Partial<Record<RecordName, number>> {
    const counted = RECORDS.map(({ name }) => [name, this.tools.writer.count(name)] as const);
    return Object.fromEntries(counted.filter(([, count]) => count > 0));
  }

  protected refuseTwice(file: string, ordinal: number, id: StoreValue): void {
    this.problems.add({
      ...{ file: `${file}.sql`, ordinal, id: String(id), column: "id" },
      ...{ problem: "must be unique", example: null },
    });
  }
}
