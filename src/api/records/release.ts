/** A version of a product and its changes; never a download path. */
import { name, text, textOfHtml, time, url } from "../field.ts";
import { ofProduct } from "../of-product.ts";
import { operation, PER_PAGE_OR_LIMIT } from "../operation.ts";
import { desc, equals, record, type ShapeOf } from "../record.ts";

export const release = record({
  name: "release",
  file: "releases",
  endpoint: "releases",
  title: "Release",
  belongsTo: { column: "product_id", required: true },
  fields: {
    product_id: ofProduct.id("Id of the product."),
    product_title: ofProduct.title("Name of the product."),
    version: name("Version of the product, for example 2.1.0.", "'2.1.0'"),
    title: text("Headline of the release."),
    notes: textOfHtml("notes_html", "Changes in this version, plain text."),
    release_date: time("When the version was released."),
    public_url: url("Its page in the store."),
  },
  hidden: { product_slug: ofProduct.slug() },
  columns: {
    product_id: ["INTEGER", (release) => release.product_id],
    product_slug: ["TEXT", "product_slug"],
    release_date: ["TIME", (release) => release.release_date],
  },
  filters: { product_id: equals("product_id"), product_slug: equals("product_slug") },
  sorts: { newest: [desc("release_date")] },
});
export type Release = ShapeOf<typeof release>;

export const listReleases = operation("releases", {
  id: "listReleases",
  tag: "Product information",
  summary: "List releases",
  purpose: "Versions of products and their changes, the newest first. Download paths are never included.",
  answer: "A page of releases, with the totals of the whole list.",
  params: { per_page: PER_PAGE_OR_LIMIT },
  list: release.list,
});
