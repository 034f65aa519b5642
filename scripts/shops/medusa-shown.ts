/**
 * Prints what a Medusa's Store API shows, as JSON: in the first region, and with what `vitrine init` can choose instead.
 * `node medusa-shown.ts ADDRESS KEY VERSION REGION OTHER-REGION`
 */

interface Price {
  readonly calculated_amount: number | null;
  readonly original_amount: number | null;
  readonly currency_code: string;
}

interface ShownProduct {
  readonly id: string;
  readonly title: string;
  readonly handle: string;
  readonly subtitle: string | null;
  readonly description: string | null;
  readonly thumbnail: string | null;
  readonly created_at: string;
  readonly type: { readonly value: string } | null;
  readonly images: readonly { readonly url: string }[];
  readonly categories: readonly { readonly handle: string }[];
  readonly variants: readonly { readonly calculated_price?: Price | null }[];
}

interface ShownCategory {
  readonly name: string;
  readonly handle: string;
  readonly description: string;
}

const [address = "", key = "", version = "", region = "", otherRegion = ""] = process.argv.slice(2);

async function ask<Data>(path: string): Promise<Data> {
  const response = await fetch(`${address}/store/${path}`, { headers: { "x-publishable-api-key": key } });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Data;
}

/** Null if no variant has one. */
function lowest(amounts: readonly (number | null | undefined)[]): number | null {
  const known = amounts.filter((amount) => amount !== null && amount !== undefined);
  return known.length === 0 ? null : Math.min(...known);
}

/** Only the fields that have something. */
function withoutEmpty(fields: Readonly<Record<string, string | readonly string[] | null>>) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value.length > 0));
}

const FIELDS = [
  "id,title,handle,subtitle,description,thumbnail,created_at",
  "*type,*images,*categories,*variants.calculated_price",
].join();

async function shownWith(query: string) {
  const { products } = await ask<{ products: ShownProduct[] }>(
    `products?limit=100&fields=${FIELDS}&${query}`,
  );
  return products.map((product) => {
    const prices = product.variants.flatMap(({ calculated_price }) => calculated_price ?? []);
    return {
      id: product.id,
      title: product.title,
      url: `/products/${product.handle}`,
      currency: prices[0]?.currency_code.toUpperCase(),
      price: lowest(prices.map(({ calculated_amount }) => calculated_amount)),
      // A price in a sale alone has no original amount. One may be above it: then nothing is reduced.
      regular: lowest(
        prices.map(({ calculated_amount, original_amount }) =>
          Math.max(calculated_amount ?? 0, original_amount ?? 0),
        ),
      ),
      categories: product.categories.map(({ handle }) => handle),
      texts: withoutEmpty({
        excerpt: product.subtitle,
        description: product.description,
        image: product.thumbnail,
        gallery: product.images.map(({ url }) => url),
      }),
      created_at: product.created_at.slice(0, 19).replace("T", " "),
      type: product.type?.value ?? "product",
    };
  });
}

/** What may differ with another choice. */
async function changedWith(query: string) {
  const products = await shownWith(query);
  return products.map(({ title, url, price, regular, texts: { gallery: _, ...texts } }) => ({
    title,
    url,
    price,
    regular,
    texts,
  }));
}

async function categoriesWith(query: string) {
  const { product_categories } = await ask<{ product_categories: ShownCategory[] }>(
    `product-categories?limit=100&fields=name,handle,description&${query}`,
  );
  return product_categories.map(({ name, handle, description }) => ({
    slug: handle,
    name,
    url: `/categories/${handle}`,
    description,
  }));
}

const inRegion = `region_id=${region}`;
const locale = "de-DE";
const products = await shownWith(inRegion);
const shown = {
  made: { medusa: version, at: `${new Date().toISOString().slice(0, 19)}Z` },
  currency: "EUR",
  api: products.map(({ title }) => title),
  products,
  categories: await categoriesWith(""),
  choices: [
    {
      wanted: { region: otherRegion },
      currency: "USD",
      products: await changedWith(`region_id=${otherRegion}`),
      categories: await categoriesWith(""),
    },
    {
      wanted: { language: locale },
      currency: "EUR",
      products: await changedWith(`${inRegion}&locale=${locale}`),
      categories: await categoriesWith(`locale=${locale}`),
    },
  ],
};
process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
