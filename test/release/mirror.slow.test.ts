/** A mirror: a copy that follows a shop's public files, through publishes, failures and lies. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { PublicConfig } from "../../src/api/config.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { cleanHtml } from "../../src/extract/html.ts";
import { publicSource } from "../../src/release/public-source.ts";
import { answerTarget } from "../../src/serve/answer.ts";
import { CatalogCopy } from "../../src/serve/catalog-copy.ts";
import { followReleases } from "../../src/serve/catalog-source.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { openPublicShop, type PublicShop, shortDigestOf } from "../support/public-shop.ts";
import {
  buildQuietly,
  demoInputs,
  readTree,
  SMALL_CONFIG,
  seedDemo,
  temporaryFolder,
} from "../support/shop.ts";
import { SimulatedClock } from "../support/simulated-clock.ts";
import { until } from "../support/until.ts";

const folder = temporaryFolder();
const CONFIG: PublicConfig = {
  ...SMALL_CONFIG,
  grid: { depth: 0, maxFiles: 250_000, pages: 1 },
  feeds: { bulk: true },
};
const INDEX = "bulk/index.json";

interface Moment {
  readonly files: Map<string, Buffer>;
  readonly catalog: string;
  readonly digest: string;
}

const moments: Moment[] = [];
let shop: PublicShop;
const said: string[] = [];

beforeAll(async () => {
  const home = mkdtempSync(join(folder, "shop-"));
  const store = seedDemo(home);
  const out = layoutOf(join(home, "out"));
  const edits = [
    // A few of what a mirror only carries along.
    `DELETE FROM reviews WHERE id % 10 > 0; DELETE FROM review_replies; DELETE FROM posts WHERE id > 20;
     DELETE FROM threads WHERE id > 5; DELETE FROM blog_posts WHERE id > 5; DELETE FROM releases WHERE id % 10 > 0`,
    "UPDATE products SET regular_price_minor = regular_price_minor + 100 WHERE slug = 'invoice-kit'",
    `UPDATE products SET visibility = 'hidden' WHERE id % 7 = 0;
     UPDATE categories SET name = name || '!' WHERE id = 2;
     UPDATE products SET slug = 'invoice-kit-old' WHERE slug = 'invoice-kit';
     UPDATE products SET slug = 'invoice-kit' WHERE id = (SELECT MAX(id) FROM products WHERE visibility = 'visible')`,
  ];
  for (const [at, sql] of edits.entries()) {
    const db = new Database(store);
    db.pragma("foreign_keys = OFF");
    db.exec(sql);
    db.exec(`VACUUM INTO '${join(home, `${at}.store`)}'`);
    db.close();
    const now = `2026-11-20 12:0${at}:00`;
    await buildQuietly(demoInputs(store, join(home, "out"), { config: CONFIG, now, allowShrink: 1000 }));
    const catalog = join(home, `${at}.sqlite`);
    const built = new Database(out.catalog);
    built.exec(`VACUUM INTO '${catalog}'`);
    built.close();
    const opened = openCatalog(catalog);
    const files = new Map([...readTree(out.site)].filter(([key]) => key.startsWith("bulk/")));
    moments.push({ files, catalog, digest: opened.digest });
    opened.close();
  }
  shop = await openPublicShop();
});

function moment(at: number): Moment {
  const found = moments[at];
  if (found === undefined) throw new Error("There is no such moment");
  return found;
}

function show(at: number): void {
  shop.files = new Map(moment(at).files);
  shop.answer = null;
  shop.asked.length = 0;
}

const ends: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
});
beforeEach(() => {
  said.length = 0;
  show(0);
});

/** `copyClock`: the copy polls only when it is asked to. `clock`: of the requests. */
async function mirror(
  home = mkdtempSync(join(folder, "mirror-")),
  { copyClock = new SimulatedClock(), clock = SimulatedClock.thatPasses() } = {},
) {
  const log = { info: (line: string) => said.push(line), warn: (line: string) => said.push(line) };
  const source = publicSource(shop.base, { clean: (html) => cleanHtml(html).html, log, clock });
  const copy = await CatalogCopy.open(followReleases(source), home, { log, clock: copyClock });
  const close = async () => {
    await copy[Symbol.asyncDispose]();
    source[Symbol.dispose]();
  };
  ends.push(close);
  return { home, look: () => copy.poll(), close, file: () => copy.file ?? "" };
}

const TARGETS = [
  "products?sort=rating&per_page=100",
  "product?slug=invoice-kit",
  "search?q=kit",
  "faqs",
  "store",
];

function expectAt(file: string, at: number): void {
  const [mine, theirs] = [openCatalog(file), openCatalog(moment(at).catalog)];
  expect(mine.digest).toBe(theirs.digest);
  for (const target of TARGETS) {
    const answers = [mine, theirs].map((catalog) => {
      const { data, pagination } = JSON.parse(answerTarget(catalog, `/api/v1/${target}`).body.toString());
      return { data, pagination };
    });
    expect(answers[0], target).toEqual(answers[1]);
  }
  mine.close();
  theirs.close();
}

/** Requested partitions, without the index. */
function partitionsAsked(): string[] {
  return shop.asked.filter((key) => key !== INDEX).sort();
}

