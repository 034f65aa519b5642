/** A customer's review of a product, public once approved. */
import { flag, id, personName, text, time, upTo, url } from "../field.ts";
import { ofProduct } from "../of-product.ts";
import { operation, PER_PAGE_OR_LIMIT, SORT } from "../operation.ts";
import { asc, atLeast, desc, equals, record, type ShapeOf } from "../record.ts";

export const review = record({
  name: "review",
  file: "reviews",
  endpoint: "reviews",
  title: "Review",
  belongsTo: { column: "product_id", required: true },
  fields: {
    id: id(),
    product_id: ofProduct.id("Id of the reviewed product."),
    product_title: ofProduct.title("Name of the reviewed product."),
    product_slug: ofProduct.slug(),
    rating: upTo(5, "Rating from 1 to 5."),
    title: text("Headline of the review."),
    body: text("The review, plain text."),
    customer_display_name: personName("Display name of the customer."),
    customer_avatar: url("Picture of the customer, or an empty text."),
    verified_purchase: flag("True if the customer bought the product."),
    created_at: time("When the review was written."),
    product_url: ofProduct.url("The product's page in the store."),
  },
  columns: {
    product_id: ["INTEGER", (review) => review.product_id],
    product_slug: ["TEXT", (review) => review.product_slug],
    rating: ["INTEGER", (review) => review.rating],
    created_at: ["TIME", (review) => review.created_at],
  },
  filters: {
    product_id: equals("product_id"),
    product_slug: equals("product_slug"),
    rating: equals("rating"),
    min_rating: atLeast("rating"),
  },
  sorts: {
    newest: [desc("created_at")],
    oldest: [asc("created_at")],
    highest: [desc("rating")],
    lowest: [asc("rating")],
  },
});
export type Review = ShapeOf<typeof review>;

export const listReviews = operation("reviews", {
  id: "listReviews",
  tag: "Product information",
  summary: "List reviews",
  purpose: "Approved reviews of one product or of all products.",
  answer: "A page of reviews, with the totals of the whole list.",
  params: {
    rating: "Only reviews with exactly this rating.",
    min_rating: "Only reviews with at least this rating.",
    per_page: PER_PAGE_OR_LIMIT,
    sort: SORT,
  },
  list: review.list,
});
