/** The shop's own rows: settings, links, categories. */
import type { World } from "./world.ts";

interface CategorySeed {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly parent?: number;
  /** Cannot be seen: itself switched off, or below one that is. */
  readonly hidden?: true;
  readonly isVisible?: 0;
}

/** In the order of their ids, from 1. */
const CATEGORIES: readonly CategorySeed[] = [
  { slug: "scripts", name: "Scripts", description: "Small programs that run on your own server." },
  { slug: "themes", name: "Themes", description: "Complete looks for shops, blogs and portfolios." },
  { slug: "plugins", name: "Plugins", description: "One more thing that your site can do." },
  { slug: "templates", name: "Templates", description: "Documents and pages to fill in and send." },
  { slug: "licences", name: "Licences", description: "Keys for our hosted and desktop tools." },
  { slug: "ebooks", name: "E-Books", description: "Short books on running a shop, without filler." },
  { slug: "icons", name: "Icons & Graphics", description: "Vector sets, drawn on one grid." },
  { slug: "fonts", name: "Fonts", description: "Text faces with all the accents, and a few for headlines." },
  { slug: "services", name: "Services", description: "Installation, migration and an hour of our time." },
  { slug: "bundles", name: "Bundles", description: "Several products for less than their sum." },
  { slug: "php-scripts", name: "PHP Scripts", description: "For the hosting that everybody has.", parent: 1 },
  { slug: "node.js-scripts", name: "Node.js Scripts", description: "For Node 20 and newer.", parent: 1 },
  { slug: "blog-themes", name: "Blog Themes", description: "For people who write.", parent: 2 },
  {
    slug: "email-templates",
    name: "E-Mail Templates",
    description: "Tested in 40 mail programs.",
    parent: 4,
  },
  { slug: "print-templates", name: "Print Templates", description: "Menus, flyers, labels.", parent: 4 },
  { slug: "cafe-menus", name: "Café Menus", description: "From crêpes to crème brûlée.", parent: 15 },
  {
    slug: "quiet-shelf",
    name: "Quiet Shelf",
    description: "Visible, though everything in it is still hidden.",
  },
  { slug: "r-and-d", name: 'R&D <"beta"> 日本', description: "Characters that must be encoded: & < > \" '." },
  { slug: "vault", name: "Vault", description: "Switched off.", hidden: true, isVisible: 0 },
  {
    slug: "vault-annex",
    name: "Vault Annex",
    description: "Itself visible, its parent is not.",
    parent: 19,
    hidden: true,
  },
  { slug: "unborn", name: "Unborn Scripts", description: "Not yet.", parent: 1, hidden: true, isVisible: 0 },
];

/** Ids that the edge rows need by name. */
export const CATEGORY_ID = {
  scripts: 1,
  cafeMenus: 16,
  quietShelf: 17,
  awkward: 18,
  vault: 19,
  vaultAnnex: 20,
  unborn: 21,
} as const;
/** Categories that ordinary products are spread over. */
export const ORDINARY_CATEGORIES: readonly number[] = [
  1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
];

export function seedShop(world: World): void {
  world.writer.add("store_settings", 1, {
    id: 1,
    name: "Northlight Digital",
    tagline: "Tools for people who sell things they made",
    description:
      "Northlight Digital is a small shop for scripts, themes, templates and licences. " +
      "Everything is made in our workshop in Tromsø & tested by real shops.",
    url: "https://shop.example",
    logo_url: "/assets/logo.svg",
    favicon_url: "/assets/favicon.ico",
    currency: "EUR",
    locale: "en",
    timezone: "Europe/Oslo",
    status: "open",
    support_url: "/support",
    docs_url: "/docs",
    blog_url: "/blog",
    terms_url: "/legal/terms",
    privacy_url: "/legal/privacy",
    refund_url: "/legal/refunds",
    public_email: "hello@shop.example",
  });
  seedSocialLinks(world);
  CATEGORIES.forEach((category, index) => {
    const row = {
      id: index + 1,
      parent_id: category.parent ?? null,
      slug: category.slug,
      name: category.name,
      description: category.description,
      icon: "folder",
      position: index + 1,
      is_visible: category.isVisible ?? 1,
    };
    world.writer.add("categories", index + 1, row, category.hidden);
  });
}

function seedSocialLinks(world: World): void {
  const networks = ["mastodon", "github", "youtube", "linkedin"];
  networks.forEach((network, index) => {
    const url = `https://${network}.example/northlight`;
    world.writer.add("social_links", index + 1, {
      id: index + 1,
      network,
      url,
      position: index + 1,
      is_enabled: 1,
    });
  });
  const id = networks.length + 1;
  const closed = {
    id,
    network: "closed",
    url: "https://closed.example/northlight",
    position: 0,
    is_enabled: 0,
  };
  world.writer.add("social_links", id, closed, true);
}
