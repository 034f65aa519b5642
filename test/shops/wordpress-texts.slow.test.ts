/** Members' and hidden texts in databases that WordPress made: they are in no file of a snapshot, and counted. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shortenedLines } from "../../src/cli/build-summary.ts";
import { type BuildReport, build } from "../../src/pipeline/build.ts";
import { openPublicCatalog } from "../../src/serve/read-catalog.ts";
import { planInit, writeInit } from "../../src/setup/init.ts";
import { dumpOf } from "../support/dump.ts";
import { createMariadbDatabase, MARIADB_MISSING } from "../support/mariadb.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { readTree, temporaryFolder } from "../support/shop.ts";

const HIDDEN = '{"metadata":{"blockVisibility":false}}';
const SECRET = "CNRY members word";
const PRIVATE = [
  `<!-- wp:group ${HIDDEN} --><div><!-- wp:paragraph --><p>${SECRET}</p><!-- /wp:paragraph --></div><!-- /wp:group -->`,
  `<!-- wp:restrict-content-pro/restrict {"level":1} --><p>${SECRET}</p><!-- /wp:restrict-content-pro/restrict -->`,
  `<!-- wp:woocommerce-memberships/member-content -->${SECRET}<!-- /wp:woocommerce-memberships/member-content -->`,
  `<!-- wp:paragraph {"um_is_restrict":true} --><p>${SECRET}</p><!-- /wp:paragraph -->`,
  `[_s2If current_user_can(access_s2member_level1)]${SECRET}[/_s2If]`,
  `[2mem]${SECRET}[/2mem] [a/b]${SECRET}[/a/b] [メンバー]${SECRET}[/メンバー] [my tag]${SECRET}[/my tag]`,
  `[r]${SECRET}[r]${SECRET}[/r]${SECRET}[/r]`,
];
const TEXT = `Open words. ${PRIVATE.join("\n\n")} Last words.`;

const SHOPS = [
  { name: "woocommerce", type: "product", taxonomy: "product_cat" },
  { name: "edd", type: "download", taxonomy: "download_category" },
];

describe.skipIf(MARIADB_MISSING !== null).each(SHOPS)("texts of $name", ({ name, type, taxonomy }) => {
  const project = temporaryFolder();
  const [queries, out] = [join(project, "queries"), join(project, "out")];
  const dumps = "test/shops/dumps";
  const { made } = JSON.parse(readFileSync(join(dumps, `${name}.json`), "utf8")) as { made: { at: string } };
  let database: TestDatabase;
  let report: BuildReport;

  const buildAgain = () =>
    build({
      configFile: join(project, "vitrine.config.json"),
      queries,
      out,
      now: new Date(made.at),
      allowShrink: 100_000,
    });
  const leaks = () =>
    [...readTree(out)].filter(([, bytes]) => bytes.includes("members word")).map(([path]) => path);

  beforeAll(async () => {
    database = await createMariadbDatabase();
    await database.run(dumpOf(name));
    const literal = `'${TEXT.replaceAll("'", "''")}'`;
    await database.run(
      `UPDATE wp_posts SET post_content = ${literal}, post_excerpt = ${literal} WHERE post_type IN ('${type}', 'post');
       UPDATE wp_term_taxonomy SET description = ${literal} WHERE taxonomy = '${taxonomy}';`,
    );
    writeInit(project, await planInit({ store: database.address, folder: project }));
    report = await buildAgain();
  });
  afterAll(() => database?.close());

  it("are public without members' or hidden parts: in no file, no catalog, no index", () => {
    expect(leaks()).toEqual([]);
    const catalog = openPublicCatalog(join(out, "catalog.sqlite"));
    const bodies = [
      "/products?per_page=100",
      "/blog",
      "/categories",
      "/search?q=words",
      "/search?q=members",
    ].map((path) => catalog.get(path).body.toString());
    catalog.close();
    for (const body of bodies.slice(0, 4)) expect(body).toContain("Open words.");
    expect(bodies.join("")).not.toContain("CNRY members");
    expect(JSON.parse(bodies[4] ?? "").data).toEqual([]);
  });

  it("have their left-out parts counted, also by builds that change nothing or one row", async () => {
    const rows = report.shortened.find(({ what }) => what === "block restrict-content-pro/restrict");
    expect(Object.keys(rows?.rows ?? {}).toSorted()).toEqual(["blog.sql", "categories.sql", "products.sql"]);
    expect(report.shortened.map(({ what }) => what)).toEqual(
      expect.arrayContaining(["block core/group", "shortcode _s2If", "shortcode 2mem", "shortcode r"]),
    );
    expect(shortenedLines(report.shortened)[0]).toMatch(
      /^left out of texts, since it is hidden, not for everybody, or a frame: \d+ blocks core\/group \(in 2 rows of blog\.sql, /,
    );
    expect((await buildAgain()).shortened).toEqual(report.shortened);
    const products = rows?.rows["products.sql"] ?? 0;
    await database.run(
      `UPDATE wp_posts SET post_content = 'Plain.', post_excerpt = '' WHERE post_type = '${type}' AND post_status = 'publish' ORDER BY ID LIMIT 1`,
    );
    const changed = await buildAgain();
    const left = changed.shortened.find(({ what }) => what === "block restrict-content-pro/restrict");
    expect(left?.rows["products.sql"]).toBe(products - 1);
  });
});
