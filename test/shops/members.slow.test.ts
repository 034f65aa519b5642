/**
 * A shop with a membership plugin, made by the plugin's own code (`scripts/shops/members.php`): what a visitor reads without
 * logging in, compared with a build from a dump of its database. And the rules of other plugins, as they store them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CANARY_TEXT } from "../../scripts/seed/canary.ts";
import type { BlogPost, BlogPostDetail, Category, ProductDetail } from "../../src/api/types.ts";
import { type BuildReport, build } from "../../src/pipeline/build.ts";
import { eachLeftOut } from "../../src/pipeline/left-out.ts";
import { openPublicCatalog } from "../../src/serve/read-catalog.ts";
import { planInit, writeInit } from "../../src/setup/init.ts";
import { dumpOf } from "../support/dump.ts";
import { createMariadbDatabase, MARIADB_MISSING } from "../support/mariadb.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { readTree, temporaryFolder } from "../support/shop.ts";

/** What WordPress shows with the plugins enabled. */
interface Shown {
  readonly made: { readonly at: string };
  readonly texts: readonly {
    readonly type: "download" | "post" | "category";
    readonly id: number;
    readonly slug: string;
    /** `open1` is for everybody, `guest1` only for people who are not members. */
    readonly content: readonly string[];
    readonly excerpt: readonly string[];
    /** True if the whole text is for members. */
    readonly restricted: boolean;
  }[];
}

const DUMPS = "test/shops/dumps";
const shown = JSON.parse(readFileSync(join(DUMPS, "members.json"), "utf8")) as Shown;
const NOW = new Date(shown.made.at);
const project = temporaryFolder();

function wordsOf(html: string | undefined): readonly string[] {
  return html?.match(/\b(?:open|guest)\d+/g) ?? [];
}

/** Publishes a dump: init, then build. */
async function publish(folder: string, store: string) {
  const [queries, out] = [join(folder, "queries"), join(folder, "out")];
  const plan = await planInit({ store, folder });
  writeInit(folder, plan);
  const configFile = join(folder, "vitrine.config.json");
  const report: BuildReport = await build({ configFile, queries, out, now: NOW, allowShrink: 100_000 });
  const leftOut: [id: string, reason: string][] = [];
  const now = NOW.toISOString().slice(0, 19).replace("T", " ");
  for await (const { id, reason } of eachLeftOut({ store, queries, now })) leftOut.push([id, reason]);
  const read = <Data>(path: string): Data | null => {
    const catalog = openPublicCatalog(join(out, "catalog.sqlite"));
    const { status, body } = catalog.get(path);
    catalog.close();
    return status === 200 ? (JSON.parse(body) as { readonly data: Data }).data : null;
  };
  return { out, notes: plan.notes, report, leftOut, read };
}

async function createDump(name: string, sql = ""): Promise<TestDatabase> {
  const database = await createMariadbDatabase();
  await database.run(`${dumpOf(name)}\nSET sql_mode = '';${sql}`);
  return database;
}

