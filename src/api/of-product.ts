/** The fields that records take from their product. A change of a product's title changes all records that show it. */
import { columnOf, computed, type Field, kinds, schemas } from "./field.ts";
import type { Gather, ProductRef, Row, Values } from "./row.ts";

/** A stand-in for a product that is not public or whose row is wrong: then no record is made. */
const NONE: ProductRef = { id: 1, title: "", slug: "x", public_url: "", category_id: 1 };

function briefOf(row: Row): ProductRef {
  return row.product ?? NONE;
}

/** The fields of a product that {@link productRefOf} reads. */
export const PRODUCT_REF_FIELDS = ["id", "slug", "title", "public_url", "category"] as const;

/** How other records refer to a product, from its list shape or these fields of it. */
export function productRefOf(shape: Values): ProductRef {
  const { id, slug, title, public_url, category } = shape as unknown as Omit<ProductRef, "category_id"> & {
    readonly category: { readonly id: number };
  };
  return { id, slug, title, public_url, category_id: category.id };
}

/** Fields of a product's part, read from the product; `product_id` is the column that names it. */
export const ofProduct = {
  id: (words: string): Field<number> =>
    computed(schemas.ref(words), [columnOf("product_id", kinds.id)], (row) => briefOf(row).id),
  title: (words: string): Field<string> => computed(schemas.text(words), [], (row) => briefOf(row).title),
  slug: (words?: string): Field<string> => computed(schemas.slug(words), [], (row) => briefOf(row).slug),
  url: (words: string): Field<string> => computed(schemas.url(words), [], (row) => briefOf(row).public_url),
};

/** As {@link ofProduct}, but null if the row belongs to the whole store. */
export const ofProductOrNone = {
  id: (words: string): Field<number | null> =>
    computed(
      schemas.orNull(schemas.ref(words)),
      [columnOf("product_id", kinds.id, { ifMissing: null, words })],
      (row) => row.product?.id ?? null,
    ),
  slug: (words: string): Field<string | null> =>
    computed(schemas.orNull(schemas.slug(words)), [], (row) => row.product?.slug ?? null),
};

/** How many products name a record in their column `by`. */
export function countProducts(by: string): Gather<number> {
  return { of: "product", by, value: (products) => [...products].length };
}
