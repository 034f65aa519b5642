/** Products: first in brief, for the records that name them; then whole, with what reviews, FAQs and releases gave. */

import { Product, ProductDetail } from "../../api/records.ts";
import { foldText } from "../../base/text.ts";
import { addRecord, type Context, forEachRow, type Ratings, SlugGuard } from "../context.ts";
import { FragmentMaker } from "../fragments.ts";
import { cleanHtml } from "../html.ts";
import { Problems } from "../problems.ts";
import { type RowReader, show } from "../row-reader.ts";

const STATUSES = ["published", "coming_soon", "preorder"] as const;
const BRIEF_COLUMNS = ["id", "slug", "title", "public_url", "category_id"];
/** So many average ratings are added to each product's own before it is ranked, so that one 5 does not beat many 4.8. */
const PRIOR_RATINGS = 10;

/** Reads what other records need of each product; returns how many products each category has. */
export function extractProductBriefs(context: Context): Map<number, number> {
  const perCategory = new Map<number, number>();
  // What is wrong in these columns is told when the whole row is read.
  const silent: Context = { ...context, problems: new Problems() };
  forEachRow(
    silent,
    "products",
    (reader) => {
      const id = reader.id();
      const category = reader.integer("category_id", 1);
      context.products.set(id, {
        id,
        slug: reader.slug("slug"),
        title: reader.name("title"),
        url: reader.url("public_url"),
      });
      perCategory.set(category, (perCategory.get(category) ?? 0) + 1);
    },
    BRIEF_COLUMNS,
  );
  return perCategory;
}

const digitsOf = new Map<string, number>();

/** Decimal digits of a currency's minor unit: 2 for EUR, 0 for JPY. */
function minorDigits(currency: string): number {
  const known = digitsOf.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  digitsOf.set(currency, digits);
  return digits;
}

/** Whole minor units → the amount; null stays null. Dividing gives the double nearest to the decimal. */
function toAmount<T extends number | null>(minor: T, digits: number): T {
  return (minor === null ? null : minor / 10 ** digits) as T;
}

/** The contract's rule: the preorder price while one can preorder, else the sale price, else the regular price. */
function readPricing(reader: RowReader, status: Product["status"]): Product["pricing"] {
  const currency = reader.currency("currency");
  const digits = minorDigits(currency);
  const regular = toAmount(reader.integer("price_minor", 0), digits);
  const sale = toAmount(reader.integerOrNull("sale_price_minor", 0), digits);
  const preorder = toAmount(reader.integerOrNull("preorder_price_minor", 0), digits);
  const extended = toAmount(reader.integerOrNull("extended_price_minor", 0), digits);
  const current = (status === "preorder" ? preorder : null) ?? sale ?? regular;
  return { regular, sale, preorder, current, extended: extended ?? regular, currency };
}

function summarise(ratings: Ratings | undefined): Product["rating_summary"] {
  const count = ratings?.count ?? 0;
  const average = count === 0 ? 0 : Math.round(((ratings?.sum ?? 0) / count) * 100) / 100;
  return { average, best: 5, worst: 1, count };
}

function readProduct(context: Context, reader: RowReader): Product {
  const id = reader.id();
  const status = reader.choice("status", STATUSES);
  const pricing = readPricing(reader, status);
  const categoryId = reader.integer("category_id", 1);
  const category = context.categories.get(categoryId);
  if (category === undefined && !reader.failed)
    reader.fail("category_id", "must be of a category in categories.sql", String(categoryId));
  const rating_summary = summarise(context.ratings.get(id));
  return {
    id,
    title: reader.name("title"),
    slug: reader.slug("slug"),
    excerpt: reader.text("excerpt"),
    description_short: reader.text("description_short"),
    category: category ?? { id: 1, name: "-", slug: "-", description: "", product_count: 0, url: "" },
    type: reader.slug("type"),
    status,
    price: pricing.regular,
    sale_price: pricing.sale,
    currency: pricing.currency,
    image: reader.url("image"),
    rating_summary,
    review_count: rating_summary.count,
    public_url: reader.url("public_url"),
    demo_url: reader.url("demo_url"),
    docs_url: reader.url("docs_url"),
    created_at: reader.time("created_at"),
    updated_at: reader.time("updated_at"),
    pricing,
  };
}

function readGallery(reader: RowReader): string[] {
  return reader.array("gallery").map((element) => {
    const url = typeof element === "string" && element !== "" ? reader.toUrl(element) : null;
    if (url === null) reader.fail("gallery", "must have http(s) addresses only", show(element));
    return url ?? "";
  });
}

type Addition = Pick<
  ProductDetail,
  "gallery" | "description" | "description_html" | "faqs" | "latest_release"
>;

function readAddition(context: Context, reader: RowReader, id: number): Addition {
  const { html, text } = cleanHtml(reader.text("description_html"));
  return {
    gallery: readGallery(reader),
    description: text,
    description_html: html,
    faqs: context.faqs.get(id) ?? [],
    latest_release: context.latestReleases.get(id) ?? null,
  };
}

/** All ratings' mean, which stands in for the ratings a product does not have yet. */
function meanRating(ratings: ReadonlyMap<number, Ratings>): number {
  let count = 0;
  let sum = 0;
  for (const rating of ratings.values()) {
    count += rating.count;
    sum += rating.sum;
  }
  return count === 0 ? 0 : sum / count;
}

export function extractProducts(context: Context): void {
  const lists = new FragmentMaker<Product>(Product);
  const details = new FragmentMaker<ProductDetail>(ProductDetail);
  const slugs = new SlugGuard();
  const mean = meanRating(context.ratings);
  forEachRow(context, "products", (reader) => {
    const product = readProduct(context, reader);
    const addition = readAddition(context, reader, product.id);
    const featured = reader.flag("featured") ? 1 : 0;
    slugs.check(reader, product.slug, product.id);
    const list = lists.make(product, reader);
    const detail = details.extend(list, { ...product, ...addition }, addition, reader);
    const ratings = context.ratings.get(product.id) ?? { count: 0, sum: 0 };
    context.summariser.add(product, addition);
    addRecord(context, "product", reader, {
      id: product.id,
      columns: [
        product.slug,
        product.category.slug,
        product.type,
        product.status,
        featured,
        product.status === "coming_soon" ? 1 : 0,
        product.status === "preorder" ? 1 : 0,
        product.pricing.current,
        (mean * PRIOR_RATINGS + ratings.sum) / (PRIOR_RATINGS + ratings.count),
        foldText(product.title),
        product.created_at,
        product.updated_at,
      ],
      list,
      detail,
      document: {
        title: product.title,
        excerpt: [...new Set([product.excerpt, product.description_short])].join(" "),
        text: addition.description,
      },
    });
  });
}
