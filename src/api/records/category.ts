/** A category of the store. It counts the products in the catalog, so hidden products are not included. */
import { foldText } from "../../base/text.ts";
import { computed, id, name, schemas, slug, text, url } from "../field.ts";
import { countProducts } from "../of-product.ts";
import { operation } from "../operation.ts";
import { asc, record, type ShapeOf } from "../record.ts";

const products = countProducts("category_id");

export const category = record({
  name: "category",
  file: "categories",
  endpoint: "categories",
  title: "Category",
  gathers: [products],
  fields: {
    id: id(),
    name: name("Name of the category.", "'Scripts'"),
    slug: slug(),
    description: text("Description of the category, plain text."),
    product_count: computed(schemas.count("Number of products of this category in this API."), [], (row) =>
      row.gathered(products),
    ),
    url: url("Its page in the store."),
  },
  columns: {
    slug: ["TEXT", (category) => category.slug],
    name_key: ["TEXT", (category) => foldText(category.name)],
  },
  filters: {},
  sorts: { name: [asc("name_key")] },
  search: (category) => ({ title: category.name, excerpt: category.description, text: "" }),
});
export type Category = ShapeOf<typeof category>;

export const listCategories = operation("categories", {
  id: "listCategories",
  tag: "Products",
  summary: "List categories",
  purpose: "All categories, each with its number of products.",
  answer: "All categories, sorted by name.",
  params: {},
  list: category.list,
});
