/** A product: its list shape, and a detail with description, questions and latest release. */
import { foldText } from "../../base/text.ts";
import { minorDigits } from "../currency-digits.ts";
import {
  type Column,
  choice,
  columnOf,
  computed,
  currency,
  flag,
  html,
  id,
  kindOfChoice,
  kinds,
  name,
  schemas,
  slug,
  text,
  textOfHtml,
  time,
  url,
} from "../field.ts";
import { MAX_DIGITS, toAmount } from "../money.ts";
import { operation, SEARCH } from "../operation.ts";
import { asc, type DetailOf, desc, equals, gather, overall, record, type ShapeOf } from "../record.ts";
import type { AlikeRows, GatheredRow, Row } from "../row.ts";
import { type Category, category } from "./category.ts";
import { type Faq, faq } from "./faq.ts";
import { type Release, release } from "./release.ts";
import { review } from "./review.ts";

const STATUSES = ["published", "coming_soon", "preorder"] as const;

interface Ratings {
  count: number;
  sum: number;
}

/** Takes single reviews, or groups of equal ones with a count. */
function sumRatings(reviews: Iterable<Pick<GatheredRow, "columns"> & Partial<AlikeRows>>): Ratings {
  const total = { count: 0, sum: 0 };
  for (const { columns, count = 1 } of reviews) {
    total.count += count;
    total.sum += count * Number(columns["rating"]);
  }
  return total;
}

const ratings = gather(review, "product_id", sumRatings);

/** In the order of their list: position, then id descending. */
const questions = gather(faq, "product_id", (faqs): Faq[] =>
  [...faqs]
    .map(({ columns, shape }) => ({ faq: shape(), position: Number(columns["position"]) }))
    .sort((a, b) => a.position - b.position || b.faq.id - a.faq.id)
    .map((question) => question.faq),
);

/** Parts come in order of id. Of two releases on one day the later id wins, as in the list's order. */
const latest = gather(release, "product_id", (releases): Release | null => {
  let last: GatheredRow<Release> | null = null;
  for (const each of releases)
    if (last === null || String(each.columns["release_date"]) >= String(last.columns["release_date"]))
      last = each;
  return last === null ? null : last.shape();
});

/**
 * The mean of all ratings, in tenths: the assumed rating of a product without reviews. It is coarse, so that one new review
 * does not change every product of the store.
 */
const meanRating = overall(review, ["rating"], (reviews): number => {
  const { count, sum } = sumRatings(reviews);
  return count === 0 ? 0 : Math.round((sum / count) * 10) / 10;
});

function summarise({ count, sum }: Ratings) {
  return { average: count === 0 ? 0 : Math.round((sum / count) * 100) / 100, best: 5, worst: 1, count };
}

/** This many mean ratings are added to each product's own before it is ranked, so that one 5 does not beat many 4.8. */
const PRIOR_RATINGS = 10;

/** The Bayesian average that sort=rating orders by. */
function rankOf({ count, sum }: Ratings, mean: number): number {
  return (mean * PRIOR_RATINGS + sum) / (PRIOR_RATINGS + count);
}

/** The contract's rule: the preorder price while the product can be preordered, else the sale price, else the regular price. */
function readPricing(row: Row) {
  const code = row.currency("currency");
  const own = minorDigits(code);
  const digits = row.integerOrNull("currency_digits", 0, MAX_DIGITS) ?? own;
  const storedDigits = row.integerOrNull("price_digits", 0, MAX_DIGITS) ?? own;
  const optional = (column: string) => toAmount(row.moneyOrNull(column, digits, storedDigits), digits);
  const regular = toAmount(row.money("price_minor", digits, storedDigits), digits);
  const reduced = optional("sale_price_minor");
  // 10.004 and 10.001 round to one price: no sale.
  const sale = reduced === regular ? null : reduced;
  const preorder = optional("preorder_price_minor");
  const extended = optional("extended_price_minor") ?? regular;
  const current = (row.choice("status", STATUSES) === "preorder" ? preorder : null) ?? sale ?? regular;
  return { regular, sale, preorder, current, extended, currency: code };
}

