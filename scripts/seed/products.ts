/** Products with everything that belongs to them: categories, tags, pictures, tiers, sales, preorders, relations. */
import { privateId } from "./canary.ts";
import { between, chance, pick, version } from "./dice.ts";
import { type Edge, edgesById, edgesOf } from "./edges.ts";
import { productDescription, productTitle, say, slugify, words } from "./texts.ts";
import { DAY, END_FAR, formatTime, HOUR, RELEASE_FAR, START_FAR } from "./time.ts";
import { ago, past, type World } from "./world.ts";
import type { Row } from "./writer.ts";

/** Products 31 to 60 share one moment and one price, so that only the tie-breaker orders them. */
const isTie = (id: number): boolean => id > 30 && id <= 60;
const PRICES = [500, 900, 1200, 1900, 1950, 2400, 2900, 3900, 4900, 5900, 7900, 9900, 12900, 19900, 24900];
const TIERS = {
  regular: { name: "Regular Licence", activations: 1, commercial_use: 0, position: 1, is_active: 1 },
  extended: { name: "Extended Licence", activations: 10, commercial_use: 1, position: 2, is_active: 1 },
  team: { name: "Team Licence", activations: 10, commercial_use: 1, position: 3, is_active: 0 },
};
const CATEGORIES = edgesOf("categories").map(({ row }) => row["slug"]);
/** Categories of ordinary products; the first four are the fullest. */
const SHELVES = [...CATEGORIES.slice(0, 16), ...CATEGORIES.slice(0, 4)].map(String);

function ordinarySales(world: World, price: number): Row[] {
  const roll = between(0, 99);
  const off = { percent: pick([10, 15, 20, 25, 30, 40, 50]) };
  const starts_at = past(world, 5, 60);
  if (roll < 12) return [{ ...off, starts_at, ends_at: END_FAR }];
  if (roll < 15) return [{ sale_price_minor: Math.max(price - 400, 100), starts_at, ends_at: null }];
  if (roll < 20) return [{ ...off, starts_at: "now-90d", ends_at: past(world, 61, 80) }];
  return roll < 23 ? [{ ...off, starts_at: START_FAR, ends_at: END_FAR }] : [];
}

/** The kind of an ordinary product, by its number; some are hidden, some announced, some can be preordered. */
function ordinaryProduct(world: World, id: number): Edge {
  const { name, topic, form } = productTitle(id);
  const kind = ["bundle", "service", "script"].find((type) => words(`${type}Form`).includes(form));
  const type = kind ?? (chance(15) ? "license" : "digital");
  const categories = [...new Set([pick(SHELVES), ...(chance(25) ? [pick(SHELVES)] : [])])];
  const product = { name, type, regular_price_minor: isTie(id) ? 4900 : pick(PRICES) };
  if (isTie(id)) return { table: "products", row: product, plan: { topic, categories }, hidden: false };
  // Chosen by number, so that no seed hides records that judged queries name.
  const hidden = id % 34 === 26;
  const status = hidden ? pick(["draft", "pending", "archived", "unlisted"]) : "published";
  const roll = between(0, 99);
  const release_at = roll < 3 ? RELEASE_FAR : roll < 6 ? END_FAR : null;
  const terms = { price_minor: pick([900, 1400, 1800]), opens_at: "now-20d", closes_at: END_FAR };
  const preorder = release_at === END_FAR ? { preorder: terms } : {};
  const plan = { topic, categories, sales: ordinarySales(world, product.regular_price_minor), ...preorder };
  return { table: "products", row: { ...product, status, release_at }, plan, hidden };
}

function productRow(world: World, name: string, slug: string, createdAt: number): Row {
  const short = say("{short}", { name });
  return {
    name,
    slug,
    sku: `NL-${String(world.refs.length + 1).padStart(6, "0")}`,
    excerpt: short.length > 120 ? `${short.slice(0, short.lastIndexOf(" ", 117))} …` : short,
    short_description: short,
    description_html: productDescription(name),
    type: "digital",
    currency: "EUR",
    regular_price_minor: 2900,
    featured: chance(6) ? 1 : 0,
    created_at: formatTime(createdAt),
    updated_at: formatTime(Math.min(createdAt + between(0, 300 * DAY), world.now - HOUR)),
    published_at: formatTime(createdAt + 3 * HOUR),
    version: version(),
    requirements: pick(["Any web server", "PHP 8.2 or newer", "Node 20 or newer", "A current browser"]),
    demo_url: chance(70) ? `https://demo.shop.example/${slug}` : null,
    docs_url: chance(80) ? `/docs/${slug}` : null,
    seo_title: `${name} | Northlight Digital`,
    seo_description: short,
    status: "published",
    visibility: "visible",
    password: null,
  };
}

