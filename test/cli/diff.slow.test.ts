/** `vitrine diff`: a shop's changes by key and as JSON, between folders and releases. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { changeLine } from "../../src/cli/commands/diff.ts";
import { type DiffReport, diff, diffAnswer, type KeyReport } from "../../src/index.ts";
import { vitrine } from "../support/command.ts";
import { DEMO_CONFIG, seedDemo, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const [before, after] = [join(folder, "before"), join(folder, "after")];
const place = `file://${join(folder, "www")}`;
const config = join(folder, "config.json");
let store = "";

const FATES = ["priced", "renamed", "hidden", "copied", "reviewed", "featured", "moved"] as const;

interface Product {
  readonly id: number;
  readonly slug: string;
  readonly category: number;
  readonly price: number;
}
/** Each in a separate category, without a sale; named by its change. */
let products: Record<(typeof FATES)[number], Product>;

function query<Row>(file: string, sql: string): Row[] {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare<[], Row>(sql).all();
  } finally {
    db.close();
  }
}

function catalogOf(out: string): string {
  return join(out, "catalog.sqlite");
}

function run(...args: string[]): string {
  const { status, stdout, stderr } = vitrine(args);
  expect([args.join(" "), status, stderr]).toEqual([args.join(" "), 0, expect.any(String)]);
  return stdout;
}

function build(out: string): void {
  run("build", ...["--store", store, "--config", config, "--out", out, "--as-of", "2026-11-20T12:00:00Z"]);
}

/** As a script gets it; the command prints the same, see below. */
async function reportOf(from: string, to: string): Promise<DiffReport> {
  return JSON.parse(JSON.stringify(await diff({ from, to }))) as DiffReport;
}

function writeConfig(maxAgeSeconds: number): void {
  const cache = { ...DEMO_CONFIG.cache, maxAgeSeconds };
  writeFileSync(
    config,
    JSON.stringify({ ...DEMO_CONFIG, queries: resolve("templates/queries"), grid: { depth: 0 }, cache }),
  );
}

function chooseProducts(): void {
  const rows = query<Product>(
    catalogOf(before),
    `SELECT MIN(id) AS id, slug, price, json ->> '$.category.id' AS category FROM product JOIN product_list USING (id)
     WHERE status = 'published' AND json ->> '$.sale_price' IS NULL
     GROUP BY product.category ORDER BY id LIMIT ${FATES.length}`,
  );
  expect(rows.length).toBe(FATES.length);
  products = Object.fromEntries(FATES.map((fate, at) => [fate, rows[at]])) as typeof products;
}

/** What the shop's owner does between the two builds. */
function changeShop(): void {
  const { priced, renamed, hidden, copied, reviewed, featured, moved } = products;
  const db = new Database(store);
  db.pragma("foreign_keys = OFF");
  db.exec(`UPDATE products SET regular_price_minor = regular_price_minor + 700 WHERE id = ${priced.id};
    UPDATE products SET name = 'Renamed Kit' WHERE id = ${renamed.id};
    UPDATE products SET status = 'draft' WHERE id = ${hidden.id};
    UPDATE products SET featured = 1 - featured WHERE id = ${featured.id};
    CREATE TEMP TABLE copy AS SELECT * FROM products WHERE id = ${copied.id};
    UPDATE copy SET id = 900001, slug = 'brand-new-kit', name = 'Brand New Kit';
    INSERT INTO products SELECT * FROM copy;
    INSERT INTO product_categories
      SELECT 900001, category_id, is_primary FROM product_categories WHERE product_id = ${copied.id};
    DELETE FROM product_categories WHERE product_id = ${moved.id};
    INSERT INTO product_categories VALUES (${moved.id}, ${copied.category}, 1);
    UPDATE categories SET name = 'Odds and Ends' WHERE id = ${reviewed.category};
    INSERT INTO reviews (id, product_id, rating, title, helpful_count, created_at, updated_at, status)
      VALUES (900001, ${reviewed.id}, 1, 'Hm', 0, '2026-11-01 10:00:00', '2026-11-01 10:00:00', 'approved');`);
  db.close();
}