describe.skipIf(MARIADB_MISSING !== null)("a shop beside Paid Memberships Pro", () => {
  let database: TestDatabase;
  let shop: Awaited<ReturnType<typeof publish>>;

  beforeAll(async () => {
    database = await createDump("members");
    shop = await publish(join(project, "pmpro"), database.address);
  });
  afterAll(() => database?.close());

  it("has exactly the words that a visitor reads, except those for non-members only", () => {
    const open = (words: readonly string[]) => words.filter((word) => word.startsWith("open"));
    for (const { type, id, slug, content, excerpt, restricted } of shown.texts) {
      if (type === "category") continue;
      const found =
        type === "download"
          ? shop.read<ProductDetail>(`/product?id=${id}`)
          : shop.read<BlogPostDetail>(`/blog?slug=${slug}`);
      const text = found !== null && "content_html" in found ? found.content_html : found?.description;
      expect([id, wordsOf(text), wordsOf(found?.excerpt)]).toEqual([id, open(content), open(excerpt)]);
      expect([id, found === null]).toEqual([id, restricted]);
    }
    const categories = shop.read<readonly Category[]>("/categories") ?? [];
    expect(categories.map(({ id, description }) => [id, wordsOf(description)])).toEqual(
      // All products of the other one are for members.
      [[2, ["open22", "open23"]]],
    );
  });

  it("reveals no word for members: in no file, no catalog, no index", () => {
    const files = [...readTree(shop.out)].filter(([path]) => !path.endsWith(".js"));
    expect(files.length).toBeGreaterThan(50);
    const leaks = files.filter(([path, bytes]) => CANARY_TEXT.test(`${path}\n${bytes.toString("latin1")}`));
    expect(leaks.map(([path]) => path)).toEqual([]);
  });

  it("counts what is left out of texts, and lists texts that are left out as a whole", async () => {
    const counted = shop.report.shortened.map(({ what }) => what);
    expect(counted.toSorted()).toEqual([
      "block core/group",
      "block core/list",
      "block core/paragraph",
      "block pmpro/checkout-button",
      "block pmpro/membership",
      "shortcode membership",
    ]);
    const restricted = shown.texts.filter((text) => text.restricted).map(({ id }) => String(id));
    expect(shop.leftOut).toEqual(restricted.map((id) => [id, "for members alone"]));
    const titles = (shop.read<readonly BlogPost[]>("/blog?per_page=100") ?? []).map(({ title }) => title);
    expect(titles).toHaveLength(13);
    expect(titles.filter((title) => title.startsWith("Restricted"))).toEqual([]);
  });
});

/** How plugins store that a post is for members only: metadata of a post or a term. */
const RULES: Readonly<Record<string, readonly [key: string, value: string]>> = {
  "Restrict Content Pro, paid": ["_is_paid", "1"],
  "Restrict Content Pro, levels": ["rcp_subscription_level", 'a:1:{i:0;s:1:"2";}'],
  "Restrict Content Pro, any level": ["rcp_subscription_level", "any"],
  "Restrict Content Pro, a role": ["rcp_user_level", 'a:1:{i:0;s:10:"subscriber";}'],
  "Restrict Content Pro, an access level": ["rcp_access_level", "3"],
  "EDD Content Restriction": ["_edd_cr_restricted_to", 'a:1:{i:0;a:1:{s:8:"download";s:2:"10";}}'],
  Members: ["_members_access_role", "customer"],
  Groups: ["groups-read", "4"],
  "Ultimate Member": [
    "um_content_restriction",
    'a:2:{s:26:"_um_custom_access_settings";s:1:"1";s:14:"_um_accessible";s:1:"2";}',
  ],
};
const NO_RULES: readonly (readonly [key: string, value: string])[] = [
  ["_is_paid", ""],
  ["rcp_subscription_level", "all"],
  ["rcp_user_level", 'a:1:{i:0;s:3:"All";}'],
  ["rcp_user_level", "None"],
  ["rcp_access_level", "None"],
  ["um_content_restriction", 'a:2:{s:26:"_um_custom_access_settings";b:0;s:14:"_um_accessible";s:1:"2";}'],
  ["um_content_restriction", 'a:2:{s:26:"_um_custom_access_settings";b:1;s:14:"_um_accessible";i:0;}'],
];

