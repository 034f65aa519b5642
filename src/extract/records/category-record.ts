/** Categories. Their counts come from the products that are in the catalog, so no hidden one can show in them. */

import { Category } from "../../api/records.ts";
import { foldText } from "../../base/text.ts";
import { addRecord, type Context, forEachRow, SlugGuard } from "../context.ts";
import { FragmentMaker } from "../fragments.ts";

/** Reads the categories; `counts` are products by category id. */
export function extractCategories(context: Context, counts: ReadonlyMap<number, number>): void {
  const maker = new FragmentMaker<Category>(Category);
  const slugs = new SlugGuard();
  forEachRow(context, "categories", (reader) => {
    const id = reader.id();
    const category: Category = {
      id,
      name: reader.name("name"),
      slug: reader.slug("slug"),
      description: reader.text("description"),
      product_count: counts.get(id) ?? 0,
      url: reader.url("url"),
    };
    slugs.check(reader, category.slug, id);
    const list = maker.make(category, reader);
    context.categories.set(id, category);
    addRecord(context, "category", reader, {
      id,
      columns: [category.slug, foldText(category.name)],
      list,
      document: { title: category.name, excerpt: category.description, text: "" },
    });
  });
}
