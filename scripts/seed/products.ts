/** Products with all that hangs on them: categories, tags, pictures, tiers, sales, preorders, relations. */
import { between, chance, pick, version } from "./dice.ts";
import { EDGES, type Edge, edgesById, edgesOf } from "./edges.ts";
import { productDescription, productTitle, say, slugify } from "./texts.ts";
import { DAY, END_FAR, formatTime, HOUR, RELEASE_FAR, START_FAR } from "./time.ts";
import { ago, past, type World } from "./world.ts";
import type { Row } from "./writer.ts";

/** Products 31 to 60 share one moment and one price, so that only the tie-breaker orders them. */
const isTie = (id: number): boolean => id > 30 && id <= 60;
/** Rows that no option changes. */
const FIXED = ["store_settings", "social_links", "categories", "widgets", "subforums", "forum_categories"];
const PRICES = [500, 900, 1200, 1900, 1950, 2400, 2900, 3900, 4900, 5900, 7900, 9900, 12900, 19900, 24900];
const REGULAR_RIGHTS = { activations: 1, commercial_use: 0, position: 1 };
const EXTENDED_RIGHTS = { activations: 10, commercial_use: 1, position: 2 };
const TYPES: Readonly<Record<string, string>> = {
  bundle: "Bundle Suite Pack",
  service: "Service",
  script: "Script Engine Importer Module Snippets Boilerplate",
};
const CATEGORIES = edgesOf("categories").map(({ row }) => row["slug"]);
/** Categories of ordinary products; the first four are the fullest. */
const SHELVES = [...CATEGORIES.slice(0, 16), ...CATEGORIES.slice(0, 4)].map(String);

export function seedShop({ writer }: World): void {
  for (const { table, row, hidden } of EDGES) if (FIXED.includes(table)) writer.add(table, row, hidden);
}

function ordinarySales(world: World, price: number): Row[] {
  const roll = between(0, 99);
  const off = { percent: pick([10, 15, 20, 25, 30, 40, 50]) };
  const starts_at = past(world, 5, 60);
  if (roll < 12) return [{ ...off, starts_at, ends_at: END_FAR }];
  if (roll < 15) return [{ sale_price_minor: Math.max(price - 400, 100), starts_at, ends_at: null }];
  if (roll < 20) return [{ ...off, starts_at: "now-90d", ends_at: past(world, 61, 80) }];
  return roll < 23 ? [{ ...off, starts_at: START_FAR, ends_at: END_FAR }] : [];
}

const ORDINARY: Edge = { table: "products", row: {}, plan: {}, hidden: false };

/** A state that most products are not in: hidden, announced, to be ordered before its release. */
function ordinaryState(id: number): Edge {
  // None of these twentieths is a product that judged queries name.
  if (id % 20 === 7) {
    return { ...ORDINARY, row: { status: pick(["draft", "pending", "archived", "unlisted"]) }, hidden: true };
  }
  const roll = between(0, 99);
  if (roll < 3) return { ...ORDINARY, row: { release_at: RELEASE_FAR } };
  if (roll >= 6) return ORDINARY;
  const preorder = { price_minor: pick([900, 1400, 1800]), opens_at: "now-20d", closes_at: END_FAR };
  return { ...ORDINARY, row: { release_at: END_FAR }, plan: { preorder } };
}

function ordinaryProduct(world: World, id: number): Edge {
  const { name, topic, form } = productTitle(id);
  const kind = Object.keys(TYPES).find((type) => TYPES[type]?.split(" ").includes(form));
  const type = kind ?? (chance(15) ? "license" : "digital");
  const categories = [...new Set([pick(SHELVES), ...(chance(25) ? [pick(SHELVES)] : [])])];
  const regular_price_minor = isTie(id) ? 4900 : pick(PRICES);
  const state = isTie(id) ? ORDINARY : ordinaryState(id);
  const sales = isTie(id) ? [] : ordinarySales(world, regular_price_minor);
  const row = { name, type, regular_price_minor, ...state.row };
  return { table: "products", row, plan: { topic, categories, sales, ...state.plan }, hidden: state.hidden };
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
    const url = `/media/products/${product_id}/${position}.webp`;
    const picture = { product_id, kind: "image", url, alt, position, is_private: isPrivate ? 1 : 0 };
    writer.add("product_media", picture, hidden || isPrivate);
  }
}

function addSale({ writer }: World, product_id: number, sale: Row): void {
  writer.add("sale_windows", { product_id, is_active: 1, target_segment: null, ...sale });
}

function addTier(world: World, edge: Edge, product_id: number, slug: string, price: number): number {
  const isActive = slug === "regular" || (slug === "extended" && edge.plan.tiers !== "extended-inactive");
  const rights = slug === "regular" ? REGULAR_RIGHTS : EXTENDED_RIGHTS;
  const name = `${slug.slice(0, 1).toUpperCase()}${slug.slice(1)} Licence`;
  const tier = {
    product_id,
    slug,
    name,
    price_minor: price,
    updates_months: 12,
    is_active: isActive ? 1 : 0,
  };
  return world.writer.add("license_tiers", { ...tier, ...rights }, edge.hidden || !isActive);
}

function addTiers(world: World, edge: Edge, id: number, price: number): void {
  const kind = edge.plan.tiers ?? (chance(60) ? "both" : "regular");
  if (kind === "none") return;
  addTier(world, edge, id, "regular", price);
  if (kind !== "regular") {
    const tier_id = addTier(world, edge, id, "extended", price * between(3, 6));
    // Off one tier: not a sale of the product.
    if (chance(5)) addSale(world, id, { tier_id, percent: 90, starts_at: "now-10d", ends_at: null });
  }
  if (chance(3)) addTier(world, edge, id, "team", price * 9);
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
  refs.push({ id, slug, topic, type: String(row["type"]), createdAt, hidden });
}

export function seedProducts(world: World): void {
  const edges = edgesById("products");
  const least = Math.max(...edges.keys());
  if (world.products < least)
    throw new Error(
      `The demo's special rows alone are ${least} products: --products ${world.products} is too few`,
    );
  const taken = new Set<string>();
  for (let id = 1; id <= world.products; id++) {
    const edge = edges.get(id) ?? ordinaryProduct(world, id);
    const wanted = String(edge.row["slug"] ?? slugify(String(edge.row["name"])));
    const slug = taken.has(wanted) ? `${wanted}-${id}` : wanted;
    taken.add(slug);
    addProduct(world, edge, slug);
  }
}

/** Some products are shown beside another; a bundle holds three. */
export function seedRelations({ writer, refs }: World): void {
  for (const { id, slug, type, hidden } of refs) {
    const kind = type === "bundle" ? "bundle" : "upsell";
    const count = kind === "bundle" ? 3 : chance(20) ? 1 : 0;
    const related = new Set(Array.from({ length: count }, () => between(1, refs.length)));
    related.delete(id);
    for (const related_id of related) writer.add("product_relations", { product_id: id, related_id, kind });
    if (id % 50 === 0) {
      writer.add("slug_history", { old_slug: `${slug}-old`, entity: "product", entity_id: id }, hidden);
    }
  }
}
