/** Rows of a record's file → its fragments, columns and texts in the catalog, as the record declares them. */
import type { Fields } from "../api/field.ts";
import { BRIEF_COLUMNS, readBrief } from "../api/of-product.ts";
import type { RecordDef } from "../api/record.ts";
import { product } from "../api/records/product.ts";
import type { RecordName } from "../api/records.ts";
import type { Values } from "../api/row.ts";
import { type Context, forEachRow } from "./context.ts";
import { FragmentMaker } from "./fragments.ts";
import { Problems } from "./problems.ts";
import type { RowReader } from "./row-reader.ts";

/** Reads what other records need of each product. What is wrong in these columns is told when the whole row is read. */
export async function readBriefs(context: Context): Promise<void> {
  const silent: Context = { ...context, problems: new Problems() };
  await forEachRow(
    silent,
    product.file,
    (reader) => {
      const brief = readBrief(reader);
      context.products.set(brief.id, brief);
      context.gathered.add(product.name, { ...brief }, { ...brief });
    },
    BRIEF_COLUMNS,
  );
}

/** The values of fields, in their order. */
export function readFields(
  fields: readonly (readonly [string, Fields[string]])[],
  reader: RowReader,
): Values {
  const values: Record<string, unknown> = {};
  for (const [name, field] of fields) values[name] = field.read(reader, name);
  return values;
}

/** False where a row's product is not public: then it is left out, and counted. */
function findProduct(context: Context, record: RecordDef, reader: RowReader): boolean {
  const { belongsTo, file } = record;
  if (belongsTo === null) return true;
  const { column, required } = belongsTo;
  const id = required ? reader.integer(column, 1) : reader.integerOrNull(column, 1);
  if (id === null) return true;
  const found = context.products.get(id) ?? null;
  reader.product = found;
  if (found === null) context.leftOut.set(file, (context.leftOut.get(file) ?? 0) + 1);
  return found !== null;
}

/** Refuses a slug that an earlier row of the same list has. */
function checkSlug(owners: Map<unknown, number>, reader: RowReader, slug: unknown, id: number): void {
  if (slug === undefined || slug === "") return; // There is none, or it is wrong already.
  const owner = owners.get(slug);
  if (owner === undefined) owners.set(slug, id);
  else reader.fail("slug", "must be unique", `${JSON.stringify(slug)}, which id ${owner} has too`);
}

/** Reads a record's file from its first row to its last. */
export async function readRecords(context: Context, record: RecordDef<RecordName>): Promise<void> {
  const { name, columns, search } = record;
  const lists = new FragmentMaker(record.list);
  const details = record.detail === null ? null : new FragmentMaker(record.detail);
  const fields = Object.entries(record.fields);
  const added = Object.entries(record.added);
  const hidden = Object.entries(record.hidden);
  const slugs = new Map<unknown, number>();
  const shapes = context.shapes.get(name);
  await forEachRow(context, record.file, (reader) => {
    if (!findProduct(context, record, reader)) return;
    const id = reader.id();
    const shape = readFields(fields, reader);
    const addition = readFields(added, reader);
    const values = { ...shape, ...addition, ...readFields(hidden, reader) };
    checkSlug(slugs, reader, shape["slug"], id);
    const list = lists.make(shape, reader);
    const whole = { ...shape, ...addition };
    const detail = details?.extend(list, whole, addition, reader);
    shapes?.set(id, shape);
    context.gathered.add(name, shape, values);
    if (name === product.name) context.summariser.add(whole);
    if (reader.failed) return;
    const cells = Object.entries(columns).map(([column, [, of]]) => [column, of(values)]);
    context.writer.add(name, {
      id,
      columns: Object.fromEntries(cells),
      list,
      ...(detail === undefined ? {} : { detail }),
      ...(search === null ? {} : { document: search(values) }),
    });
    context.counts.set(name, (context.counts.get(name) ?? 0) + 1);
  });
}