beforeAll(() => {
  store = seedDemo(folder);
  writeConfig(60);
  build(before);
  run("publish", "--to", place, "--out", before);
  chooseProducts();
  changeShop();
  writeConfig(90);
  build(after);
  run("publish", "--to", place, "--out", after);
});

describe("vitrine diff", () => {
  it("lists the files that differ, by their paths", () => {
    const files = (out: string) =>
      new Map(
        query<{ key: string; etag: string }>(join(out, "manifest.sqlite"), "SELECT key, etag FROM file").map(
          ({ key, etag }) => [key, etag],
        ),
      );
    const [old, now] = [files(before), files(after)];
    const expected = [...new Set([...old.keys(), ...now.keys()])]
      .filter((key) => old.get(key) !== now.get(key))
      .sort()
      .map((key) => `${!old.has(key) ? "new" : !now.has(key) ? "gone" : "changed"} ${key}`);
    const [counts, ...lines] = run("diff", before, after).trimEnd().split("\n");
    expect(lines).toEqual(expected);
    expect(counts).toMatch(/^\d+ new, \d+ changed, \d+ gone, [\d,]+ the same$/);
    expect(expected).toContain(`new api/v1/product/slug=brand-new-kit.json`);
    expect(expected).toContain(`gone api/v1/product/slug=${products.hidden.slug}.json`);
  });

  it("says that nothing differs", () => {
    expect(run("diff", after, after, "--exit-code")).toBe("nothing differs\n");
    expect(run("diff", after, place, "--exit-code")).toBe("nothing differs\n");
  });

  it("exits with 0 on differences as git diff does, and with 4 if --exit-code is given", () => {
    expect(vitrine(["diff", before, after])).toMatchObject({ status: 0, stderr: "" });
    const asked = vitrine(["diff", before, after, "--exit-code"]);
    expect(asked.status).toBe(4);
    expect(asked.stderr).toContain(`error: check_failed: ${before} and ${after} differ.\n`);
    expect(asked.stdout).toContain("new api/v1/product/slug=brand-new-kit.json");
    const key = ["--key", `api/v1/product/slug=${products.priced.slug}.json`];
    expect(vitrine(["diff", before, after, ...key, "--exit-code"])).toMatchObject({ status: 4 });
  });
});

describe("the two sides", () => {
  it("may be folders or releases", async () => {
    const folders = await reportOf(before, after);
    const releases = await reportOf(`${place}#00000001`, place);
    expect(releases.from.release).toMatch(/^00000001-/);
    expect(releases.to.release).toMatch(/^00000002-/);
    const { from, to, ...rest } = releases;
    const { from: _from, to: _to, ...same } = folders;
    expect(rest).toEqual(same);
    expect((await reportOf(`${place}#00000002`, after)).same).toBe(true);
    expect((await reportOf(`${place}#`, after)).same).toBe(true);
  });

  it("are reported if one is missing or cannot be compared", () => {
    const failed = (...args: string[]) => {
      const { status, stdout, stderr } = vitrine(["diff", ...args]);
      expect(stdout).toBe("");
      return [status, stderr];
    };
    expect(failed(`${place}#00000007`, after)).toEqual([
      2,
      expect.stringContaining("matches none of the kept releases"),
    ]);
    expect(failed(`${place}#0000000`, after)).toEqual([
      2,
      expect.stringContaining("matches several of the kept releases"),
    ]);
    expect(failed(join(folder, "none"), after)).toEqual([
      4,
      expect.stringContaining("There is no snapshot in"),
    ]);
    expect(failed(folder, after)).toEqual([4, expect.stringContaining("There is no snapshot in")]);
    expect(existsSync(join(folder, ".lock"))).toBe(false);
    expect(failed(`file://${folder}/nowhere`, after)).toEqual([
      2,
      expect.stringContaining("Nothing was published"),
    ]);
    expect(failed(before)).toEqual([2, expect.stringContaining("vitrine diff needs <after>.")]);
  });
});

