/** A product's pictures, licence tiers, sale windows and preorder. */
import type { ProductPlan } from "./product-plan.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

type Numbers = Record<"media" | "tiers" | "sales" | "preorders", number>;

function seedMedia(world: World, random: Random, numbers: Numbers, plan: ProductPlan, id: number): void {
  if (plan.media === "none") return;
  const images = random.between(1, 4);
  for (let position = 1; position <= images; position++) {
    const isPrivate =
      (plan.media === "private-first" && position === 1) || (position === 4 && random.chance(30));
    numbers.media++;
    const row = {
      id: numbers.media,
      product_id: id,
      kind: "image",
      url: `/media/products/${id}/${position}.webp`,
      alt: `${plan.name}, picture ${position}`,
      position,
      is_private: isPrivate ? 1 : 0,
    };
    world.writer.add("product_media", numbers.media, row, plan.hidden === true || isPrivate);
  }
}

function addTier(
  world: World,
  numbers: Numbers,
  plan: ProductPlan,
  id: number,
  slug: string,
  price: number,
): number {
  numbers.tiers++;
  const isActive = !(plan.tiers === "extended-inactive" && slug === "extended") && slug !== "team";
  const row = {
    id: numbers.tiers,
    product_id: id,
    slug,
    name: `${slug.slice(0, 1).toUpperCase()}${slug.slice(1)} Licence`,
    price_minor: price,
    activations: slug === "regular" ? 1 : 10,
    duration_days: null,
    updates_months: 12,
    commercial_use: slug === "regular" ? 0 : 1,
    position: slug === "regular" ? 1 : 2,
    is_active: isActive ? 1 : 0,
  };
  world.writer.add("license_tiers", numbers.tiers, row, plan.hidden === true || !isActive);
  return numbers.tiers;
}

function seedTiers(world: World, random: Random, numbers: Numbers, plan: ProductPlan, id: number): void {
  const kind = plan.tiers ?? (random.chance(60) ? "both" : "regular");
  const price = plan.price === undefined ? 2900 : (plan.price ?? 0);
  if (kind === "none") return;
  addTier(world, numbers, plan, id, "regular", price);
  if (kind !== "regular") {
    const factor = random.between(3, 6);
    const extended = addTier(world, numbers, plan, id, "extended", price * factor);
    if (random.chance(5)) addTierSale(world, numbers, id, extended);
  }
  if (random.chance(3)) addTier(world, numbers, plan, id, "team", price * 9);
}

/** Ninety per cent off one tier: not a sale of the product. */
function addTierSale(world: World, numbers: Numbers, id: number, tierId: number): void {
  numbers.sales++;
  world.writer.add("sale_windows", numbers.sales, {
    id: numbers.sales,
    product_id: id,
    tier_id: tierId,
    sale_price_minor: null,
    percent: 90,
    starts_at: world.at(-864_000),
    ends_at: null,
    is_active: 1,
    target_segment: null,
  });
}

/** A function that writes the offers of one product; it counts the rows of each table from one product to the next. */
export function seedOffers(world: World): (plan: ProductPlan, id: number) => void {
  const random = world.random("offers");
  const numbers: Numbers = { media: 0, tiers: 0, sales: 0, preorders: 0 };
  return (plan, id) => {
    seedMedia(world, random, numbers, plan, id);
    seedTiers(world, random, numbers, plan, id);
    for (const sale of plan.sales ?? []) {
      numbers.sales++;
      world.writer.add("sale_windows", numbers.sales, { id: numbers.sales, product_id: id, ...sale });
    }
    if (plan.preorder !== undefined) {
      numbers.preorders++;
      world.writer.add("preorders", numbers.preorders, {
        id: numbers.preorders,
        product_id: id,
        ...plan.preorder,
      });
    }
  };
}