function addPictures({ writer }: World, { row, plan, hidden }: Edge, product_id: number): void {
  const count = plan.media === "none" ? 0 : between(1, 4);
  for (let position = 1; position <= count; position++) {
    const isPrivate = position === 1 ? plan.media === "private-first" : position === 4 && chance(30);
    const alt = `${row["name"]}, picture ${position}`;
    const url = `/media/products/${product_id}/${position}.svg`;
    const picture = { product_id, kind: "image", url, alt, position, is_private: isPrivate ? 1 : 0 };
    writer.add("product_media", picture, hidden || isPrivate);
  }
}

function addSale({ writer }: World, product_id: number, sale: Row): void {
  writer.add("sale_windows", { product_id, is_active: 1, target_segment: null, ...sale });
}

function addTiers(world: World, { plan, hidden }: Edge, product_id: number, price: number): void {
  const add = (slug: keyof typeof TIERS, factor: number, more: Row = {}): number => {
    const tier: Row = { slug, price_minor: price * factor, updates_months: 12, ...TIERS[slug], ...more };
    return world.writer.add("license_tiers", { product_id, ...tier }, hidden || tier["is_active"] === 0);
  };
  const kind = plan.tiers ?? (chance(60) ? "both" : "regular");
  if (kind === "none") return;
  add("regular", 1);
  if (kind !== "regular") {
    const tier_id = add("extended", between(3, 6), { is_active: kind === "both" ? 1 : 0 });
    // A discount on one tier: not a sale of the product.
    if (chance(5)) addSale(world, product_id, { tier_id, percent: 90, starts_at: "now-10d", ends_at: null });
  }
  if (chance(3)) add("team", 9);
}

function addProduct(world: World, edge: Edge, slug: string): void {
  const { writer, refs, now } = world;
  const { plan, hidden } = edge;
  const id = refs.length + 1;
  const name = String(edge.row["name"]);
  const createdAt = isTie(id) ? now - 400 * DAY : ago(world, 62, 1400);
  const row = { ...productRow(world, name, slug, createdAt), ...edge.row };
  writer.add("products", row, hidden);
  (plan.categories ?? [pick(SHELVES)]).forEach((category, index) => {
    const category_id = CATEGORIES.indexOf(category) + 1;
    writer.add("product_categories", { product_id: id, category_id, is_primary: index === 0 ? 1 : 0 });
  });
  const topic = plan.topic ?? name;
  writer.add("product_tags", { product_id: id, tag: topic.toLowerCase() }, hidden);
  addPictures(world, edge, id);
  addTiers(world, edge, id, Number(row["regular_price_minor"] ?? 0));
  for (const sale of plan.sales ?? []) addSale(world, id, sale);
  if (plan.preorder !== undefined) {
    const base = { product_id: id, release_at: row["release_at"] ?? null, state: "open" };
    writer.add("preorders", { ...base, charge_policy: pick(["at_release", "upfront"]), ...plan.preorder });
  }
  refs.push({ id, topic, createdAt, hidden });
}

export function seedProducts(world: World): void {
  const edges = edgesById("products");
  const least = Math.max(...edges.keys());
  if (world.products < least)
    throw new Error(
      `The store's special rows need ${least} products: --products ${world.products} is too few`,
    );
  const taken = new Set([...edges.values()].map(({ row }) => row["slug"]));
  for (let id = 1; id <= world.products; id++) {
    const edge = edges.get(id) ?? ordinaryProduct(world, id);
    const plain = slugify(String(edge.row["name"]));
    addProduct(world, edge, String(edge.row["slug"] ?? (taken.has(plain) ? `${plain}-${id}` : plain)));
  }
}

export function seedOrders({ writer, refs }: World): void {
  for (let number = 1; number <= Math.min(refs.length, 50_000); number++) {
    const [order_id, customer_id] = [privateId(number), privateId(between(1, writer.count("customers")))];
    const status = chance(88) ? "complete" : pick(["pending", "refunded", "failed", "abandoned"]);
    const isBack = status === "refunded";
    const type = isBack ? "refund" : "sale";
    const coupon_id = chance(10) ? privateId(1) : null;
    writer.add("orders", { status, type, customer_id, mode: "live", currency: "EUR", coupon_id });
    const item = { order_id, product_id: between(1, refs.length), quantity: 1 };
    writer.add("order_items", { ...item, status: isBack ? "refunded" : "complete" });
  }
}
