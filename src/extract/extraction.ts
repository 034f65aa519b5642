/** What every extraction does, whether of a whole store or of what changed in it: rows in, with what others say; records out. */
import type { PublicConfig } from "../api/config.ts";
import { columnsOf as columnsOfFields, requiredOf } from "../api/field.ts";
import { formsAmong } from "../api/forms.ts";
import { BRIEF_COLUMNS, readBrief } from "../api/of-product.ts";
import type { RecordDef } from "../api/record.ts";
import { product } from "../api/records/product.ts";
import { RECORDS, type RecordName } from "../api/records.ts";
import type { Gather, Overall, Part, ProductBrief, Row, Values } from "../api/row.ts";
import type { Json } from "../base/json.ts";
import { formatCount } from "../base/log.ts";
import { columnsOf } from "../catalog/row.ts";
import type { CatalogWriter } from "../catalog/writer.ts";
import type { AllowList } from "./allow-list.ts";
import { EMBEDDED } from "./due-rows.ts";
import { rowColumns } from "./fit.ts";
import type { Makers } from "./makers.ts";
import { Problems, type RowProblem } from "./problems.ts";
import { type MadeRow, type RowInput, readFields, reading, type StepData } from "./record-maker.ts";
import { RowReader } from "./row-reader.ts";
import type { RowText, StoreReader, StoreValue } from "./store.ts";
import type { Tallies } from "./summary.ts";
import { mostLeftOut, type WrongRows } from "./wrong-rows.ts";

/** The ports of an extraction. */
export interface Tools {
  readonly store: StoreReader;
  readonly queries: AllowList;
  readonly config: PublicConfig;
  /** The share of a file's rows that may be left out because something required is wrong. */
  readonly maxLeftOut: number;
  readonly writer: CatalogWriter;
  readonly makers: Makers;
}

/** Columns that say whether a row makes a record, and of a product what others need of it. */
function columnsThatJudge(record: RecordDef): readonly string[] {
  const required = columnsOfFields(requiredOf(record.fields, record.added, record.hidden));
  return [...new Set(["id", ...required, ...(record.name === product.name ? BRIEF_COLUMNS : [])])];
}

/**
 * Columns of a record's file whose values are wanted beside a row's text, in the form that it gives them: they say what
 * others need of it, and whose it is.
 */
export function besideOf(record: RecordDef, queries: AllowList): readonly string[] {
  const { name, file, belongsTo } = record;
  const isNamed = name === product.name || EMBEDDED.has(name);
  const columns = isNamed ? columnsThatJudge(record) : belongsTo === null ? [] : [belongsTo.column];
  const query = queries[file];
  const given = query === undefined ? [] : rowColumns(query);
  return [...new Set(columns.map((column) => formsAmong(column, given)[0] ?? column))];
}

/**
 * Says of rows that others name, before they are made, whether they make a record: by their required fields. What is wrong is
 * told when they are made.
 * @param known ids of the records that they name
 */
export function createJudge(
  record: RecordDef,
  { siteUrl, queries, known }: { siteUrl: string; queries: AllowList; known: Known },
): (beside: readonly StoreValue[]) => Row | null {
  const shapes = new Map([...known].map(([of, ids]) => [of, new Map([...ids].map((id) => [id, {}]))]));
  const around = { siteUrl, shapes, gathers: [], overall: new Map() };
  const sink = { add: () => undefined };
  const reader = new RowReader(`${record.file}.sql`, besideOf(record, queries), sink, around);
  const fields = Object.entries(requiredOf(record.fields, record.added, record.hidden));
  return (beside) => {
    reader.open(beside, 0).id();
    reading(reader, () => readFields(fields, reader));
    return reader.failed ? null : reader;
  };
}

/** Ids of records, by the record's name. */
export type Known = ReadonlyMap<string, Iterable<number>>;

/** Reads the briefs of products that make a record; null of others. */
export function createBriefReader(
  siteUrl: string,
  queries: AllowList,
  known: Known,
): (beside: readonly StoreValue[]) => ProductBrief | null {
  const judge = createJudge(product, { siteUrl, queries, known });
  return (beside) => {
    const row = judge(beside);
    return row === null ? null : readBrief(row);
  };
}

/** A row that is to be made, with the id that it has in the store. */
export interface DueRow extends RowInput {
  readonly id: StoreValue;
}