describe("a mirror", () => {
  it("has the shop's records, and fetches only what changed", async () => {
    const own = await mirror();
    expectAt(own.file(), 0);
    const all = [...moment(0).files.keys()].filter((key) => key !== INDEX).sort();
    expect(partitionsAsked()).toEqual(all);
    show(1);
    await own.look();
    expectAt(own.file(), 1);
    expect(shop.asked).toEqual([INDEX, expect.stringMatching(/^bulk\/product\/[01]\.ndjson\.gz$/)]);
    shop.asked.length = 0;
    await own.look();
    expect(shop.asked).toEqual([INDEX]);
    show(2);
    await own.look();
    expectAt(own.file(), 2);
    show(0);
    await own.look();
    expectAt(own.file(), 0);
    // The time at which the shop changed, not at which it was checked.
    using catalog = openCatalog(own.file());
    expect(catalog.generatedAt).toBe("2026-11-20T12:00:00+00:00");
  });

  it("continues an interrupted fetch", async () => {
    const home = mkdtempSync(join(folder, "cut-"));
    shop.answer = (_, __, response) => {
      if (shop.asked.length <= 5) return false;
      response.destroy();
      return true;
    };
    await expect(mirror(home)).rejects.toMatchObject({ code: "remote_failed" });
    const before = new Set(shop.asked.slice(1, 5));
    show(0);
    const own = await mirror(home);
    expectAt(own.file(), 0);
    expect(partitionsAsked().filter((key) => before.has(key))).toEqual([]);
  });

  it("keeps its fetched files when the shop publishes meanwhile", async () => {
    const home = mkdtempSync(join(folder, "meanwhile-"));
    const isSame = (key: string) =>
      moment(0)
        .files.get(key)
        ?.equals(moment(1).files.get(key) ?? Buffer.alloc(0));
    shop.answer = (key) => {
      if (key !== INDEX && isSame(key) === false) shop.files = new Map(moment(1).files);
      return false;
    };
    await expect(mirror(home)).rejects.toMatchObject({ code: "remote_stale" });
    show(1);
    const own = await mirror(home);
    expectAt(own.file(), 1);
    expect(partitionsAsked().length).toBeLessThan(moment(1).files.size - 1);
  });

  it("keeps answering while the shop cannot be reached, also after a restart", async () => {
    const own = await mirror();
    show(1);
    shop.answer = (_, __, response) => {
      response.writeHead(500).end();
      return true;
    };
    await expect(own.look()).rejects.toMatchObject({ code: "remote_failed" });
    expectAt(own.file(), 0);
    await own.close();
    const again = await mirror(own.home);
    expectAt(again.file(), 0);
    show(1);
    await again.look();
    expectAt(again.file(), 1);
    expect(partitionsAsked()).toHaveLength(1);
  });

  it("serves its copy five seconds after it was started while the shop does not answer, and ends in two", async () => {
    const { home, close } = await mirror();
    await close();
    let isAsked = false;
    shop.answer = () => {
      isAsked = true;
      return true;
    };
    const clock = new SimulatedClock();
    let own: Awaited<ReturnType<typeof mirror>> | undefined;
    const opening = mirror(home, { copyClock: clock, clock }).then((opened) => {
      own = opened;
    });
    await until("it asks", () => isAsked);
    await clock.pass(4999);
    expect(own).toBeUndefined();
    await clock.pass(1);
    await opening;
    expectAt(own?.file() ?? "", 0);
    const closing = own?.close();
    await clock.pass(2000);
    await closing;
  });

  it("fetches nothing after a restart if nothing changed", async () => {
    const own = await mirror();
    await own.close();
    show(0);
    const again = await mirror(own.home);
    expectAt(again.file(), 0);
    expect(shop.asked).toEqual([INDEX]);
  });

  describe("that gets wrong records", () => {
    let own: Awaited<ReturnType<typeof mirror>>;
    beforeAll(async () => {
      show(0);
      own = await mirror();
    });

    it.each([
      ["has another field", (record: object) => ({ ...record, password_hash: "x" })],
      ["has another type", (record: object) => ({ ...record, price: "free" })],
      ["has an address that runs", (record: object) => ({ ...record, image: "javascript:steal()" })],
      ["is of another partition", (record: { id?: number }) => ({ ...record, id: (record.id ?? 0) + 1 })],
      ["has no id", ({ id: _, ...record }: { id?: number }) => record],
    ])("is unchanged if a record %s", async (_, change) => {
      show(1);
      const key = "bulk/product/0.ndjson.gz";
      const [line = "", ...others] = gunzipSync(shop.files.get(key) ?? "")
        .toString()
        .trimEnd()
        .split("\n");
      const bytes = gzipSync(`${[JSON.stringify(change(JSON.parse(line))), ...others].join("\n")}\n`);
      shop.files.set(key, bytes);
      const index = JSON.parse(shop.files.get(INDEX)?.toString() ?? "") as { lists: { product: string[] } };
      index.lists.product[0] = shortDigestOf(bytes);
      shop.files.set(INDEX, Buffer.from(JSON.stringify(index)));
      await expect(own.look()).rejects.toMatchObject({ code: "remote_invalid" });
      expectAt(own.file(), 0);
      shop.asked.length = 0;
      await expect(own.look()).rejects.toMatchObject({ code: "remote_invalid" });
      expect(shop.asked).toEqual([INDEX]);
    });

    it("follows the shop again when it shows right ones", async () => {
      show(1);
      await own.look();
      expectAt(own.file(), 1);
    });
  });
});
