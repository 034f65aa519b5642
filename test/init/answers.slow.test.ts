/** What an owner answers to `vitrine init`, in the SQL files of known shops: categories that become public, a currency. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planInit } from "../../src/setup/init.ts";
import { vitrine } from "../support/command.ts";
import { createMariadbDatabase, MARIADB_MISSING } from "../support/mariadb.ts";
import { createPostgresDatabase, POSTGRES_MISSING } from "../support/postgres.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { temporaryFolder } from "../support/shop.ts";

const SERVERS = {
  woocommerce: { create: createMariadbDatabase, missing: MARIADB_MISSING },
  prestashop: { create: createMariadbDatabase, missing: MARIADB_MISSING },
  saleor: { create: createPostgresDatabase, missing: POSTGRES_MISSING },
};

describe.each(Object.entries(SERVERS))("%s", (name, { create, missing }) => {
  describe.skipIf(missing !== null)("with answers", () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await create();
      await database.run(readFileSync(`templates/shops/${name}/seed.sql`, "utf8"));
    });
    afterAll(() => database.close());

    it("has only the products of the chosen category, in the chosen currency", async () => {
      const project = join(temporaryFolder(), name);
      mkdirSync(project);
      const plan = await planInit({ store: database.address, folder: project });
      expect([plan.currency, plan.categories.length]).toEqual([
        expect.stringMatching(/^[A-Z]{3}$/),
        expect.any(Number),
      ]);
      expect(plan.categories.length).toBeGreaterThan(1);
      const [chosen] = plan.categories;
      const flags = ["--categories", `${chosen?.id}`, "--currency", "chf", "--yes", "--json"];
      const made = vitrine(["init", "--store", database.address, ...flags], {}, project);
      expect([made.status, made.stderr]).toEqual([0, ""]);
      const answer = (path: string) =>
        (JSON.parse(vitrine(["get", path, "--fail"], {}, project).stdout) as { readonly data: unknown }).data;
      expect(answer("/categories")).toEqual([
        expect.objectContaining({ id: chosen?.id, name: chosen?.name }),
      ]);
      expect(answer("/store")).toMatchObject({ currency: "CHF" });
      const products = answer("/products") as { category: { id: number }; currency: string }[];
      expect(new Set(products.map(({ category, currency }) => `${category.id} ${currency}`))).toEqual(
        new Set([`${chosen?.id} CHF`]),
      );
      // A server may not say of a wrapped query which column a field is: then the page calls it computed.
      const page = readFileSync(join(project, "PRIVACY.md"), "utf8");
      expect(page).toMatch(/^- (?:computed|unchanged columns): .*`products\.title/m);
      expect(vitrine(["check"], {}, project).status).toBe(0);
      // Run again without the answers, it keeps them, and adds nothing that a person took out.
      for (const file of ["PRIVACY.md", "queries/next_change.sql"]) rmSync(join(project, file));
      const again = vitrine(["init", "--yes"], {}, project);
      expect([again.status, again.stdout]).toEqual([
        0,
        expect.stringContaining("Not written: queries/next_change.sql."),
      ]);
      expect(answer("/categories")).toHaveLength(1);
      expect(answer("/store")).toMatchObject({ currency: "CHF" });
      // The page is about the files that are there.
      expect(readFileSync(join(project, "PRIVACY.md"), "utf8")).not.toContain("`next_change.sql`");
      expect(page).toContain("`next_change.sql`");
      expect(vitrine(["init", "--categories", `${chosen?.id}`, "--yes"], {}, project)).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(/--categories would change queries.(?:categories|products|store)\.sql/),
      });
    });

    it("refuses a category that the shop does not have, and names those that it has", () => {
      const project = join(temporaryFolder(), name);
      mkdirSync(project);
      const flags = ["--store", database.address, "--categories", "987654", "--yes"];
      expect(vitrine(["init", ...flags], {}, project)).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(/The shop has no public category 987654\. It has \d+ \(/),
      });
    });
  });
});