describe.skipIf(MARIADB_MISSING !== null)("rules of membership plugins", () => {
  const { products } = JSON.parse(readFileSync(join(DUMPS, "edd.json"), "utf8")) as {
    products: readonly { readonly id: number }[];
  };

  async function publishChanged(name: string, sql: string, dump = "edd") {
    await using resources = new AsyncDisposableStack();
    const database = await createDump(dump, sql);
    resources.defer(() => database.close());
    return await publish(join(project, name), database.address);
  }
  const forMembers = ({ leftOut }: Awaited<ReturnType<typeof publish>>) =>
    leftOut.filter(([, reason]) => reason === "for members alone").map(([id]) => Number(id));
  const values = (rows: readonly (readonly [key: string, value: string])[], id: (at: number) => unknown) =>
    rows.map(([key, value], at) => `(${id(at)}, '${key}', '${value}')`).join(", ");

  it("leave out restricted posts, each by its own metadata, and nothing else", async () => {
    const rules = Object.values(RULES);
    const shop = await publishChanged(
      "posts",
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES ${values(rules, (at) => products[at]?.id)};
       INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES ${values(NO_RULES, () => products.at(-1)?.id)};
       INSERT INTO wp_postmeta (post_id, meta_key, meta_value)
         SELECT ID, 'rcp_access_level', '1' FROM wp_posts WHERE post_title = 'We are open';`,
    );
    expect(forMembers(shop)).toEqual(products.slice(0, rules.length).map(({ id }) => id));
    expect(shop.read("/blog")).toHaveLength(1);
    expect(shop.notes).toEqual([]);
  });

  it("leave out posts restricted by a term or a post type", async () => {
    const term = (taxonomy: string, slug: string) =>
      `SELECT x.term_id FROM wp_term_taxonomy AS x JOIN wp_terms AS t ON t.term_id = x.term_id
       WHERE x.taxonomy = '${taxonomy}' AND t.slug = '${slug}'`;
    const sql = (key: string, value: string, slug: string) =>
      `INSERT INTO wp_termmeta (term_id, meta_key, meta_value)
       SELECT t.term_id, '${key}', '${value}' FROM (${term("download_category", slug)}) AS t;`;
    const rcp = 'a:2:{s:12:"access_level";s:4:"None";s:13:"subscriptions";a:1:{i:0;s:1:"2";}}';
    const shop = await publishChanged(
      "terms",
      `${sql("rcp_restricted_meta", rcp, "dark")}
       ${sql("rcp_restricted_meta", 'a:1:{s:12:"access_level";s:4:"None";}', "themes-looks")}
       INSERT INTO wp_options (option_name, option_value) VALUES ('rcp_restricted_post_types',
         'a:2:{s:4:"post";a:1:{s:18:"subscription_level";s:3:"any";}s:8:"download";a:0:{}}');`,
    );
    expect(forMembers(shop)).toEqual([11, 12, 13]);
    expect(shop.read("/blog")).toEqual([]);
    const other = await publishChanged(
      "terms of another",
      sql("um_content_restriction", RULES["Ultimate Member"]?.[1] ?? "", "dark"),
    );
    expect(forMembers(other)).toEqual([11, 12, 13]);
  });

  it("of Paid Memberships Pro are read in a WooCommerce shop, too, under its own prefix", async () => {
    const shop = await publishChanged(
      "woocommerce",
      `CREATE TABLE wp_pmpro_memberships_pages (membership_id INT, page_id BIGINT);
       CREATE TABLE wp_pmpro_memberships_categories (membership_id INT, category_id BIGINT);
       INSERT INTO wp_pmpro_memberships_pages VALUES (1, 10), (2, 10);
       INSERT INTO wp_pmpro_memberships_categories
         SELECT 1, t.term_id FROM wp_terms AS t WHERE t.slug = 'small';
       ${[
         "posts",
         "postmeta",
         "termmeta",
         "terms",
         "term_taxonomy",
         "term_relationships",
         "comments",
         "commentmeta",
         "options",
         "wc_product_meta_lookup",
         "pmpro_memberships_pages",
         "pmpro_memberships_categories",
       ]
         .map((table) => `RENAME TABLE wp_${table} TO shop_${table};`)
         .join("")}`,
      "woocommerce",
    );
    expect(forMembers(shop)).toEqual([10, 11, 12, 13]);
    expect(shop.read("/product?id=10")).toBeNull();
  });

  it("that are not supported are named by init", async () => {
    const shop = await publishChanged(
      "not read",
      `CREATE TABLE wp_mepr_rule_access_conditions (id BIGINT PRIMARY KEY, rule_id BIGINT);
       INSERT INTO wp_mepr_rule_access_conditions VALUES (1, 2);
       CREATE TABLE wp_wlm_contentlevels (ID BIGINT PRIMARY KEY);
       INSERT INTO wp_options (option_name, option_value) VALUES
         ('wc_memberships_rules', 'a:1:{i:0;a:1:{s:9:"rule_type";s:19:"product_restriction";}}');`,
    );
    expect(shop.notes).toEqual(
      ["MemberPress", "WooCommerce Memberships"].map((plugin) =>
        expect.stringMatching(
          new RegExp(`^The site has rules of ${plugin} that show content to members only\\.`),
        ),
      ),
    );
  });
});
