import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { Agent, get } from "node:http";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { temporaryFolder as ownFolder } from "../../src/base/temporary-folder.ts";
import { type Catalog, openCatalog } from "../../src/catalog/catalog.ts";
import { answerTarget } from "../../src/serve/answer.ts";
import { CatalogCopy } from "../../src/serve/catalog-copy.ts";
import { fileSource } from "../../src/serve/catalog-source.ts";
import { createFallback } from "../../src/serve/fallback.ts";
import { listen, stop } from "../../src/serve/http.ts";
import { LiveCatalog } from "../../src/serve/live-catalog.ts";
import { layoutOf, type OutLayout } from "../../src/site/layout.ts";
import { startServer } from "../support/command.ts";
import { buildQuietly, DEMO_CONFIG, demoInputs, seedDemo, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const config = { ...DEMO_CONFIG, grid: { depth: 0, maxFiles: 250_000, pages: 1 } };
const ends: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
});

const TARGETS = [
  "products?sort=price_asc&per_page=100",
  "products?sort=title_desc&page=2",
  "products?search=kit",
  "products?min_price=10&max_price=60&sort=newest",
  "product?slug=invoice-kit",
  "reviews?sort=lowest&per_page=100",
  "reviews?product_slug=invoice-kit",
  "search?q=kit&per_page=100",
  "search?q=zebra",
  "categories",
  "store",
].map((target) => `/api/v1/${target}`);

type Answers = ReadonlyMap<string, string>;

function answersOf(file: string): Answers {
  const catalog = openCatalog(file);
  const answers = new Map(TARGETS.map((target) => [target, answerTarget(catalog, target).body.toString()]));
  catalog.close();
  return answers;
}

