/** A shop's public files as a release: which are requested, how often, and which are accepted. */
import { mkdtempSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { PublicConfig } from "../../src/api/config.ts";
import { CLOCK, type Clock } from "../../src/base/clock.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { cleanHtml } from "../../src/extract/html.ts";
import { recordPartition } from "../../src/release/partitions.ts";
import { PUBLIC_BOUNDS, type PublicBounds, publicSource } from "../../src/release/public-source.ts";
import type { FoundRelease, ReleaseSource } from "../../src/release/source.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { openPublicShop, type PublicShop, shortDigestOf } from "../support/public-shop.ts";
import {
  buildQuietly,
  demoInputs,
  readTree,
  SMALL_CONFIG,
  seedSmall,
  temporaryFolder,
} from "../support/shop.ts";
import { SimulatedClock } from "../support/simulated-clock.ts";
import { until } from "../support/until.ts";

const folder = temporaryFolder();
const CONFIG: PublicConfig = {
  ...SMALL_CONFIG,
  grid: { depth: 0, maxFiles: 250_000 },
  feeds: { bulk: true },
};

interface Built {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly catalog: string;
}

async function build(sql: string, config = CONFIG): Promise<Built> {
  const home = mkdtempSync(join(folder, "shop-"));
  const store = seedSmall(home);
  const db = new Database(store);
  db.exec(sql);
  db.close();
  const { site, catalog } = layoutOf(join(home, "out"));
  await buildQuietly(demoInputs(store, join(home, "out"), { config }));
  return { files: new Map([...readTree(site)].filter(([key]) => key.startsWith("bulk/"))), catalog };
}

let first: Built;
let second: Built;
let shop: PublicShop;
/** Pauses pass at once; the calls to the shop are real. */
let clock: SimulatedClock;
const said: string[] = [];
const ends: (() => void)[] = [];
afterAll(() => {
  for (const end of ends) end();
});
beforeAll(async () => {
  first = await build("");
  second = await build(
    "UPDATE products SET regular_price_minor = regular_price_minor + 100 WHERE slug = 'invoice-kit'",
  );
  shop = await openPublicShop();
});
beforeEach(() => {
  shop.files = new Map(first.files);
  shop.answer = null;
  shop.asked.length = 0;
  said.length = 0;
  clock = SimulatedClock.thatPasses();
});

function open(bounds: Partial<PublicBounds> = {}, by: Clock = clock): ReleaseSource & Disposable {
  const clean = (html: string) => cleanHtml(html).html;
  const source = publicSource(
    shop.base,
    { clean, clock: by, log: { info: (line) => said.push(line), warn: (line) => said.push(line) } },
    { ...PUBLIC_BOUNDS, ...bounds },
  );
  ends.push(() => source[Symbol.dispose]());
  return source;
}

const INDEX = "bulk/index.json";

/** Puts another index at the address; `change` gets the true one. */
function forgeIndex(change: (index: Record<string, unknown>) => unknown): void {
  const index = JSON.parse(first.files.get(INDEX)?.toString() ?? "") as Record<string, unknown>;
  shop.files.set(INDEX, Buffer.from(JSON.stringify(change(index))));
}

/** Puts other lines in a partition, and an index that names them. */
function forgePartition(list: string, lines: string | Buffer): void {
  const bytes = typeof lines === "string" ? gzipSync(lines) : lines;
  shop.files.set(`bulk/${list}/0.ndjson.gz`, bytes);
  forgeIndex((index) => {
    const lists = { ...(index["lists"] as Record<string, (string | null)[]>) };
    const partitions = [...(lists[list] ?? [])];
    partitions[0] = shortDigestOf(bytes);
    lists[list] = partitions;
    return { ...index, lists };
  });
}

function linesOf(list: string): string[] {
  return gunzipSync(first.files.get(`bulk/${list}/0.ndjson.gz`) ?? "")
    .toString()
    .trimEnd()
    .split("\n");
}

/** All lines of a release, partition by partition. */
async function readAll({ lists, read }: FoundRelease): Promise<Map<string, Buffer>> {
  const all = new Map<string, Buffer>();
  for (const [name, partitions] of Object.entries(lists))
    for (const [partition, digest] of partitions.entries())
      if (digest !== null) all.set(`${name} ${partition}`, await read(name as "product", partition));
  return all;
}

describe("a shop's public files", () => {
  it("give the lines of the shop's own catalog, which sanitising does not change", async () => {
    const found = await open().find();
    expect(found.catalog).toMatchObject({ digest: null, generatedAt: "2026-11-20T12:00:00+00:00" });
    const catalog = openCatalog(first.catalog);
    expect(found.catalog.config).toEqual(catalog.config);
    expect(found.catalog.store).toEqual(JSON.parse(JSON.stringify(catalog.store)));
    for (const [name, lines] of await readAll(found)) {
      const [list = "", partition] = name.split(" ");
      const count = found.lists[list as "product"]?.length ?? 0;
      const ids = [...catalog.list(list as "product").ids].filter((id) => id % count === Number(partition));
      expect(lines.equals(recordPartition(catalog.db, list as "product", ids)), name).toBe(true);
    }
    catalog.close();
  });

  it("cost one request for the index while nothing changes, and then show which names differ", async () => {
    const source = open();
    const before = await source.find();
    expect(await source.find()).toBe(before);
    shop.files = new Map(second.files);
    const after = await source.find();
    expect(shop.asked).toEqual([INDEX, INDEX, INDEX]);
    expect(after.id).not.toBe(before.id);
    const differing = Object.entries(after.lists).flatMap(([name, partitions]) =>
      partitions.filter((digest, at) => before.lists[name as "product"]?.[at] !== digest).map(() => name),
    );
    expect(differing).toEqual(["product"]);
  });

  it("without details of products are marked", async () => {
    const endpoints = CONFIG.endpoints.filter((path) => path !== "product");
    const less = await build("", { ...CONFIG, endpoints });
    shop.files = new Map(less.files);
    expect((await open().find()).withoutDetail).toEqual(["product"]);
    shop.files = new Map(first.files);
    expect((await open().find()).withoutDetail).toEqual([]);
  });
});

describe("a running publish, or an outdated cache", () => {
  it("is waited for until the file is the one in the index", async () => {
    const found = await open().find();
    const key = "bulk/product/0.ndjson.gz";
    shop.files.set(key, second.files.get(key) ?? Buffer.alloc(0));
    let looks = 0;
    shop.answer = (asked) => {
      if (asked === key && ++looks === 2) shop.files.set(key, first.files.get(key) ?? Buffer.alloc(0));
      return false;
    };
    expect((await found.read("product", 0)).length).toBeGreaterThan(1000);
  });

  it("is reported after some attempts, and at once if there is another index by then", async () => {
    const source = open();
    const found = await source.find();
    shop.files.delete("bulk/product/0.ndjson.gz");
    await expect(found.read("product", 0)).rejects.toMatchObject({
      code: "remote_stale",
      message: expect.stringMatching(/a publish is running there, or a cache is outdated/),
    });
    const files = (key: string) => shop.asked.filter((asked) => asked === key).length;
    expect(files("bulk/product/0.ndjson.gz")).toBe(PUBLIC_BOUNDS.looks);
    expect(clock.pauses).toEqual([2000, 4000, 8000]);
    shop.asked.length = 0;
    shop.files = new Map(second.files);
    await expect(found.read("product", 0)).rejects.toMatchObject({
      code: "remote_stale",
      message: expect.stringMatching(/a newer release was published meanwhile/),
    });
    expect(files("bulk/product/0.ndjson.gz")).toBe(1);
    const next = await source.find();
    expect((await next.read("product", 0)).length).toBeGreaterThan(1000);
  });
});

describe("rate limits of the server", () => {
  it("are followed for as long as they last, by any number of readers together", async () => {
    const found = await open().find();
    // Two requests a minute.
    let window = 0;
    let allowed = 2;
    let refused = 0;
    shop.answer = (_, __, response) => {
      const now = Math.floor(clock.elapsed() / 60_000);
      if (now > window) allowed = 2;
      window = now;
      if (allowed-- > 0) return false;
      refused += 1;
      response.writeHead(429, { "Retry-After": "60", "X-RateLimit-Limit": "2" }).end();
      return true;
    };
    const reads = Object.entries(found.lists).flatMap(([name, partitions]) =>
      partitions.map((_, at) => found.read(name as "product", at)),
    );
    expect(reads.length).toBeGreaterThan(6);
    for (const lines of await Promise.all(reads)) expect(lines.length).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
    expect(clock.elapsed()).toBeGreaterThanOrEqual(60_000 * Math.floor((reads.length - 1) / 2));
    // A line for each minute that it waited, not for each refusal.
    expect(said.length).toBeLessThanOrEqual(clock.elapsed() / 60_000);
    expect(new Set(said.map((line) => line.replace(/\d+ files?/, "N files")))).toEqual(
      new Set([`${shop.base} allows no more requests now: going on in 60 seconds, N files fetched so far`]),
    );
  });

  it.each([
    ["seconds", () => "40"],
    ["a time", () => `${clock.now().getTime() / 1000 + 40}`],
  ])("are anticipated from X-RateLimit-Remaining and -Reset, in %s", async (_, reset) => {
    const found = await open().find();
    const at: number[] = [];
    shop.answer = (_, __, response) => {
      if (at.push(clock.elapsed()) === 1)
        response.setHeader("X-RateLimit-Remaining", "0").setHeader("X-RateLimit-Reset", reset());
      return false;
    };
    await found.read("product", 0);
    await found.read("review", 0);
    expect(at).toEqual([0, 40_000]);
  });

  it("of any length are waited for in steps, and waiting ends with the source", async () => {
    clock = new SimulatedClock();
    const source = open();
    let refused = 0;
    shop.answer = (_, __, response) => {
      refused += 1;
      response.writeHead(429, { "Retry-After": "999999999" }).end();
      return true;
    };
    const found = source.find();
    found.catch(() => undefined);
    const { maxMilliseconds } = PUBLIC_BOUNDS;
    for (const steps of [1, 2, 3]) {
      await until("a pause", () => clock.waiting === 1);
      expect(refused).toBe(steps);
      // Setting the wall clock back makes no wait longer.
      clock.setBy(-3_600_000);
      await clock.pass(maxMilliseconds);
    }
    await until("a pause", () => clock.waiting === 1);
    source[Symbol.dispose]();
    await expect(found).rejects.toMatchObject({
      code: "remote_failed",
      message: expect.stringMatching(/^Stopped fetching from/),
    });
    expect(refused).toBe(4);
  });

  it("end on the machine's clocks, too", async () => {
    let first: number | undefined;
    shop.answer = (_, __, response) => {
      if (first !== undefined) return false;
      first = CLOCK.elapsed();
      response.writeHead(429, { "Retry-After": "1" }).end();
      return true;
    };
    await open({}, CLOCK).find();
    expect(CLOCK.elapsed() - (first ?? 0)).toBeGreaterThanOrEqual(1000);
  });
});

describe("a shop that cannot be reached", () => {
  it.each([
    ["answers 500", (response: ServerResponse) => response.writeHead(500).end()],
    ["hangs up", (response: ServerResponse) => response.destroy()],
  ])("is asked several times, and reported: it %s", async (_, fail) => {
    shop.answer = (_, __, response) => {
      fail(response);
      return true;
    };
    const random = vi.spyOn(Math, "random").mockReturnValue(0.5);
    await expect(open().find()).rejects.toMatchObject({ code: "remote_failed" });
    expect(shop.asked).toHaveLength(PUBLIC_BOUNDS.attempts);
    // Random, up to twice as long each time.
    expect(clock.pauses).toEqual([500, 1000, 2000, 4000]);
    random.mockRestore();
  });

  it.each([
    ["never answers", () => undefined],
    [
      "stops in the middle",
      (response: ServerResponse) => response.writeHead(200, { "Content-Length": "1000" }).write("{"),
    ],
  ])("is asked again in time: it %s", async (_, hang) => {
    shop.answer = (_, __, response) => {
      if (shop.asked.length > 2) return false;
      hang(response);
      return true;
    };
    // On a busy machine the answer may be late, too.
    const found = await open({ callMilliseconds: 300, attempts: 10 }).find();
    expect(found.name).toContain(shop.base);
    expect(shop.asked.length).toBeGreaterThan(2);
  });

  it("is asked again after a single failure", async () => {
    shop.answer = (_, __, response) => {
      if (shop.asked.length > 1) return false;
      response.writeHead(503, { "Retry-After": "30" }).end();
      return true;
    };
    expect((await open().find()).name).toContain(shop.base);
    expect(clock.pauses).toEqual([30_000]);
  });

  it("has no bulk files", async () => {
    shop.files.clear();
    await expect(open().find()).rejects.toMatchObject({
      code: "remote_failed",
      message: expect.stringMatching(/feeds\.bulk/),
    });
  });
});

describe("an address whose server is not trusted", () => {
  it("is not followed to another address", async () => {
    shop.answer = (_, __, response) => {
      response.writeHead(302, { Location: `${shop.base}/elsewhere` }).end();
      return true;
    };
    await expect(open().find()).rejects.toMatchObject({
      code: "remote_failed",
      message: expect.stringMatching(/answers 302, and redirects are not followed/),
    });
    expect(shop.asked).toEqual([INDEX]);
  });

  it.each<[string, (index: Record<string, unknown>) => unknown]>([
    ["is not an object", () => []],
    ["has another field", (index) => ({ ...index, more: 1 })],
    ["lacks lists", ({ lists: _, ...index }) => index],
    ["has another list", (index) => ({ ...index, lists: { "../../etc": [null] } })],
    ["has a list of the prototype", (index) => ({ ...index, lists: JSON.parse('{"__proto__":[null]}') })],
    ["names a path", (index) => ({ ...index, lists: { product: ["../../../../etc/passwd"] } })],
    ["has three partitions", (index) => ({ ...index, lists: { product: [null, null, null] } })],
    ["has no partition", (index) => ({ ...index, lists: { product: [] } })],
    ["has another configuration", (index) => ({ ...index, config: { baseUrl: "https://evil.example" } })],
    ["has an invalid store", (index) => ({ ...index, store: { store_name: "<script>" } })],
    ["has an old format", (index) => ({ ...index, format: 1 })],
  ])("is refused if its index %s", async (_, change) => {
    forgeIndex(change);
    await expect(open().find()).rejects.toMatchObject({
      code: "remote_invalid",
      message: expect.stringMatching(/bulk\/index\.json cannot be used: /),
    });
  });

  it("is refused with the name of its format if that is newer", async () => {
    forgeIndex((index) => ({ ...index, format: 99, more: true }));
    await expect(open().find()).rejects.toMatchObject({
      code: "newer_format",
      message: expect.stringMatching(/^http.*bulk\/index\.json was made by a newer Vitrine/),
    });
  });

  it("is refused before its index is parsed if that is deep, or has more values than an index", async () => {
    for (const [config, why] of [
      [`${"[".repeat(101)}${"]".repeat(101)}`, /nested more than 100/],
      [`[${"{},".repeat(600_000)}{}]`, /more than 524288 values/],
    ] as const) {
      forgeIndex((index) => ({ ...index, config: "CONFIG" }));
      shop.files.set(INDEX, Buffer.from(String(shop.files.get(INDEX)).replace('"CONFIG"', config)));
      await expect(open().find()).rejects.toMatchObject({
        code: "remote_invalid",
        message: expect.stringMatching(why),
      });
    }
  });

  it("is refused if a file is larger than its kind may be", async () => {
    shop.answer = (key, _, response) => {
      if (key !== INDEX) return false;
      const pour = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, " ")));
        if (!response.destroyed) response.once("drain", pour);
      };
      pour();
      return true;
    };
    const index = open({ indexBytes: 1_000_000 }).find();
    await expect(index).rejects.toMatchObject({
      code: "remote_invalid",
      message: expect.stringMatching(/larger than/),
    });
    shop.answer = null;
    await expect((await open({ fileBytes: 1000 }).find()).read("product", 0)).rejects.toMatchObject({
      code: "remote_invalid",
    });
    forgePartition("product", gzipSync(Buffer.alloc(2_000_000, "\n")));
    const bomb = (await open({ lineBytes: 1_000_000 }).find()).read("product", 0);
    await expect(bomb).rejects.toMatchObject({
      code: "remote_invalid",
      message: expect.stringMatching(/larger than 1000000 bytes/),
    });
    shop.files = new Map(first.files);
    const all = readAll(await open({ allBytes: 100_000 }).find());
    await expect(all).rejects.toMatchObject({ message: expect.stringMatching(/all records have more than/) });
  });

  it.each([
    ["is not compressed", Buffer.from("{}\n")],
    ["is not JSON", gzipSync("<html>\n")],
    ["is cut off", gzipSync('{"id":1}')],
    ["is deep", gzipSync(`{"replies":${"[".repeat(101)}${"]".repeat(101)}}\n`)],
    [
      "is a few bytes that stand for very many values",
      gzipSync(`{"replies":[${"{},".repeat(600_000)}{}]}\n`),
    ],
  ])("is refused if a partition %s", async (_, bytes) => {
    forgePartition("thread", bytes);
    const { read } = await open().find();
    await expect(read("thread", 0)).rejects.toMatchObject({
      code: "remote_invalid",
      message: expect.stringMatching(/bulk\/thread\/0\.ndjson\.gz cannot be used: /),
    });
  });

  const DIRTY = '<p onclick="steal()">Hello<script>steal()</script> <a href="javascript:steal()">you</a></p>';
  it.each([
    ["product", (record: Record<string, unknown>) => ({ ...record, description_html: DIRTY })],
    ["post", (record: Record<string, unknown>) => ({ ...record, content_html: DIRTY })],
    ["faq", (record: Record<string, unknown>) => ({ ...record, answer_html: DIRTY })],
    ["thread", (record: Record<string, unknown>) => ({ ...record, content_html: DIRTY })],
    [
      "thread",
      (record: Record<string, unknown>) => ({
        ...record,
        replies: [{ id: 1, author_display_name: "", content_html: DIRTY, is_solution: true, created_at: "" }],
      }),
    ],
    [
      "product",
      (record: Record<string, unknown>) => ({ ...record, faqs: [{ question: "", answer_html: DIRTY }] }),
    ],
  ] as const)("gets the HTML of its %s records sanitised again", async (list, change) => {
    const [line = "", ...others] = linesOf(list);
    const dirty = JSON.stringify(change(JSON.parse(line)));
    expect(dirty).toContain("steal");
    forgePartition(list, `${[dirty, ...others].join("\n")}\n`);
    const { read } = await open().find();
    const lines = (await read(list, 0)).toString();
    expect(lines).toContain("Hello");
    expect(lines).not.toContain("steal");
  });

  it("keeps texts that are not HTML by their schema", async () => {
    const [line = ""] = linesOf("review");
    const plain = JSON.stringify({ ...JSON.parse(line), body: "1 < 2 && <b>3</b>" });
    forgePartition("review", `${plain}\n`);
    const { read } = await open().find();
    expect((await read("review", 0)).toString()).toBe(`${plain}\n`);
  });
});
