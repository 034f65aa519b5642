import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VitrineError } from "../../src/base/error.ts";
import { temporaryFolder as ownFolder } from "../../src/base/temporary-folder.ts";
import { type Catalog, openCatalog } from "../../src/catalog/catalog.ts";
import { answerTarget } from "../../src/serve/answer.ts";
import { CatalogCopy } from "../../src/serve/catalog-copy.ts";
import { type CatalogSource, fileSource, followReleases } from "../../src/serve/catalog-source.ts";
import { createFallback } from "../../src/serve/fallback.ts";
import { listen, stop } from "../../src/serve/http.ts";
import { LiveCatalog } from "../../src/serve/live-catalog.ts";
import { layoutOf, type OutLayout } from "../../src/site/layout.ts";
import { startServer } from "../support/command.ts";
import { type MemoryRelease, type MemorySource, memorySource, releaseOf } from "../support/memory-source.ts";
import { buildQuietly, DEMO_CONFIG, demoInputs, seedSmall, temporaryFolder } from "../support/shop.ts";
import { SimulatedClock } from "../support/simulated-clock.ts";
import { until } from "../support/until.ts";

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

interface Shop {
  readonly layout: OutLayout;
  /** The folder of the copies. */
  readonly cache: string;
  /** Changes the shop's database and builds. */
  change(sql: string): Promise<void>;
  follow(): Promise<Followed>;
  /** Follows releases of the shop's catalogs; the next follower finds the copy again. */
  followReleases(): Promise<FollowedReleases>;
}

interface Followed {
  /** The time of its polls. */
  readonly clock: SimulatedClock;
  current(): Catalog;
  /** Looks now. */
  look(): Promise<void>;
  close(): Promise<void>;
}

interface FollowedReleases extends Followed {
  readonly source: MemorySource;
  /** Makes the shop's catalog the live release. */
  publish(): MemoryRelease;
}

const log = { info: () => {}, warn: () => {} };

async function followSource(source: CatalogSource, home: string, cleanUp: () => PromiseLike<void>) {
  const clock = new SimulatedClock();
  const copy = await CatalogCopy.open(source, home, { log, clock });
  const live = await LiveCatalog.open(copy.file, log);
  copy.follow(live);
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    live[Symbol.dispose]();
    await copy[Symbol.asyncDispose]();
    await cleanUp();
  };
  ends.push(close);
  return { clock, current: () => live.current, look: () => copy.poll(), close };
}

/** A server's catalog that follows a file, with its copy in a new folder in `cache`. */
async function followFile(file: string, cache: string): Promise<Followed> {
  const home = await ownFolder(cache);
  return followSource(fileSource(file), home.path, () => home[Symbol.asyncDispose]());
}

/** Changes the database of a shop's folder and builds. */
async function changeAndBuild(home: string, minute: number, sql: string): Promise<void> {
  const store = join(home, "store.sqlite");
  const db = new Database(store);
  db.pragma("foreign_keys = OFF");
  db.exec(sql);
  db.close();
  const now = `2026-11-20 12:${String(minute).padStart(2, "0")}:00`;
  await buildQuietly(demoInputs(store, join(home, "out"), { config, now, allowShrink: 1000 }));
}

/** A shop's folder after its first build, which each shop has a copy of. */
const built = join(folder, "built");
beforeAll(async () => {
  mkdirSync(join(built, "cache"), { recursive: true });
  seedSmall(built);
  await changeAndBuild(
    built,
    0,
    `UPDATE reviews SET body = 'A word to be withdrawn: quexotrope.' WHERE id = (${APPROVED});
    UPDATE products SET description_html = '<p>Smells of blazonberry.</p>' WHERE slug = 'invoice-kit'`,
  );
});