/** What a row becomes, or why it makes no record: its product is not public. */
export type Prepared = DueRow | { readonly leftOutOf: number };

/** The id that a row can be remembered by. */
function idOf(id: StoreValue): number | null {
  return typeof id === "number" && Number.isSafeInteger(id) ? id : null;
}

export abstract class Extraction {
  readonly problems = new Problems();
  readonly wrong: WrongRows;
  readonly tallies: Tallies;
  /** Rows of products that are not public, by file: id → product. */
  readonly leftOut = new Map<string, Map<number, number>>();
  /** What all rows of a record say together, once it was asked for. */
  readonly overalls = new Map<Overall<unknown>, unknown>();
  protected readonly tools: Tools;
  /** Rows whose slug another row has: that one may be about to give it away. */
  #waiting: { readonly made: MadeRow; readonly ordinal: number }[] = [];

  constructor(tools: Tools, tallies: Tallies, wrong: WrongRows) {
    this.tools = tools;
    this.tallies = tallies;
    this.wrong = wrong;
  }

  /** The brief of the product with this id as it is to be; null where it is not public. */
  protected abstract brief(id: number): Json | null;
  /** Products that name a record in a column of their briefs. */
  protected abstract productsBy(by: string, owner: number): Iterable<Part>;
  /** Told of each row that was made. */
  protected abstract put(record: RecordDef<RecordName>, made: MadeRow): number | null;
  /** Told of each row that something required is wrong in. */
  protected abstract leaveOut(record: RecordDef<RecordName>, id: StoreValue): void;

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
    return { id, text, ordinal, product, gathered };
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
    batches: AsyncIterable<readonly DueRow[]>,
  ): Promise<void> {
    const { makers } = this.tools;
    const run = await makers.begin(record.name, this.step(record));
    const underWay: (() => Promise<void>)[] = [];
    for await (const inputs of batches) {
      const done = run(inputs);
      const rows = inputs.map(({ id, ordinal }) => ({ id, ordinal }));
      // It is waited for in its turn; until then nobody may take its failure for forgotten.
      done.catch(() => undefined);
      underWay.push(async () => {
        const { made, problems } = await done;
        for (const { id } of rows) this.wrong.forget(`${record.file}.sql`, idOf(id));
        let at = 0;
        for (const each of made) {
          const { id, ordinal } = rows[at] ?? { id: null, ordinal: 0 };
          if (each === null) this.leaveOut(record, id);
          else this.#put(record, each, ordinal);
          at += 1;
        }
        for (const problem of problems) this.tell(problem);
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
      this.slugTaken(record, String(columnsOf(record.name, cells)["slug"]));
      this.tell({
        ...{
          file: `${record.file}.sql`,
          ordinal,
          id: String(id),
          row: id,
          column: "slug",
          outcome: "left out",
        },
        ...{ problem: "must be unique", example: `${slug}, which id ${owner} has too` },
      });
    }
  }

  /** Told of each row whose slug another row keeps. */
  protected abstract slugTaken(record: RecordDef<RecordName>, slug: string): void;

  tell(problem: RowProblem): void {
    this.problems.add(problem);
    this.wrong.add(problem);
  }

  /** Files of which more rows are wrong than may be left out, with that as words; `rowsOf`: how many rows a file has. */
  tooMany(rowsOf: (file: string) => number): Map<string, string> {
    const found = new Map<string, string>();
    for (const { file } of RECORDS) {
      const rows = rowsOf(file);
      const most = mostLeftOut(rows, this.tools.maxLeftOut);
      if (this.wrong.leftOut(`${file}.sql`).size <= most) continue;
      const words = `more than the ${formatCount(most)} of ${formatCount(rows)} that may be left out (rows.maxLeftOut)`;
      found.set(`${file}.sql`, words);
    }
    return found;
  }

  /** Counts the records that there are. */
  counts(): Partial<Record<RecordName, number>> {
    const counted = RECORDS.map(({ name }) => [name, this.tools.writer.count(name)] as const);
    return Object.fromEntries(counted.filter(([, count]) => count > 0));
  }

  protected refuseTwice(file: string, ordinal: number, id: StoreValue): void {
    this.problems.add({
      ...{ file: `${file}.sql`, ordinal, id: String(id), row: null, column: "id" },
      ...{ problem: "must be unique", example: null, outcome: "refused" },
    });
  }
}
