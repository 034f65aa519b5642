/**
 * Product feeds for agents: the Agentic Commerce Protocol's (version 2026-04-17, rfc.product_feeds.md) and the flat file that
 * OpenAI takes as an upload (https://developers.openai.com/commerce/specs/file-upload/products). Both replace all that was sent
 * before; sending them is another step.
 */
import type { PublicConfig } from "../api/config.ts";
import { toMetaTime } from "../base/time.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { FeedProduct, Missing, ProductFeed } from "./feed.ts";
import { readImage } from "./google.ts";
import { decimalPrice, minorUnits, pricesOf } from "./money.ts";
import { describe, imagesOf, missingOf } from "./products.ts";
import { asciiUrl, oneLine, plainText } from "./text.ts";

type Feeds = NonNullable<PublicConfig["feeds"]>;
type Item = Readonly<Record<string, unknown>>;

const MOST_TITLE = 150;
const MOST_DESCRIPTION = 5000;

/** One object a line: a line break in a text is written `\n`, and no text is half a character. */
function jsonLine(item: Item): string {
  return `${JSON.stringify(item)}\n`;
}

const ACP_STATUS = {
  published: { available: true, status: "in_stock" },
  preorder: { available: true, status: "preorder" },
  coming_soon: { available: false, status: "out_of_stock" },
} as const;

function acpPrice(amount: number | null, currency: string) {
  const minor = minorUnits(amount, currency);
  return minor === null ? null : { amount: minor, currency };
}

function readAcp(product: FeedProduct, seller: string): Item | Missing {
  const { currency } = product.pricing;
  const { list, sale } = pricesOf(product);
  const price = acpPrice(sale ?? list, currency);
  const listPrice = sale === null ? null : acpPrice(list, currency);
  const title = oneLine(product.title, MOST_TITLE);
  const missing = missingOf({ title, price: price === null ? null : "-" });
  if (missing.length > 0) return { missing };
  const id = String(product.id);
  const url = asciiUrl(product.public_url);
  const text = plainText(describe(product), MOST_DESCRIPTION);
  const common = {
    ...{ id, title },
    ...(text === "" ? {} : { description: { plain: text } }),
    ...(url === null ? {} : { url }),
  };
  return {
    ...common,
    media: imagesOf(product, asciiUrl).map((url) => ({ type: "image", url })),
    variants: [
      {
        ...{ id, title, price },
        ...(listPrice === null ? {} : { list_price: listPrice }),
        availability: ACP_STATUS[product.status],
        categories: [{ value: oneLine(product.category.name, MOST_TITLE), taxonomy: "merchant" }],
        condition: ["new"],
        seller: { name: seller },
      },
    ],
  };
}

/** When the latest product changed: a clock would say another time for the same products. */
function latestChange({ db }: Catalog): string | null {
  return db.prepare<[], string | null>("SELECT MAX(updated_at) FROM product").pluck().get() ?? null;
}

export function acp({ feedId, targetCountry }: NonNullable<Feeds["acp"]>, seller: string): ProductFeed<Item> {
  return {
    ...{ name: "acp", read: (product) => readAcp(product, seller) },
    files: (catalog) => {
      const at = latestChange(catalog);
      const metadata = {
        id: feedId,
        ...(targetCountry === undefined ? {} : { target_country: targetCountry }),
        ...(at === null ? {} : { updated_at: toMetaTime(at) }),
      };
      return [
        { key: "feeds/acp/products.jsonl", head: "", tail: "", line: jsonLine },
        { key: "feeds/acp/metadata.json", head: jsonLine(metadata), tail: "", line: () => "" },
      ];
    },
  };
}

/** Checkout in the chat is another agreement, so no product says that it takes part. */
const OPENAI_STATUS = { published: "in_stock", preorder: "pre_order", coming_soon: "out_of_stock" } as const;

function readOpenAi(product: FeedProduct, seller: string, countries: Item): Item | Missing {
  const { currency } = product.pricing;
  const { list, sale } = pricesOf(product);
  const price = decimalPrice(list, currency);
  const salePrice = decimalPrice(sale, currency);
  const [image, ...images] = imagesOf(product, readImage);
  const required = {
    item_id: String(product.id),
    title: oneLine(product.title, MOST_TITLE),
    description: plainText(describe(product), MOST_DESCRIPTION),
    url: asciiUrl(product.public_url),
    brand: seller,
    seller_name: seller,
    image_url: image,
    availability: OPENAI_STATUS[product.status],
    // A preorder needs the day that it ends, which the catalog does not tell.
    availability_date: product.status === "preorder" ? null : "-",
    price: price === null ? null : `${price} ${currency}`,
  };
  const missing = missingOf(required);
  if (missing.length > 0) return { missing };
  const { availability_date: _, ...item } = required;
  const addresses = images.map((address) => address.replaceAll(",", "%2C"));
  return {
    ...{ is_eligible_search: true, is_eligible_checkout: false, ...item },
    ...(addresses.length === 0 ? {} : { additional_image_urls: addresses.join(",") }),
    ...(salePrice === null ? {} : { sale_price: `${salePrice} ${currency}` }),
    product_category: oneLine(product.category.name, MOST_TITLE),
    ...{ listing_has_variations: false, ...countries },
  };
}

export function openAi(
  { storeCountry, targetCountries }: NonNullable<Feeds["openai"]>,
  seller: string,
): ProductFeed<Item> {
  const countries = { target_countries: targetCountries.join(","), store_country: storeCountry };
  return {
    ...{ name: "openai", read: (product) => readOpenAi(product, seller, countries) },
    files: () => [{ key: "feeds/openai.jsonl.gz", head: "", tail: "", line: jsonLine }],
  };
}