async function until(what: string, holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`Waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

interface Shop {
  readonly layout: OutLayout;
  /** Where the copies stand. */
  readonly cache: string;
  /** Changes the shop's database and builds. */
  change(sql: string): Promise<void>;
  follow(options?: FollowOptions): Promise<Followed>;
}

interface FollowOptions {
  readonly everyMilliseconds?: number;
}

interface Followed {
  current(): Catalog;
  /** Looks now. */
  look(): Promise<void>;
  close(): Promise<void>;
}

/** A server's catalog that follows a file, with its copy in a folder of its own in `cache`. */
async function followFile(file: string, cache: string, options: FollowOptions = {}): Promise<Followed> {
  const { everyMilliseconds = 50 } = options;
  const log = { info: () => {} };
  const home = await ownFolder(cache);
  const copy = await CatalogCopy.open(fileSource(file, everyMilliseconds), home.path, { log });
  const live = await LiveCatalog.open(copy.whole.file, log);
  copy.follow(live);
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    live[Symbol.dispose]();
    await copy[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  };
  ends.push(close);
  return { current: () => live.current, look: () => copy.poll(), close };
}

async function openShop(name: string): Promise<Shop> {
  const home = join(folder, name);
  const [layout, cache] = [layoutOf(join(home, "out")), join(home, "cache")];
  mkdirSync(cache, { recursive: true });
  const store = seedDemo(home);
  let minute = 0;
  const change = async (sql: string) => {
    const db = new Database(store);
    db.pragma("foreign_keys = OFF");
    db.exec(sql);
    db.close();
    const now = `2026-11-20 12:${String(minute++).padStart(2, "0")}:00`;
    await buildQuietly(demoInputs(store, join(home, "out"), { config, now, allowShrink: 1000 }));
  };
  await change(`UPDATE reviews SET body = 'A word to be withdrawn: quexotrope.' WHERE id = (${APPROVED});
    UPDATE products SET description_html = '<p>Smells of blazonberry.</p>' WHERE slug = 'invoice-kit'`);
  return {
    layout,
    cache,
    change,
    follow: (options) => followFile(layout.catalog, cache, options),
  };
}

const APPROVED = `SELECT MIN(reviews.id) FROM reviews JOIN products ON products.id = product_id
  WHERE products.slug = 'invoice-kit' AND reviews.status = 'approved'`;

const STEPS = {
  "a price": "UPDATE products SET regular_price_minor = 1234 WHERE slug = 'invoice-kit'",
  "a new product": `
    CREATE TEMP TABLE one AS SELECT * FROM products WHERE slug = 'invoice-kit';
    UPDATE one SET id = 990001, slug = 'zebra-kit', sku = 'ZEBRA', name = 'Zebra Kit';
    INSERT INTO products SELECT * FROM one;
    INSERT INTO product_categories SELECT 990001, category_id, is_primary FROM product_categories
      WHERE product_id = (SELECT id FROM products WHERE slug = 'invoice-kit')`,
  "a withdrawn review": `UPDATE reviews SET status = 'rejected' WHERE body LIKE '%quexotrope%'`,
  "a title": "UPDATE products SET name = 'Invoice Kit for Zebras' WHERE slug = 'invoice-kit'",
  "a text":
    "UPDATE products SET description_html = '<p>Plain.</p>' WHERE slug IN ('invoice-kit', 'zebra-kit')",
  "many rows": "UPDATE reviews SET rating = 6 - rating WHERE id % 2 = 0",
};

function digestOf({ layout }: Shop): string {
  const catalog = openCatalog(layout.catalog);
  catalog.close();
  return catalog.digest;
}

/** Waits until a catalog has caught up; true where it did by deltas, in the same copy. */
async function caughtUp(shop: Shop, followed: Followed, before = copiesIn(shop)): Promise<boolean> {
  const digest = digestOf(shop);
  await until("the new catalog", () => followed.current().digest === digest);
  expect(answersNow(followed)).toEqual(answersOf(shop.layout.catalog));
  followed.current().probe();
  return copiesIn(shop).join() === before.join();
}

function answersNow(followed: Followed): Answers {
  return new Map(TARGETS.map((target) => [target, answerTarget(followed.current(), target).body.toString()]));
}

function copiesIn({ cache }: Shop): string[] {
  return readdirSync(cache, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith("catalog.sqlite"),
  );
}

/** Bytes of all copies and their logs. */
function copiedBytes({ cache }: Shop): Buffer {
  const files = readdirSync(cache, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.includes("catalog.sqlite"),
  );
  return Buffer.concat(files.map((file) => readFileSync(join(cache, file))));
}

interface Seen {
  readonly target: string;
  readonly status: number | undefined;
  readonly body: string;
}

/** Asks for all targets over and over on connections that are kept; what it returns stops that and gives the responses. */
function load(url: string): () => Promise<Seen[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const seen = new Map<string, Seen>();
  let asking = true;
  const ask = (target: string) =>
    new Promise<void>((resolve, reject) => {
      const request = get(url + target, { agent }, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () => {
          const one = { target, status: response.statusCode, body: Buffer.concat(parts).toString() };
          seen.set(JSON.stringify(one), one);
          resolve();
        });
      });
      request.on("error", reject);
    });
  const clients = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (asking)
        for (const target of TARGETS) {
          await ask(target);
          // The build beside it gets the machine, too.
          await new Promise((resolve) => setTimeout(resolve, 2));
        }
    }),
  );
  return async () => {
    asking = false;
    await clients;
    agent.destroy();
    return [...seen.values()];
  };
}

describe("a fallback that follows an output folder", { timeout: 300_000 }, () => {
  it("takes up each release by its delta, and answers each request by the old catalog or by the new one", async () => {
    const shop = await openShop("series");
    const followed = await shop.follow();
    const failed: unknown[] = [];
    const ports = { access: () => {}, failed: (error: unknown) => failed.push(error) };
    const server = createFallback(() => followed.current(), ports);
    const url = await listen(server, "127.0.0.1", 0);
    expect(copiedBytes(shop).includes("quexotrope")).toBe(true);
    for (const [what, sql] of Object.entries(STEPS)) {
      const old = answersOf(shop.layout.catalog);
      const before = copiesIn(shop);
      const stopLoad = load(url);
      await shop.change(sql);
      expect(await caughtUp(shop, followed, before), what).toBe(true);
      const seen = await stopLoad();
      const fresh = answersOf(shop.layout.catalog);
      expect(seen.length).toBeGreaterThanOrEqual(TARGETS.length);
      for (const { target, status, body } of seen) {
        expect(status, `${what}: ${target}`).toBe(200);
        expect([old.get(target), fresh.get(target)], `${what}: ${target}`).toContain(body);
      }
    }
    expect(failed).toEqual([]);
    for (const word of ["quexotrope", "blazonberry"]) {
      await until(`no ${word}`, () => !copiedBytes(shop).includes(word));
      const { body } = answerTarget(followed.current(), `/api/v1/search?q=${word}`);
      expect(JSON.parse(body.toString())).toMatchObject({ data: [] });
    }
    await stop(server);
  });

  it("takes up several releases at once, of each row what the last of them says", async () => {
    const shop = await openShop("several");
    const followed = await shop.follow({ everyMilliseconds: 3_600_000 });
    const before = copiesIn(shop);
    for (const sql of Object.values(STEPS)) await shop.change(sql);
    await shop.change("DELETE FROM product_categories WHERE product_id = 990001");
    // One that changed is looked at twice.
    for (let looks = 0; looks < 2; looks++) await followed.look();
    expect(await caughtUp(shop, followed, before)).toBe(true);
  });

  /** What may be wrong with the two deltas that lead to a release. */
  const DAMAGE: Readonly<Record<string, (files: readonly string[]) => void>> = {
    "nothing is": () => {},
    "one of them is missing": ([first]) => rmSync(first as string),
    "one is garbage": ([, second]) => writeFileSync(second as string, "\u0000 no delta"),
    "one is cut off": ([, second]) => {
      const text = readFileSync(second as string, "utf8");
      writeFileSync(second as string, text.slice(0, text.length / 2));
    },
    "one has lost a row": ([, second]) => {
      const [header, , ...others] = readFileSync(second as string, "utf8").split("\n");
      writeFileSync(second as string, [header, ...others].join("\n"));
    },
    "one says it is for this catalog, and has another's rows": ([first, second]) => {
      const [header] = readFileSync(first as string, "utf8").split("\n");
      const [, ...others] = readFileSync(second as string, "utf8").split("\n");
      writeFileSync(first as string, [header, ...others].join("\n"));
    },
    "one ends the thread that applies it": ([, second]) => {
      const [header, ...others] = readFileSync(second as string, "utf8").split("\n");
      writeFileSync(second as string, [header, '["put","nothing",{"id":1}]', ...others].join("\n"));
    },
  };

  it("loads the catalog whole where its deltas do not lead there, whatever is wrong with them", async () => {
    const shop = await openShop("damage");
    const place = layoutOf(join(shop.cache, "../place"));
    mkdirSync(place.deltas, { recursive: true });
    const replace = () => {
      copyFileSync(shop.layout.catalog, `${place.catalog}.next`);
      renameSync(`${place.catalog}.next`, place.catalog);
    };
    replace();
    const followed = await followFile(place.catalog, shop.cache);
    let price = 5000;
    for (const [what, damage] of Object.entries(DAMAGE)) {
      const before = copiesIn(shop);
      for (const slug of ["invoice-kit", "invoice-kit-pro"]) {
        price += 1;
        await shop.change(`UPDATE products SET regular_price_minor = ${price} WHERE slug = 'invoice-kit';
          UPDATE reviews SET title = '${slug} ${price}' WHERE id = (${APPROVED})`);
      }
      const names = readdirSync(shop.layout.deltas).sort().slice(-2);
      for (const name of names) copyFileSync(join(shop.layout.deltas, name), join(place.deltas, name));
      damage(names.map((name) => join(place.deltas, name)));
      replace();
      expect(await caughtUp(shop, followed, before), what).toBe(what === "nothing is");
      await until("one copy alone", () => copiesIn(shop).length === 1);
    }
  });

  it("removes its copy at the end, and the next one those of fallbacks that were killed", async () => {
    const shop = await openShop("killed");
    const args = ["fallback", "--catalog", shop.layout.catalog, "--cache", shop.cache];
    const killed = await startServer(args);
    const [room] = readdirSync(shop.cache);
    killed.child.kill("SIGKILL");
    await killed.ended;
    expect(readdirSync(shop.cache)).toEqual([room]);
    const next = await startServer(args);
    // Another's copy, which is in use, stays.
    const beside = await shop.follow();
    expect(readdirSync(shop.cache)).toHaveLength(2);
    expect(readdirSync(shop.cache)).not.toContain(room);
    next.child.kill("SIGTERM");
    expect(await next.ended).toBe(0);
    await beside.close();
    expect(readdirSync(shop.cache)).toEqual([]);
  });
});
