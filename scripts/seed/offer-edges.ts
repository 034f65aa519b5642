/** The products that stand for a rule of selling: sales before, in and after their window, preorders, announcements. */
import type { ProductPlan } from "./product-plan.ts";
import { DAY, END_FAR, HOUR, RELEASE_FAR, START_FAR } from "./time.ts";
import type { World } from "./world.ts";
import type { Row } from "./writer.ts";

/** A price that stands in windows nobody may see: 7,919.37. */
const SECRET_PRICE = 791_937;
const LUXURY_PRICE = 999_900;

type Window = (price: number | null, startsAt: string, endsAt: string | null, more?: Row) => Row;

const window: Window = (price, startsAt, endsAt, more = {}) => ({
  sale_price_minor: price,
  starts_at: startsAt,
  ends_at: endsAt,
  is_active: 1,
  target_segment: null,
  ...more,
});

function visibleSales(world: World): ProductPlan[] {
  const past = world.at(-30 * DAY);
  return [
    { name: "Sale Active", slug: "sale-active", price: 10_000, sales: [window(7500, past, END_FAR)] },
    {
      name: "Sale by Percent",
      slug: "sale-by-percent",
      price: 9999,
      sales: [window(null, past, END_FAR, { percent: 33 })],
    },
    { name: "Sale without End", slug: "sale-without-end", price: 10_000, sales: [window(6500, past, null)] },
    { name: "Sale to Nothing", slug: "sale-to-nothing", price: 10_000, sales: [window(0, past, END_FAR)] },
    {
      name: "Sale Overlapping",
      slug: "sale-overlapping",
      price: 10_000,
      sales: [
        window(8000, past, END_FAR),
        window(null, past, END_FAR, { percent: 30 }),
        window(9000, past, END_FAR),
      ],
    },
    {
      name: "Sale in Five Seconds",
      slug: "sale-in-five-seconds",
      price: 10_000,
      sales: [window(5000, world.at(5), END_FAR)],
    },
    {
      name: "Sale Begins Now",
      slug: "sale-begins-now",
      price: 10_000,
      sales: [window(5100, world.at(0), END_FAR)],
    },
    {
      name: "Sale Ends Soon",
      slug: "sale-ends-soon",
      price: 10_000,
      sales: [window(5200, past, world.at(HOUR))],
    },
    { name: "Sale Ends Now", slug: "sale-ends-now", price: 10_000, sales: [window(5300, past, world.at(0))] },
    { name: "Sale Ended", slug: "sale-ended", price: 10_000, sales: [window(5400, past, world.at(-DAY))] },
    {
      name: "Sale Handed Over",
      slug: "sale-handed-over",
      price: 10_000,
      sales: [
        window(5500, past, world.at(2)),
        window(5500, world.at(2), END_FAR),
        window(6000, world.at(1), END_FAR),
      ],
    },
  ];
}

/** Each has a window, and none may show. */
function secretSales(world: World): ProductPlan[] {
  const past = world.at(-30 * DAY);
  const secret = (name: string, slug: string, sale: Row): ProductPlan => ({
    name,
    slug,
    price: LUXURY_PRICE,
    sales: [sale],
  });
  return [
    secret("Sale in 2099", "sale-in-2099", window(SECRET_PRICE, START_FAR, END_FAR)),
    secret("Sale Switched Off", "sale-switched-off", window(SECRET_PRICE, past, END_FAR, { is_active: 0 })),
    secret(
      "Sale for Some",
      "sale-for-some",
      window(SECRET_PRICE, past, END_FAR, { target_segment: "CNRY_sale_windows_target_segment" }),
    ),
    secret("Sale for Some Soon", "sale-for-some-soon", {
      ...window(SECRET_PRICE, world.at(3), END_FAR),
      target_segment: "CNRY_sale_windows_target_segment_soon",
    }),
    secret(
      "Sale Never to Be",
      "sale-never-to-be",
      window(SECRET_PRICE, world.at(3), END_FAR, { is_active: 0 }),
    ),
    {
      name: "Sale Dearer than Regular",
      slug: "sale-dearer-than-regular",
      price: 10_000,
      sales: [window(12_000, past, END_FAR)],
    },
  ];
}

function preorder(
  price: number | null,
  opensAt: string,
  closesAt: string,
  releaseAt: string,
  state = "open",
): Row {
  return {
    price_minor: price,
    opens_at: opensAt,
    closes_at: closesAt,
    release_at: releaseAt,
    charge_policy: "at_release",
    state,
  };
}

function preorders(world: World): ProductPlan[] {
  const past = world.at(-30 * DAY);
  const plan = (name: string, slug: string, row: Row, releaseAt: string): ProductPlan => ({
    name,
    slug,
    price: 4900,
    preorder: row,
    row: { release_at: releaseAt },
  });
  return [
    plan("Preorder Open", "preorder-open", preorder(2900, past, END_FAR, END_FAR), END_FAR),
    plan(
      "Preorder at Regular Price",
      "preorder-at-regular-price",
      preorder(null, past, END_FAR, END_FAR),
      END_FAR,
    ),
    plan(
      "Preorder Closed",
      "preorder-closed",
      preorder(2900, past, world.at(-DAY), RELEASE_FAR),
      RELEASE_FAR,
    ),
    plan(
      "Preorder Released",
      "preorder-released",
      preorder(2900, past, world.at(-DAY), world.at(-DAY)),
      world.at(-DAY),
    ),
    plan(
      "Preorder Released Early",
      "preorder-released-early",
      preorder(2900, past, END_FAR, world.at(-DAY)),
      world.at(-DAY),
    ),
    plan("Preorder Paused", "preorder-paused", preorder(2900, past, END_FAR, END_FAR, "paused"), END_FAR),
    plan(
      "Preorder Cancelled",
      "preorder-cancelled",
      preorder(2900, past, END_FAR, END_FAR, "cancelled"),
      END_FAR,
    ),
    plan(
      "Preorder Opens Soon",
      "preorder-opens-soon",
      preorder(2900, world.at(2 * DAY), END_FAR, END_FAR),
      END_FAR,
    ),
    plan(
      "Preorder Opens in 2099",
      "preorder-opens-in-2099",
      preorder(2900, START_FAR, END_FAR, END_FAR),
      END_FAR,
    ),
    {
      ...plan("Preorder on Sale", "preorder-on-sale", preorder(2900, past, END_FAR, END_FAR), END_FAR),
      sales: [window(3900, past, END_FAR)],
    },
  ];
}

function announcements(world: World): ProductPlan[] {
  return [
    { name: "Coming Soon", slug: "coming-soon", price: 4900, row: { release_at: RELEASE_FAR } },
    {
      name: "Coming Soon, Price Unknown",
      slug: "coming-soon-without-price",
      price: null,
      tiers: "none",
      row: { release_at: RELEASE_FAR },
    },
    {
      name: "Coming on Friday",
      slug: "coming-on-friday",
      price: 4900,
      row: { release_at: world.at(4 * DAY) },
    },
    { name: "Came Yesterday", slug: "came-yesterday", price: 4900, row: { release_at: world.at(-DAY) } },
  ];
}

export function sellingEdges(world: World): ProductPlan[] {
  return [...visibleSales(world), ...secretSales(world), ...preorders(world), ...announcements(world)];
}