describe("the answer of one key", () => {
  function changesOf(key: string): KeyReport["changes"] {
    return (JSON.parse(run("diff", before, place, "--key", key, "--json")) as KeyReport).changes;
  }

  it("lists each changed path with its values before and after", () => {
    const { slug, price } = products.priced;
    const changes = changesOf(`api/v1/product/slug=${slug}.json`);
    expect(changes).toContainEqual({ path: "data.price", before: price, after: price + 7 });
    expect(changes.map(({ path }) => path.replace("extended", "current"))).toEqual(
      expect.arrayContaining(["data.price", "data.pricing.regular", "data.pricing.current"]),
    );
    const text = run("diff", before, after, "--key", `api/v1/product/slug=${slug}.json`);
    expect(text.split("\n")).toContain(`data.price: ${price} → ${price + 7}`);
  });

  it("matches records of a list by their id", () => {
    const changes = changesOf("api/v1/reviews/sort=lowest/page=1.json");
    const added = changes.filter(({ path }) => path === "data[id=900001]");
    expect(added).toEqual([{ path: "data[id=900001]", after: expect.objectContaining({ title: "Hm" }) }]);
    expect(changes.some(({ path }) => path === "pagination.total")).toBe(true);
    expect(changes.length).toBeLessThan(20);
  });

  it("may be new or gone as a whole", () => {
    const { slug } = products.hidden;
    expect(changesOf("api/v1/product/slug=brand-new-kit.json")).toEqual([
      { path: "", after: { success: true, data: expect.objectContaining({ title: "Brand New Kit" }) } },
    ]);
    const [gone] = changesOf(`api/v1/product/slug=${slug}.json`);
    expect(gone).toMatchObject({ path: "", before: { data: { slug } } });
    expect(run("diff", before, after, "--key", `api/v1/product/slug=${slug}.json`)).toMatch(/^- \{"success"/);
  });

  it("does not differ by the time of a build", () => {
    expect(run("diff", before, after, "--key", "api/v1/store.json", "--exit-code")).toBe("nothing differs\n");
  });

  it.each(["api/v1/products.json", "api/v1/products/page=abc.json", "products", "widgets/reviews.js"])(
    "is refused for %s, which is not the key of an answer",
    (key) => {
      const { status, stderr } = vitrine(["diff", before, after, "--key", key]);
      expect([status, stderr]).toEqual([2, expect.stringContaining("is not the key of an answer")]);
    },
  );

  it("is refused if neither side has it", () => {
    const { status, stderr } = vitrine(["diff", before, after, "--key", "api/v1/product/slug=none.json"]);
    expect([status, stderr]).toEqual([2, expect.stringContaining("has an answer for")]);
  });
});

describe("from a script", () => {
  it("returns what the command prints as JSON, and leaves no files behind", async () => {
    const printed = JSON.parse(run("diff", `${place}#00000001`, after, "--json"));
    vi.stubEnv("TMPDIR", mkdtempSync(join(tmpdir(), "vitrine-diff-")));
    const report = await diff({ from: `${place}#00000001`, to: after });
    expect(report).toEqual(printed);
    expect(report.keys.length).toBeGreaterThan(10);
    const key = `api/v1/product/slug=${products.renamed.slug}.json`;
    const { changes } = await diffAnswer({ from: before, to: place, key });
    expect(changes).toContainEqual({
      path: "data.title",
      before: expect.any(String),
      after: "Renamed Kit",
    });
    await expect(diff({ from: before, to: `${place}#none` })).rejects.toMatchObject({ code: "usage" });
    expect(readdirSync(tmpdir())).toEqual([]);
    rmSync(tmpdir(), { recursive: true });
  });
});

it("escapes terminal control characters", () => {
  const line = changeLine({ path: "data.title", before: "a\u001b[2J", after: "\u202egnp" });
  expect(line).toBe('data.title: "a\\u001b[2J" → "\\u202egnp"');
});