const CURRENCY = columnOf("currency", kinds.currency);
const digitsColumn = (name: string, words: string) =>
  columnOf(name, {
    holds: `whole number from 0 to ${MAX_DIGITS}, or NULL`,
    example: "2",
    words,
    ifMissing: null,
  });
const DIGITS = [
  digitsColumn(
    "currency_digits",
    "Number of decimal digits that the shop shows: prices are rounded to it. NULL: as many as the currency has.",
  ),
  digitsColumn(
    "price_digits",
    "Number of decimal digits in columns named *_minor: 2 if 1999 is 19.99. NULL: as many as the currency has.",
  ),
];
const REGULAR = columnOf("price_minor", kinds.minor);
const optionalPrice = (name: string, words: string) =>
  columnOf(name, kinds.minor, { words, ifMissing: null });
const SALE = optionalPrice("sale_price_minor", "Price during a sale; NULL outside a sale.");
const PRICE_COLUMNS = [
  CURRENCY,
  ...DIGITS,
  REGULAR,
  SALE,
  optionalPrice("preorder_price_minor", "Price for preorders; NULL without one."),
  optionalPrice("extended_price_minor", "Price of the extended licence; NULL without one."),
  columnOf("status", kindOfChoice(STATUSES)),
];

/** A stand-in for a missing category: the product's row is then wrong and makes no record. */
const NO_CATEGORY: Category = { id: 1, name: "-", slug: "-", description: "", product_count: 0, url: "" };

function readCategory(row: Row): Category {
  const id = row.integer("category_id", 1);
  const found = row.other(category, id);
  if (found === null && !row.failed) row.refuse("category_id", "be of a category in categories.sql", id);
  return found ?? NO_CATEGORY;
}

const GALLERY: Column = {
  name: "gallery",
  holds: "JSON array of addresses",
  example: `'["/img/front.png", "/img/back.png"]'`,
  ifMissing: "[]",
};

function readGallery(row: Row): string[] {
  return row.array("gallery").flatMap((element) => {
    const address = typeof element === "string" && element !== "" ? row.toUrl(element) : null;
    if (address === null) row.drop("gallery", "have http(s) addresses only", element);
    return address ?? [];
  });
}

