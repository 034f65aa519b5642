/** Prints what a Medusa's Store API shows, as JSON: `node medusa-shown.ts ADDRESS KEY REGION VERSION` */

interface Price {
  readonly calculated_amount: number;
  readonly original_amount: number;
}

interface ShownProduct {
  readonly id: string;
  readonly title: string;
  readonly handle: string;
  readonly categories: readonly { readonly handle: string }[];
  readonly variants: readonly { readonly calculated_price?: Price | null }[];
}

interface ShownCategory {
  readonly name: string;
  readonly handle: string;
}

const [address = "", key = "", region = "", version = ""] = process.argv.slice(2);

async function ask<Data>(path: string): Promise<Data> {
  const response = await fetch(`${address}/store/${path}`, { headers: { "x-publishable-api-key": key } });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Data;
}

/** Null if no variant has one. */
function lowest(product: ShownProduct, name: keyof Price): number | null {
  const amounts = product.variants.flatMap(({ calculated_price }) => calculated_price?.[name] ?? []);
  return amounts.length === 0 ? null : Math.min(...amounts);
}

const fields = "id,title,handle,categories.handle,*variants.calculated_price";
const { products } = await ask<{ products: ShownProduct[] }>(
  `products?limit=100&region_id=${region}&fields=${fields}`,
);
const { product_categories } = await ask<{ product_categories: ShownCategory[] }>(
  "product-categories?limit=100",
);
const shown = {
  made: { medusa: version, at: `${new Date().toISOString().slice(0, 19)}Z` },
  currency: "EUR",
  api: products.map(({ title }) => title),
  products: products.map((product) => ({
    id: product.id,
    title: product.title,
    url: `/products/${product.handle}`,
    price: lowest(product, "calculated_amount"),
    regular: lowest(product, "original_amount"),
    categories: product.categories.map(({ handle }) => handle),
  })),
  categories: product_categories.map(({ name, handle }) => ({
    slug: handle,
    name,
    url: `/categories/${handle}`,
  })),
};
process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
