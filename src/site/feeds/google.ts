/**
 * Google Merchant Center (https://support.google.com/merchants/answer/7052112): tab-separated text, and RSS 2.0. A product that
 * lacks a required field is left out, because Google refuses it.
 */
import { rootAddress } from "../../api/target.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { MadeFile, SiteInputs } from "../made-file.ts";
import type { FeedReport } from "../write-report.ts";
import { LongText } from "./bytes.ts";
import { type FeedProduct, feedFile } from "./feed.ts";
import { decimalPrice, pricesOf } from "./money.ts";
import { describe, imagesOf, readProducts } from "./products.ts";
import { asciiUrl, oneLine, plainText, XML_HEAD, xmlElement, xmlText } from "./text.ts";

const TSV_KEY = "feeds/google.tsv";
const XML_KEY = "feeds/google.xml";
export const GOOGLE_FILES = 2;

/** `onReport` is called when the files are made. */
export function googleFiles(inputs: SiteInputs, onReport: (report: FeedReport) => void): MadeFile[] {
  const digests = { product: inputs.digests.of("product").whole };
  let both: Readonly<Record<string, Buffer>> | null = null;
  const bytesOf = (key: string): Buffer => {
    both ??= makeBoth(inputs.catalog, onReport);
    return both[key] ?? Buffer.alloc(0);
  };
  return [TSV_KEY, XML_KEY].map((key) => feedFile(inputs, key, digests, () => bytesOf(key)));
}

/** Both files, made while the products are read once. They stay in memory: 37 MB for 20,000 products. */
function makeBoth(
  catalog: Catalog,
  onReport: (report: FeedReport) => void,
): Readonly<Record<string, Buffer>> {
  const tsv = new LongText();
  const xml = new LongText();
  tsv.add(`${COLUMNS.join("\t")}\n`);
  xml.add(xmlHead(catalog));
  const missing: Record<string, number> = {};
  let records = 0;
  let leftOut = 0;
  for (const product of readProducts(catalog)) {
    const found = read(product);
    if ("missing" in found) {
      leftOut += 1;
      for (const name of found.missing) missing[name] = (missing[name] ?? 0) + 1;
    } else {
      records += 1;
      tsv.add(tsvRow(found.item));
      xml.add(xmlItem(found.item));
    }
  }
  xml.add("</channel>\n</rss>\n");
  const files = { [TSV_KEY]: tsv.bytes.length, [XML_KEY]: xml.bytes.length };
  onReport({ name: "google", records, leftOut, missing, files });
  return { [TSV_KEY]: tsv.bytes, [XML_KEY]: xml.bytes };
}

function xmlHead({ store, config }: Catalog): string {
  const about = [
    xmlElement("title", store.store_name),
    xmlElement("link", asciiUrl(store.public_url) ?? rootAddress(config.baseUrl)),
    `<description>${xmlText(store.tagline)}</description>`,
  ];
  return `${XML_HEAD}<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">\n<channel>${about.join("")}\n`;
}

/** A product's attributes for Google, or the required fields that it lacks. */
function read(product: FeedProduct): { readonly item: GoogleItem } | { readonly missing: readonly string[] } {
  const { list, sale } = pricesOf(product);
  const { currency } = product.pricing;
  const price = list > 0 ? decimalPrice(list, currency) : null;
  // A sale at 100 % off is 0.00, as in the API; without it the feed would show the full price.
  const salePrice = sale === null ? null : decimalPrice(sale, currency);
  const [image, ...images] = imagesOf(product, readImage);
  const required = {
    id: String(product.id),
    title: oneLine(product.title, MOST.title),
    description: plainText(describe(product), MOST.description),
    link: asciiUrl(product.public_url),
    image_link: image,
    // A product that cannot be bought yet is not an offer, and a preorder needs a date that the catalog does not have.
    availability: product.status === "coming_soon" ? null : "in_stock",
    availability_date: product.status === "preorder" ? null : "-",
    price: price === null ? null : `${price} ${currency}`,
    sale_price: sale === null ? "-" : salePrice,
  };
  const missing = Object.entries(required).flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length > 0) return { missing };
  const { availability_date: _, sale_price: __, ...known } = required;
  return {
    item: {
      ...(known as Readonly<Record<keyof typeof known, string>>),
      additional_image_link: images.slice(0, MOST_IMAGES),
      sale_price: salePrice === null ? "" : `${salePrice} ${currency}`,
      condition: "new",
      identifier_exists: "no",
      product_type: oneLine(product.category.name, MOST.product_type),
    },
  };
}

/** Attributes in the order of columns, with their greatest lengths. */
const MOST = { title: 150, description: 5000, product_type: 750 } as const;
const COLUMNS = [
  ...["id", "title", "description", "link", "image_link", "additional_image_link", "availability"],
  ...["price", "sale_price", "condition", "identifier_exists", "product_type"],
] as const;
const MOST_IMAGES = 10;

type Attribute = (typeof COLUMNS)[number];
/** The text of each attribute; several for an attribute that may be repeated. */
type GoogleItem = Readonly<Record<string, string | readonly string[]>>;

/** JPEG, WebP, PNG, GIF, BMP and TIFF; an address without an extension may be any of these. */
const PICTURE = /\.(jpe?g|webp|png|gif|bmp|tiff?)$/i;
const NAMED_FILE = /\.[a-z0-9]{1,8}$/i;

/** The address of an image in a format that Google reads, or null. */
function readImage(text: string): string | null {
  const address = asciiUrl(text);
  if (address === null) return null;
  const path = address.slice(address.indexOf("/", "https://".length)).replace(/[?#].*$/, "");
  return PICTURE.test(path) || !NAMED_FILE.test(path) ? address : null;
}

function tsvRow(item: GoogleItem): string {
  return `${COLUMNS.map((name) => cell(name, item[name])).join("\t")}\n`;
}

/**
 * A value between tabs. Google separates several values by the commas outside of quotes: so a product type with a comma is quoted
 * (https://support.google.com/merchants/answer/14998273), and commas in addresses become %2C.
 */
function cell(name: Attribute, value: string | readonly string[] = ""): string {
  const text = typeof value === "string" ? value : value.map((one) => one.replaceAll(",", "%2C")).join(",");
  const line = text.replace(/\s+/g, " ");
  const isQuoted = line.includes('"') || (name === "product_type" && line.includes(","));
  return isQuoted ? `"${line.replaceAll('"', '""')}"` : line;
}

function xmlItem(item: GoogleItem): string {
  const elements = COLUMNS.flatMap((name: Attribute) =>
    [item[name] ?? []].flat().map((value) => xmlElement(`g:${name}`, value)),
  );
  return `<item>${elements.join("")}</item>\n`;
}

/** A product that the feed leaves out, and the required fields that it lacks. */
export interface FeedLeftOutProduct {
  readonly id: number;
  readonly title: string;
  readonly missing: readonly string[];
}

export function* leftOutByGoogle(catalog: Catalog): Generator<FeedLeftOutProduct> {
  for (const product of readProducts(catalog)) {
    const found = read(product);
    if ("missing" in found) yield { id: product.id, title: product.title, missing: found.missing };
  }
}
