/**
 * The products that stand for a rule: each public and hidden state, names that break encoders, odd shapes.
 * Rows that time itself will make public (scheduled for tomorrow) carry no canary; those of 2099 do.
 */
import { sellingEdges } from "./offer-edges.ts";
import type { ProductPlan } from "./product-plan.ts";
import { HOSTILE_HTML } from "./prose.ts";
import { CATEGORY_ID } from "./shop.ts";
import { DAY, HOUR, START_FAR } from "./time.ts";
import type { World } from "./world.ts";

const STATUSES: readonly string[] = ["draft", "pending", "scheduled", "published", "unlisted", "archived"];
const VISIBILITIES: readonly string[] = ["visible", "search", "catalog", "hidden"];

function stateEdges(): ProductPlan[] {
  return STATUSES.flatMap((status) =>
    VISIBILITIES.map((visibility) => ({
      name: `State Sample ${status} ${visibility}`,
      slug: `state-${status}-${visibility}`,
      hidden: status !== "published" || visibility !== "visible",
      row: { status, visibility, ...(status === "scheduled" ? { published_at: START_FAR } : {}) },
    })),
  );
}

function hiddenEdges(world: World): ProductPlan[] {
  const hidden = true;
  return [
    { name: "Deleted Kit", slug: "deleted", hidden, row: { deleted_at: world.at(-DAY) } },
    { name: "Password Kit", slug: "password", hidden, row: { password: "CNRY_products_password" } },
    { name: "Never Published", slug: "never-published", hidden, row: { published_at: null } },
    { name: "Published in 2099", slug: "far-published", hidden, row: { published_at: START_FAR } },
    { name: "In the Vault", slug: "in-vault", hidden, categories: [CATEGORY_ID.vault] },
    { name: "In the Annex", slug: "in-annex", hidden, categories: [CATEGORY_ID.vaultAnnex] },
    { name: "In the Unborn", slug: "in-unborn", hidden, categories: [CATEGORY_ID.unborn] },
    { name: "In No Category", slug: "in-none", hidden, categories: [] },
    {
      name: "Shelf Draft",
      slug: "shelf-draft",
      hidden,
      categories: [CATEGORY_ID.quietShelf],
      row: { status: "draft" },
    },
    {
      name: "Shelf Hidden",
      slug: "shelf-hidden",
      hidden,
      categories: [CATEGORY_ID.quietShelf],
      row: { visibility: "hidden" },
    },
  ];
}

function scheduleEdges(world: World): ProductPlan[] {
  return [
    {
      name: "Scheduled for Tomorrow",
      slug: "scheduled-tomorrow",
      row: { status: "scheduled", published_at: world.at(DAY) },
    },
    {
      name: "Scheduled and Due",
      slug: "scheduled-and-due",
      row: { status: "scheduled", published_at: world.at(-HOUR) },
    },
    { name: "Published This Second", slug: "published-this-second", row: { published_at: world.at(0) } },
    {
      name: "Out of the Vault",
      slug: "out-of-the-vault",
      categories: [CATEGORY_ID.vault, CATEGORY_ID.cafeMenus, CATEGORY_ID.scripts],
    },
  ];
}

const NAME_EDGES: readonly ProductPlan[] = [
  {
    name: `Ampersand & <Sons> "Quoted" 'Ticked' é 日本 🎁`,
    slug: "ampersand-and-sons",
    categories: [CATEGORY_ID.awkward],
  },
  { name: "% Off Calculator", slug: "percent-off-calculator" },
  { name: "_underscore Helpers", slug: "underscore-helpers" },
  { name: "مولد الفواتير", slug: "arabic-invoice-generator" },
  { name: "מחולל חשבוניות (עברית)", slug: "hebrew-invoice-generator" },
  { name: "請求書メーカー 日本語版", slug: "japanese-invoice-maker" },
  { name: "👩‍👩‍👧‍👦 Family Planner 🗓️", slug: "family-planner" },
  { name: "éclair au café", slug: "eclair-au-cafe" },
  { name: "Éclair Zebra", slug: "eclair-zebra" },
  { name: "null", slug: "null" },
  { name: "Back\\slash, Tab\tand Line\nBreak", slug: "back.slash_tab-line" },
  { name: "Kit \u2028 Separator \u0007 Bell", slug: "line-separator" },
  { name: "9 Lives", slug: "9lives" },
  { name: "The Longest Slug of Them All", slug: `long-${"slug-".repeat(28)}ended` },
];

const SHAPE_EDGES: readonly ProductPlan[] = [
  {
    name: "Hostile Markup",
    slug: "hostile-markup",
    row: {
      description_html: HOSTILE_HTML,
      short_description: "Plain <script>alert(0)</script> text & more",
      excerpt: "<b>Not bold</b>",
    },
  },
  {
    name: "Bare Minimum",
    slug: "bare-minimum",
    tiers: "none",
    media: "none",
    row: {
      excerpt: null,
      short_description: null,
      description_html: null,
      demo_url: null,
      docs_url: null,
      version: null,
      requirements: null,
    },
  },
  { name: "Private Picture First", slug: "private-picture-first", media: "private-first" },
  {
    name: "Retired Extended Licence",
    slug: "retired-extended-licence",
    tiers: "extended-inactive",
    price: 3900,
  },
  { name: "Extended Licence", slug: "extended-licence", tiers: "both", price: 3900, type: "license" },
  { name: "Free for All", slug: "free-for-all", price: 0, tiers: "regular" },
  { name: "One Cent", slug: "one-cent", price: 1, tiers: "regular" },
];

export function edgePlans(world: World): ProductPlan[] {
  return [
    ...stateEdges(),
    ...hiddenEdges(world),
    ...scheduleEdges(world),
    ...sellingEdges(world),
    ...NAME_EDGES,
    ...SHAPE_EDGES,
  ];
}
