import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, describe, expect, it } from "vitest";
import { AUTO, type PublicConfig } from "../../src/api/config.ts";
import { publishFolder as publish } from "../../src/pipeline/publish.ts";
import { openRemembered, type Remembered, saveRemembered } from "../../src/pipeline/remembered.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { type WalkStep, walk } from "../support/edit-walk.ts";
import { buildQuietly, DEMO_CONFIG, demoInputs, seedSmall, temporaryFolder } from "../support/shop.ts";

/** The threshold of `grid.pages: "auto"`, small enough for the demo in the tests that need it. */
const usual = { ...AUTO };
afterEach(() => {
  Object.assign(AUTO, usual);
});

const folder = temporaryFolder();

function seedDemoIn(home: string): string {
  rmSync(home, { recursive: true, force: true });
  cpSync(SEED, join(home, "store.sqlite"));
  return join(home, "store.sqlite");
}

const SEED = seedSmall(folder);

const isPart = ({ work }: WalkStep) => work === "part";

/** The demo's allow-list in other forms, with so few names that most slugs clash. */
function queriesInForms(): string {
  const queries = join(folder, "forms");
  cpSync("templates/queries", queries, { recursive: true });
  const change = (name: string, ...changes: (readonly [string, string])[]) => {
    const file = join(queries, `${name}.sql`);
    const sql = changes.reduce((text, [from, to]) => text.replace(from, to), readFileSync(file, "utf8"));
    writeFileSync(file, sql);
  };
  change(
    "products",
    [
      "p.slug AS slug,",
      "SUBSTR(p.sku, 1, 2) || (COALESCE(p.regular_price_minor, 0) % 4) || ' ' || (LENGTH(p.name) % 9) AS slug_source,",
    ],
    [
      "COALESCE(p.regular_price_minor, 0) AS price_minor",
      "COALESCE(p.regular_price_minor, 0) / 100.0 AS price",
    ],
    ["AS description_html", "AS description_text"],
    ["p.name AS title,", "p.name AS title_html,"],
    ["p.created_at AS created_at", "unixepoch(p.created_at) AS created_at"],
  );
  change(
    "blog",
    ["b.slug AS slug", "SUBSTR(b.title, 1, 3) AS slug_source"],
    ["AS content_html", "AS content_markdown"],
  );
  return queries;
}

describe("a build of what changed", { timeout: 900_000 }, () => {
  const steps = Number(process.env["EDIT_STEPS"] ?? 8);
  const walkDemo = (seed: number, config: PublicConfig, queries = "templates/queries") => {
    const home = join(folder, String(seed));
    return walk({ home, file: seedDemoIn(home), seed, steps, config, queries });
  };
  const seed = Number(process.env["EDIT_SEED"] ?? 1);

  it("equals a build from scratch after each of many random edits at the limit, where families appear and disappear, and writes only what differs", async () => {
    const walked = await walkDemo(seed, { ...DEMO_CONFIG, grid: { depth: 1, maxFiles: 440 } });
    expect(walked.filter(isPart).length).toBeGreaterThan(steps / 3);
  });

  it("equals it with few pages of several sizes also if slugs are generated and one product takes over another's", async () => {
    const config: PublicConfig = {
      ...DEMO_CONFIG,
      grid: { depth: 0, maxFiles: 15_000, pages: 2 },
      pageSizes: [20, 50],
    };
    const walked = await walkDemo(seed, config, queriesInForms());
    expect(walked.filter(isPart).length).toBeGreaterThan(steps / 3);
  });

  it('equals a build from scratch while a grid with "auto" crosses the limit for all pages, and comes back', async () => {
    const config: PublicConfig = { ...DEMO_CONFIG, grid: { depth: 1, maxFiles: 250_000, pages: "auto" } };
    const first = await buildQuietly(demoInputs(SEED, join(folder, "auto"), { config }));
    Object.assign(AUTO, { files: first.files, pages: 2 });
    const walked = await walkDemo(5, config);
    expect(walked.filter(isPart).length).toBeGreaterThan(steps / 3);
    expect([...new Set(walked.map(({ isDeep }) => isDeep))].sort()).toEqual([false, true]);
  });

  it("is not refused if one more product removes all deep pages, nor is its publish; one less restores them", async () => {
    const home = join(folder, "over");
    const store = seedDemoIn(home);
    const [out, to] = [join(home, "out"), `file://${join(home, "live")}`];
    const config: PublicConfig = {
      ...DEMO_CONFIG,
      endpoints: ["products", "product"],
      grid: { depth: 0, maxFiles: 250_000 },
      pageSizes: [2],
    };
    const make = async (minute: number, visibility: string) => {
      const db = new Database(store);
      db.prepare("UPDATE products SET visibility = ? WHERE id = 3").run(visibility);
      db.close();
      const now = `2026-11-20 12:0${minute}:00`;
      const report = await buildQuietly(demoInputs(store, out, { config, now }));
      const { counts } = await publish({ to, out });
      return { ...report, published: counts.deleted };
    };
    const { files } = await make(0, "hidden");
    Object.assign(AUTO, { files, pages: 1 });
    const over = await make(1, "visible");
    expect(over).toMatchObject({ work: "part", published: over.deleted });
    expect(over.deleted).toBeGreaterThan(files / 2);
    expect(await make(2, "hidden")).toMatchObject({ work: "part", files, leftToFallback: [] });
  });
});

describe("a change that the store's file did not show", { timeout: 300_000 }, () => {
  const out = join(folder, "missed");
  const store = join(folder, "missed.sqlite");
  const inputs = (minute: number, change: object = {}) =>
    demoInputs(store, out, {
      config: { ...DEMO_CONFIG, grid: { depth: 0, maxFiles: 250_000 } },
      now: `2026-11-20 12:0${minute}:00`,
      ...change,
    });
  const titleOf = (id: number) =>
    JSON.parse(readFileSync(join(out, `site/api/v1/product/id=${id}.json`), "utf8")).data.title;

  /** Makes a build remember rows that it has not made: those of another build, which has made them. */
  function forge(other: string): void {
    const { readings } = layoutOf(out);
    const remembered = openRemembered(readings) as Remembered;
    const { memories } = openRemembered(layoutOf(other).readings) as Remembered;
    saveRemembered(readings, { ...remembered, memories });
  }

  function rename(id: number, title: string): void {
    const db = new Database(store);
    db.prepare("UPDATE products SET name = ? WHERE id = ?").run(title, id);
    db.close();
  }

  it("is found by a full build even if the remembered digests say that nothing changed", async () => {
    cpSync(SEED, store);
    await buildQuietly(inputs(3));
    rename(3, "Nor did anybody see this");
    const other = join(folder, "other");
    await buildQuietly(inputs(4, { out: other }));
    forge(other);
    expect(await buildQuietly(inputs(5, { full: true }))).toMatchObject({ work: "whole" });
    expect(titleOf(3)).toBe("Nor did anybody see this");
    expect(await buildQuietly(inputs(7))).toMatchObject({ work: "none" });
  });
});
