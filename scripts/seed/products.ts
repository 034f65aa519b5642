/** Products with all that hangs on them: categories, tags, pictures, tiers, sales, preorders, relations. */
import { seedOffers } from "./offers.ts";
import { edgePlans } from "./product-edges.ts";
import type { ProductPlan } from "./product-plan.ts";
import { productDescription, shortDescription } from "./prose.ts";
import type { Random } from "./random.ts";
import { ORDINARY_CATEGORIES } from "./shop.ts";
import { DAY, END_FAR, formatTime, HOUR, RELEASE_FAR, START_FAR } from "./time.ts";
import { Titles } from "./titles.ts";
import { TOPICS } from "./words.ts";
import type { ProductRef, World } from "./world.ts";
import type { Row } from "./writer.ts";

/** Products 31 to 60 share one moment and one price, so that only the tie-breaker orders them. */
const TIES = { first: 31, last: 60, price: 4900, ageSeconds: 400 * DAY } as const;
/** Edge rows follow the ties. */
const FIRST_EDGE: number = TIES.last + 1;
const PRICES: readonly number[] = [
  500, 900, 1200, 1900, 1950, 2400, 2900, 3900, 4900, 5900, 7900, 9900, 12900, 19900, 24900,
];

const NAMED: ReadonlyMap<number, ProductPlan> = new Map([
  [
    12,
    {
      name: "Invoice Kit",
      slug: "invoice-kit",
      topic: "Invoice",
      type: "script",
      categories: [1, 4],
      price: 4900,
      tiers: "both",
      row: { featured: 1, version: "3.2.1" },
    },
  ],
  [
    13,
    {
      name: "Café Menu Builder",
      slug: "cafe-menu-builder",
      topic: "Café Menu",
      categories: [16],
      price: 1900,
      row: { featured: 1 },
    },
  ],
]);

function typeOf(form: string, random: Random): string {
  if (form === "Bundle" || form === "Suite" || form === "Pack") return "bundle";
  if (form === "Service") return "service";
  if (["Script", "Engine", "Importer", "Module", "Snippets", "Boilerplate"].includes(form)) return "script";
  return random.chance(15) ? "license" : "digital";
}

function ordinarySales(random: Random, price: number, world: World): Row[] {
  const roll = random.below(100);
  const base = {
    sale_price_minor: null,
    percent: random.pick([10, 15, 20, 25, 30, 40, 50]),
    is_active: 1,
    target_segment: null,
  };
  const startsAt = world.at(-random.between(5, 60) * DAY);
  if (roll < 12) return [{ ...base, starts_at: startsAt, ends_at: END_FAR }];
  if (roll < 15) {
    return [
      {
        ...base,
        percent: null,
        sale_price_minor: Math.max(price - 400, 100),
        starts_at: startsAt,
        ends_at: null,
      },
    ];
  }
  if (roll < 20)
    return [{ ...base, starts_at: world.at(-90 * DAY), ends_at: world.at(-random.between(61, 80) * DAY) }];
  if (roll < 23) return [{ ...base, starts_at: START_FAR, ends_at: END_FAR }];
  return [];
}

/** A state that most products are not in: drafts, announcements, preorders. */
function ordinaryState(random: Random, world: World): Partial<ProductPlan> {
  const roll = random.below(100);
  if (roll < 5)
    return { hidden: true, row: { status: random.pick(["draft", "pending", "archived", "unlisted"]) } };
  if (roll < 8) return { row: { release_at: RELEASE_FAR } };
  if (roll < 11) {
    const preorder = {
      price_minor: random.pick([900, 1400, 1800]),
      opens_at: world.at(-20 * DAY),
      closes_at: END_FAR,
      release_at: END_FAR,
      charge_policy: random.pick(["at_release", "upfront"]),
      state: "open",
    };
    return { row: { release_at: END_FAR }, preorder };
  }
  return {};
}

function ordinaryPlan(world: World, random: Random, titles: Titles, id: number): ProductPlan {
  const title = titles.title(id);
  const first = random.pick(ORDINARY_CATEGORIES);
  const second = random.pick(ORDINARY_CATEGORIES);
  const categories = random.chance(25) && second !== first ? [first, second] : [first];
  const plan = {
    name: title.name,
    slug: title.slug,
    topic: title.topic,
    type: typeOf(title.form, random),
    categories,
  };
  if (id >= TIES.first && id <= TIES.last) {
    return { ...plan, price: TIES.price, createdAt: world.options.now - TIES.ageSeconds };
  }
  const price = random.pick(PRICES);
  return { ...plan, price, sales: ordinarySales(random, price, world), ...ordinaryState(random, world) };
}