export const product = record({
  name: "product",
  file: "products",
  endpoint: "products",
  title: "Product",
  embeds: [{ of: category, by: "category_id" }],
  gathers: [ratings, questions, latest],
  overalls: [meanRating],
  fields: {
    id: id(),
    title: name("Name of the product."),
    slug: slug(),
    excerpt: text("One or two sentences."),
    description_short: text("A short description, plain text."),
    category: computed(
      category.list,
      [columnOf("category_id", kinds.id, { words: "Id of its category in categories.sql." })],
      readCategory,
    ),
    type: slug("Kind of product, for example script. Shops may add kinds."),
    status: choice(STATUSES, "State of the product. There are no others in this version of the API."),
    price: computed(
      schemas.amount("Regular price."),
      [CURRENCY, ...DIGITS, REGULAR],
      (row) => row.once(readPricing).regular,
    ),
    sale_price: computed(
      schemas.orNull(schemas.amount("Price during a sale; null outside a sale.")),
      [CURRENCY, ...DIGITS, SALE],
      (row) => row.once(readPricing).sale,
    ),
    currency: currency("ISO 4217 code."),
    image: url("Main image."),
    rating_summary: computed(
      schemas.object(
        {
          average: schemas.number(0, 5, "Mean of the approved ratings; 0 without ratings."),
          best: schemas.anyNumber("Highest possible rating."),
          worst: schemas.anyNumber("Lowest possible rating."),
          count: schemas.count("Number of approved ratings."),
        },
        "Summary of the approved ratings.",
      ),
      [],
      (row) => summarise(row.gathered(ratings)),
    ),
    review_count: computed(
      schemas.count("Number of approved reviews."),
      [],
      (row) => row.gathered(ratings).count,
    ),
    public_url: url("The product's page in the store."),
    demo_url: url("Demonstration of the product, or an empty text."),
    docs_url: url("Documentation of the product, or an empty text."),
    created_at: time("When the product was added."),
    updated_at: time("When the product last changed."),
    pricing: computed(
      schemas.object(
        {
          regular: schemas.amount("Regular price."),
          sale: schemas.orNull(schemas.amount("Price during a sale; null outside a sale.")),
          preorder: schemas.orNull(schemas.amount("Price for preorders; null without one.")),
          current: schemas.amount("The price now: preorder, else sale, else regular."),
          extended: schemas.amount("Price of the extended licence. Without one: the regular price."),
          currency: schemas.currency("ISO 4217 code."),
        },
        "All prices of the product.",
      ),
      PRICE_COLUMNS,
      (row) => row.once(readPricing),
    ),
  },
  detail: {
    gallery: computed(schemas.listOf(schemas.url("Image."), "More images."), [GALLERY], readGallery, {
      empty: [],
    }),
    description: textOfHtml("description_html", "The whole description, plain text."),
    description_html: html("description_html", "The whole description."),
    faqs: computed(schemas.listOf(faq.list, "Active FAQs of this product."), [], (row) =>
      row.gathered(questions),
    ),
    latest_release: computed(schemas.orNull(release.list), [], (row) => row.gathered(latest)),
  },
  hidden: {
    featured: flag("True if the store recommends the product."),
    rank: computed(schemas.amount("Bayesian average of the ratings."), [], (row) =>
      rankOf(row.gathered(ratings), row.overall(meanRating)),
    ),
  },
  columns: {
    slug: ["TEXT", (product) => product.slug],
    category: ["TEXT", (product) => product.category.slug],
    category_id: ["INTEGER", (product) => product.category.id],
    type: ["TEXT", (product) => product.type],
    status: ["TEXT", (product) => product.status],
    featured: ["INTEGER", "featured"],
    coming_soon: ["INTEGER", (product) => Number(product.status === "coming_soon")],
    preorder: ["INTEGER", (product) => Number(product.status === "preorder")],
    price: ["REAL", (product) => product.pricing.current],
    rating: ["REAL", "rank"],
    title_key: ["TEXT", (product) => foldText(product.title)],
    created_at: ["TIME", (product) => product.created_at],
    updated_at: ["TIME", (product) => product.updated_at],
  },
  filters: {
    category: equals("category"),
    type: equals("type"),
    status: equals("status"),
    featured: equals("featured"),
    coming_soon: equals("coming_soon"),
    preorder: equals("preorder"),
  },
  range: { column: "price", ascending: "price_asc", descending: "price_desc" },
  sorts: {
    newest: [desc("created_at")],
    oldest: [asc("created_at")],
    updated: [desc("updated_at")],
    price_asc: [asc("price")],
    price_desc: [desc("price")],
    title_asc: [asc("title_key")],
    title_desc: [desc("title_key")],
    rating: [desc("rating")],
  },
  search: (product) => ({
    title: product.title,
    excerpt: [...new Set([product.excerpt, product.description_short])].join(" "),
    text: `${product.description}\n${product.category.name}`,
  }),
});
export type Product = ShapeOf<typeof product>;
export type ProductDetail = DetailOf<typeof product>;

export const listProducts = operation("products", {
  id: "listProducts",
  tag: "Products",
  summary: "List products",
  purpose:
    "Products that are published, coming soon or on preorder. They can be searched, filtered and sorted.",
  answer: "A page of products, with the totals of the whole list.",
  params: {
    search: `Only products with these words in their texts or the name of their category. ${SEARCH}`,
    category: "Only products of the category with this slug.",
    type: "Only products of this kind, for example script.",
    status: "Only products in this state.",
    sort: "Order of the list: newest if it is absent. With search, relevance is possible, too, and is the default.",
    min_price: "Lowest current price, in the store's currency.",
    max_price: "Highest current price, in the store's currency.",
    featured: "True: only featured products. False: only the others.",
    coming_soon: "True: only products that are coming soon. False: only the others.",
    preorder: "True: only products on preorder. False: only the others.",
  },
  list: product.list,
});

export const getProduct = operation("product", {
  id: "getProduct",
  tag: "Products",
  summary: "One product",
  purpose: "One product by slug or id, with its description, questions and latest release.",
  answer: "The product.",
  params: {
    slug: "The product's slug.",
    id: "The product's id. If both slug and id are given, they must select the same product.",
  },
  one: product.detail,
});