function openShop(name: string): Shop {
  const home = join(folder, name);
  const [layout, cache] = [layoutOf(join(home, "out")), join(home, "cache")];
  cpSync(built, home, { recursive: true, preserveTimestamps: true });
  let minute = 1;
  const change = (sql: string) => changeAndBuild(home, minute++, sql);
  return {
    layout,
    cache,
    change,
    follow: () => followFile(layout.catalog, cache),
    async followReleases() {
      const source = memorySource(releaseOf(layout.catalog), 1000);
      const publish = () => {
        const release = releaseOf(layout.catalog);
        source.release = release;
        return release;
      };
      const followed = await followSource(followReleases(source), cache, async () => undefined);
      return { ...followed, source, publish };
    },
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

/** Waits until a catalog has caught up; true if it did so in the same copy. */
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
  return Buffer.concat(
    files.map((file) => {
      try {
        return readFileSync(join(cache, file));
      } catch {
        // SQLite has deleted the log meanwhile.
        return Buffer.alloc(0);
      }
    }),
  );
}

interface Seen {
  readonly target: string;
  readonly status: number | undefined;
  readonly body: string;
}

/** Requests all targets over and over on persistent connections; the returned function stops that and returns the responses. */
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
          // Leave the machine to the build, too.
          await new Promise((resolve) => setTimeout(resolve, 50));
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

const HOUR = 3_600_000;

/** Lets it poll by itself twice: it looks twice at a changed file. */
async function polls({ clock }: Followed): Promise<void> {
  for (let count = 0; count < 2; count++) {
    await until("the pause between two polls", () => clock.waiting === 1);
    await clock.pass(60_000);
  }
  await until("the pause after the polls", () => clock.waiting === 1);
}

/** Follows through all steps under load: each request is answered from the old or from the new catalog. */
async function followSteps(shop: Shop, followed: Followed, publish: () => void): Promise<void> {
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
    publish();
    await polls(followed);
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
  // It removes them from unused bytes within an hour.
  await followed.clock.pass(HOUR);
  await polls(followed);
  for (const word of ["quexotrope", "blazonberry"]) {
    await until(`no ${word}`, () => !copiedBytes(shop).includes(word));
    const { body } = answerTarget(followed.current(), `/api/v1/search?q=${word}`);
    expect(JSON.parse(body.toString())).toMatchObject({ data: [] });
  }
  await stop(server);
}

describe("a fallback that follows an output folder", { timeout: 300_000 }, () => {
  it("takes up each build by its differences, and answers each request from the old or from the new catalog", async () => {
    const shop = openShop("series");
    await followSteps(shop, await shop.follow(), () => undefined);
  });

  it("takes up several builds at once", async () => {
    const shop = openShop("several");
    const followed = await shop.follow();
    const before = copiesIn(shop);
    for (const sql of Object.values(STEPS)) await shop.change(sql);
    await shop.change("DELETE FROM product_categories WHERE product_id = 990001");
    // A changed file is looked at twice.
    for (let looks = 0; looks < 2; looks++) await followed.look();
    expect(await caughtUp(shop, followed, before)).toBe(true);
  });

  it.each([
    [
      "puts a row again whose digest is wrong",
      "UPDATE product_digest SET list = randomblob(16) WHERE id = 1",
      true,
    ],
    [
      "copies the catalog again if no difference explains it",
      "INSERT INTO product_digest VALUES (9999, randomblob(16), NULL)",
      false,
    ],
  ])("%s in its copy", async (_, spoil, isSameCopy) => {
    const shop = openShop(isSameCopy ? "wrong" : "spoilt");
    const followed = await shop.follow();
    const before = copiesIn(shop);
    const db = new Database(join(shop.cache, before[0] ?? ""));
    db.exec(spoil);
    db.close();
    await shop.change(STEPS["a price"]);
    await polls(followed);
    expect(await caughtUp(shop, followed, before)).toBe(isSameCopy);
    await until("one copy alone", () => copiesIn(shop).length === 1);
  });

  it("removes its copy at the end, and the next one removes those of killed fallbacks", async () => {
    const shop = openShop("killed");
    const args = ["fallback", "--catalog", shop.layout.catalog, "--cache", shop.cache];
    const killed = await startServer(args);
    const [room] = readdirSync(shop.cache);
    killed.child.kill("SIGKILL");
    await killed.ended;
    expect(readdirSync(shop.cache)).toEqual([room]);
    const next = await startServer(args);
    // Another process's copy, which is in use, stays.
    const beside = await shop.follow();
    expect(readdirSync(shop.cache)).toHaveLength(2);
    expect(readdirSync(shop.cache)).not.toContain(room);
    next.child.kill("SIGTERM");
    expect(await next.ended).toBe(0);
    await beside.close();
    expect(readdirSync(shop.cache)).toEqual([]);
  });
});

function changedPartitions(before: MemoryRelease, { lists }: MemoryRelease) {
  const all = Object.entries(lists).flatMap(([resource, names]) =>
    names.map((name, partition) => ({ resource, partition, name })),
  );
  const known = new Set(before.objects.keys());
  return all.filter(({ name }) => name !== null && !known.has(name));
}

describe("a fallback that follows releases", { timeout: 300_000 }, () => {
  const presentFile = ({ cache }: Shop) => join(cache, "present.json");

  /** Follows, then closes, and changes a price, which the next one finds. */
  async function left(name: string): Promise<Shop> {
    const shop = openShop(name);
    await (await shop.followReleases()).close();
    await shop.change(STEPS["a price"]);
    return shop;
  }

  it("takes up each by the partitions that differ, and answers each request from the old or from the new catalog", async () => {
    const shop = openShop("releases");
    const followed = await shop.followReleases();
    expect(followed.source.reads).toBe(releaseOf(shop.layout.catalog).objects.size);
    await followSteps(shop, followed, () => followed.publish());
  });

  it("reads only what differs, and nothing of a release with the same catalog", async () => {
    const shop = openShop("reads");
    const followed = await shop.followReleases();
    followed.source.reads = 0;
    await shop.change(STEPS["a price"]);
    followed.publish();
    await followed.look();
    expect(await caughtUp(shop, followed)).toBe(true);
    expect(followed.source.reads).toBe(1);
    followed.source.release = { ...followed.source.release, id: "another", version: "another" };
    await followed.look();
    expect(followed.source.reads).toBe(1);
  });

  it("continues with its copy after a restart", async () => {
    const shop = await left("restarted");
    const before = copiesIn(shop);
    const next = await shop.followReleases();
    expect(next.source.reads).toBe(1);
    expect(await caughtUp(shop, next, before)).toBe(true);
  });

  it("starts with its copy while the source is unreachable", async () => {
    const shop = await left("unreachable");
    const source = memorySource(releaseOf(shop.layout.catalog));
    source.find = async () => {
      throw new VitrineError("remote_failed", "It is away.");
    };
    const followed = await followSource(followReleases(source), shop.cache, async () => undefined);
    expect(answersNow(followed).get("/api/v1/products?search=kit")).toContain('"success":true');
    await expect(followed.look()).rejects.toThrow("It is away.");
  });

  it.each<readonly [what: string, spoil: (shop: Shop) => void]>([
    [
      "its file names another catalog",
      (shop) => {
        const said = JSON.parse(readFileSync(presentFile(shop), "utf8"));
        const { catalog, lists } = releaseOf(shop.layout.catalog);
        // As if a process had ended between the commit and writing this file, and the older release were live again.
        const names = { ...lists, product: lists.product.toReversed() };
        writeFileSync(
          presentFile(shop),
          JSON.stringify({ ...said, id: catalog.digest, digest: catalog.digest, names }),
        );
      },
    ],
    [
      "its file has no names",
      (shop) => {
        const { names: _, ...said } = JSON.parse(readFileSync(presentFile(shop), "utf8"));
        writeFileSync(presentFile(shop), JSON.stringify(said));
      },
    ],
  ])("reads everything and keeps its copy if %s", async (what, spoil) => {
    const shop = await left(what.replaceAll(" ", "-"));
    spoil(shop);
    const before = copiesIn(shop);
    const next = await shop.followReleases();
    expect(next.source.reads).toBe(releaseOf(shop.layout.catalog).objects.size);
    expect(await caughtUp(shop, next, before)).toBe(true);
  });

  it("makes another copy if its own is damaged", async () => {
    const shop = await left("damaged-copy");
    const [copy = ""] = copiesIn(shop);
    const bytes = readFileSync(join(shop.cache, copy));
    writeFileSync(join(shop.cache, copy), bytes.fill(1, 8192));
    expect(await caughtUp(shop, await shop.followReleases())).toBe(true);
    expect(copiesIn(shop)).not.toEqual([copy]);
  });

  it("continues an interrupted fetch", async () => {
    const shop = openShop("cut-off");
    const source = memorySource(releaseOf(shop.layout.catalog));
    const all = releaseOf(shop.layout.catalog).objects.size;
    source.reading = async () => {
      if (source.reads > all / 2) throw new VitrineError("remote_failed", "It is away.");
    };
    await expect(CatalogCopy.open(followReleases(source), shop.cache, { log })).rejects.toThrow(
      "It is away.",
    );
    const kept = readdirSync(join(shop.cache, "partitions")).length;
    expect(kept).toBeGreaterThan(all / 4);
    const followed = await shop.followReleases();
    expect(followed.source.reads).toBe(all - kept);
    expect(await caughtUp(shop, followed)).toBe(true);
    expect(readdirSync(shop.cache)).not.toContain("partitions");
  });

  it("keeps serving the old catalog while a partition is damaged, and reads only what is missing once it is repaired", async () => {
    const shop = openShop("damaged-partition");
    const followed = await shop.followReleases();
    const old = answersNow(followed);
    await shop.change(STEPS["many rows"]);
    const before = releaseOf(followed.current().db.name);
    const changed = changedPartitions(before, followed.publish());
    const last = changed.findLast(({ resource }) => resource === "review")?.partition;
    const damaged: MemorySource["reading"] = async (resource, partition) => {
      if (resource === "review" && partition === last)
        throw new VitrineError("remote_invalid", "It is damaged.");
    };
    followed.source.reading = damaged;
    for (let looks = 0; looks < 2; looks++) await expect(followed.look()).rejects.toThrow("It is damaged.");
    expect(answersNow(followed)).toEqual(old);
    followed.source.reading = async () => undefined;
    const kept = readdirSync(join(shop.cache, "partitions")).length;
    expect(kept).toBeGreaterThan(0);
    followed.source.reads = 0;
    await followed.look();
    expect(followed.source.reads).toBe(changed.length - kept);
    expect(await caughtUp(shop, followed)).toBe(true);
  });

  it("refuses a release that does not give its catalog, once, and keeps serving the old one", async () => {
    const shop = openShop("forged");
    const followed = await shop.followReleases();
    const old = answersNow(followed);
    const before = copiesIn(shop);
    await shop.change(STEPS["a price"]);
    const release = followed.publish();
    const [changed] = changedPartitions(releaseOf(followed.current().db.name), release);
    const name = changed?.name ?? "";
    const lines = release.objects.get(name)?.toString() ?? "";
    release.objects.set(name, Buffer.from(lines.replaceAll("Invoice Kit", "Invoice Kid")));
    const refusal = { code: "remote_invalid" };
    await expect(followed.look()).rejects.toMatchObject(refusal);
    const { reads } = followed.source;
    await expect(followed.look()).rejects.toMatchObject(refusal);
    expect(followed.source.reads).toBe(reads);
    expect(answersNow(followed)).toEqual(old);
    expect(copiesIn(shop)).toEqual(before);
    followed.publish();
    followed.source.release = { ...followed.source.release, version: "another" };
    await followed.look();
    expect(await caughtUp(shop, followed, before)).toBe(true);
  });

  it("takes up a source without a digest, and drops a list that the source no longer has", async () => {
    const shop = openShop("public");
    const release = releaseOf(shop.layout.catalog);
    const { review: _, ...lists } = release.lists;
    const source = memorySource(release);
    const followed = await followSource(followReleases(source), shop.cache, async () => undefined);
    expect(copiedBytes(shop).includes("quexotrope")).toBe(true);
    const catalog = { ...release.catalog, digest: null };
    source.release = { ...release, id: "public", version: "public", catalog, lists };
    source.reads = 0;
    await followed.look();
    expect(source.reads).toBe(0);
    const answer = JSON.parse(answerTarget(followed.current(), "/api/v1/reviews").body.toString());
    expect(answer).toMatchObject({ data: [] });
    expect(copiedBytes(shop).includes("quexotrope")).toBe(false);
  });
});