function productRow(world: World, random: Random, plan: ProductPlan, id: number, createdAt: number): Row {
  const now = world.options.now;
  const updatedAt = Math.min(createdAt + random.between(0, 300) * DAY + random.below(DAY), now - HOUR);
  const short = shortDescription(random, plan.name);
  const hasDemo = random.chance(70);
  const row: Row = {
    id,
    slug: plan.slug,
    sku: `NL-${String(id).padStart(6, "0")}`,
    name: plan.name,
    excerpt: short.length > 120 ? `${short.slice(0, short.lastIndexOf(" ", 117))} …` : short,
    short_description: short,
    description_html: productDescription(random, plan.name),
    type: plan.type ?? "digital",
    currency: "EUR",
    regular_price_minor: plan.price === undefined ? 2900 : plan.price,
    featured: random.chance(6) ? 1 : 0,
    created_at: formatTime(createdAt),
    updated_at: formatTime(Math.max(updatedAt, createdAt)),
    published_at: formatTime(Math.min(createdAt + 3 * HOUR, now)),
    release_at: null,
    version: `${random.between(1, 6)}.${random.below(10)}.${random.below(20)}`,
    requirements: random.pick([
      "Any web server",
      "PHP 8.2 or newer",
      "Node 20 or newer",
      "A current browser",
    ]),
    demo_url: hasDemo ? `https://demo.shop.example/${plan.slug}` : null,
    docs_url: random.chance(80) ? `/docs/${plan.slug}` : null,
    seo_title: `${plan.name} | Northlight Digital`,
    seo_description: short,
    status: "published",
    visibility: "visible",
    password: null,
    deleted_at: null,
  };
  return { ...row, ...plan.row };
}

function seedCategoriesAndTags(world: World, random: Random, plan: ProductPlan, id: number): void {
  const categories = plan.categories ?? [random.pick(ORDINARY_CATEGORIES)];
  categories.forEach((category, index) => {
    const row = { product_id: id, category_id: category, is_primary: index === 0 ? 1 : 0 };
    world.writer.add("product_categories", id, row);
  });
  const tag = (plan.topic ?? random.pick(TOPICS)).toLowerCase();
  world.writer.add("product_tags", id, { product_id: id, tag }, plan.hidden);
}

/** Some products are shown beside another; a bundle holds three. */
function seedRelations(world: World): void {
  const random = world.random("relations");
  for (const ref of world.refs) {
    const kinds =
      ref.type === "bundle" ? ["bundle", "bundle", "bundle"] : random.chance(20) ? ["upsell"] : [];
    const seen = new Set([ref.id]);
    for (const kind of kinds) {
      const related = random.between(1, world.refs.length);
      if (seen.has(related)) continue;
      seen.add(related);
      world.writer.add("product_relations", ref.id, { product_id: ref.id, related_id: related, kind });
    }
    if (ref.id % 50 === 0) {
      const row = { old_slug: `${ref.slug}-old`, entity: "product", entity_id: ref.id };
      world.writer.add("slug_history", ref.id, row, ref.hidden);
    }
  }
}

export function seedProducts(world: World): void {
  const random = world.random("products");
  const edges = edgePlans(world);
  const least = FIRST_EDGE + edges.length - 1;
  const { products, now, seed } = world.options;
  if (products < least)
    throw new Error(`The demo's special rows alone are ${least} products: --products ${products} is too few`);
  const titles = new Titles(
    seed,
    [...edges, ...NAMED.values()].map((plan) => plan.slug),
  );
  const offers = seedOffers(world);
  for (let id = 1; id <= products; id++) {
    const plan = NAMED.get(id) ?? edges[id - FIRST_EDGE] ?? ordinaryPlan(world, random, titles, id);
    const createdAt = plan.createdAt ?? now - random.between(62, 1400) * DAY - random.below(DAY);
    const hidden = plan.hidden === true;
    world.writer.add("products", id, productRow(world, random, plan, id, createdAt), hidden);
    seedCategoriesAndTags(world, random, plan, id);
    offers(plan, id);
    const ref: ProductRef = {
      id,
      name: plan.name,
      slug: plan.slug,
      topic: plan.topic ?? plan.name,
      type: plan.type ?? "digital",
      createdAt,
      hidden,
    };
    world.refs.push(ref);
  }
  seedRelations(world);
}
