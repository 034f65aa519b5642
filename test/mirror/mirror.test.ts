/** A mirror of a shop that is built for it and served over HTTP: by one that is sound, in the midst of a publish, or hostile. */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PublicConfig } from "../../src/api/config.ts";
import { SILENT } from "../../src/base/log.ts";
import { RESOURCES } from "../../src/catalog/resources.ts";
import { type ResourceIndex, resourceIndexText, shortDigestOf } from "../../src/feeds/bulk-format.ts";
import { MirrorFolder } from "../../src/mirror/folder.ts";
import { openRemote } from "../../src/mirror/http.ts";
import { MOST } from "../../src/mirror/schemas.ts";
import { type SyncReport, sync } from "../../src/mirror/sync.ts";
import type { RetryPolicy } from "../../src/publish/calls.ts";
import { openCatalog } from "../../src/serve/read-catalog.ts";
import { layoutOf } from "../../src/snapshot/layout.ts";
import {
  buildQuietly,
  demoInputs,
  readTree,
  SMALL_CONFIG,
  seedDemo,
  temporaryFolder,
  withoutTime,
} from "../support/shop.ts";

const folder = temporaryFolder();
const CONFIG: PublicConfig = {
  ...SMALL_CONFIG,
  grid: { depth: 0, maxFiles: 250_000 },
  feeds: { bulk: true },
};
const INDEX = "bulk/index.json";

type Site = Map<string, Buffer>;
interface Moment {
  readonly site: Site;
  readonly catalog: string;
}

/** The shop as it is first, after a new price, and after products and a category went, came and changed. */
const moments: Moment[] = [];
/** What is served now; others may be laid over it. */
let site: Site = new Map();
let answer: ((key: string, request: IncomingMessage, response: ServerResponse) => boolean) | null = null;
let asked: string[] = [];
let server: Server;
let base = "";

function etagOf(bytes: Buffer): string {
  return `W/"${shortDigestOf(bytes)}"`;
}

beforeAll(async () => {
  const store = seedDemo(folder);
  const layout = layoutOf(join(folder, "out"));
  const edits = [
    "",
    "UPDATE products SET regular_price_minor = regular_price_minor + 100 WHERE slug = 'invoice-kit'",
    `UPDATE products SET visibility = 'hidden' WHERE id % 7 = 0;
     UPDATE categories SET name = name || '!' WHERE id = 2;
     UPDATE products SET slug = 'invoice-kit-old' WHERE slug = 'invoice-kit';
     UPDATE products SET slug = 'invoice-kit' WHERE id = (SELECT MAX(id) FROM products WHERE visibility = 'visible')`,
  ];
  for (const [at, sql] of edits.entries()) {
    const db = new Database(store);
    db.exec(sql);
    db.close();
    const now = `2026-11-20 12:0${at}:00`;
    await buildQuietly(demoInputs(store, join(folder, "out"), { config: CONFIG, now, allowShrink: 1000 }));
    const catalog = join(folder, `${at}.sqlite`);
    copyFileSync(layout.catalog, catalog);
    const bulk = [...readTree(layout.site)].filter(([key]) => key.startsWith("bulk/"));
    moments.push({ site: new Map(bulk), catalog });
  }
  server = createServer((request, response) => {
    const key = (request.url ?? "").slice(1);
    asked.push(key);
    if (answer?.(key, request, response) === true) return;
    const bytes = site.get(key);
    if (bytes === undefined) response.writeHead(404).end();
    else if (request.headers["if-none-match"] === etagOf(bytes)) response.writeHead(304).end();
    else response.writeHead(200, { ETag: etagOf(bytes) }).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close().closeAllConnections());

function momentAt(at: number): Moment {
  const moment = moments[at];
  if (moment === undefined) throw new Error("There is no such moment");
  return moment;
}

function show(at: number, changes: Readonly<Record<string, Buffer | string | null>> = {}): void {
  site = new Map(momentAt(at).site);
  for (const [key, bytes] of Object.entries(changes))
    if (bytes === null) site.delete(key);
    else site.set(key, Buffer.from(bytes));
  answer = null;
  asked = [];
}

const QUICK: RetryPolicy = {
  ...{ attempts: 3, baseMilliseconds: 1, maxMilliseconds: 1 },
  ...{ callMilliseconds: 20_000, budgetMilliseconds: 60_000 },
};

// As much as a bucket may have would take a second to make.
MOST.lines = 8 * 1024 * 1024;

function mirrorIn(to = mkdtempSync(join(folder, "mirror-")), from = `${base}/api/v1`) {
  return {
    to,
    catalog: join(to, "catalog.sqlite"),
    async run(policy = QUICK): Promise<SyncReport> {
      using held = new MirrorFolder(to);
      const pause = () => Promise.resolve();
      return await sync(openRemote(from, { policy }), held, { log: SILENT, concurrency: 4, pause });
    },
    /** That it holds what the shop had at a moment, and nothing else. */
    expectAt(at: number): void {
      const [mine, theirs] = [openCatalog(join(to, "catalog.sqlite")), openCatalog(momentAt(at).catalog)];
      expect(mine.digest).toBe(theirs.digest);
      for (const target of [
        "/products",
        "/products?sort=rating&featured=true",
        "/search?q=kit",
        "/faqs",
        "/store",
      ])
        expect(withoutTime(Buffer.from(mine.get(target).body))).toBe(
          withoutTime(Buffer.from(theirs.get(target).body)),
        );
      mine.close();
      theirs.close();
      const files = readTree(join(to, "site"));
      expect([...files.keys()].sort()).toEqual([...momentAt(at).site.keys()].sort());
      for (const [key, bytes] of momentAt(at).site) expect(files.get(key)?.equals(bytes), key).toBe(true);
    },
  };
}

/** A bucket with other bytes, and indexes that name it. */
function forged(
  resource: string,
  change: (lines: string) => Buffer,
  records?: number,
): Record<string, Buffer> {
  const key = `bulk/${resource}/index.json`;
  const index = JSON.parse(momentAt(0).site.get(key)?.toString() ?? "") as ResourceIndex;
  const [bucket = "", [count] = [0]] = Object.entries(index.buckets)[0] ?? [];
  const place = `bulk/${resource}/${bucket}.ndjson.gz`;
  const bytes = change(gunzipSync(momentAt(0).site.get(place) ?? "").toString());
  const buckets = { ...index.buckets, [bucket]: [records ?? count, shortDigestOf(bytes)] as const };
  const own = Buffer.from(resourceIndexText(index.resource, new Map(Object.entries(buckets))));
  const whole = JSON.parse(momentAt(0).site.get(INDEX)?.toString() ?? "");
  whole.resources[resource].digest = shortDigestOf(own);
  return { [place]: bytes, [key]: own, [INDEX]: Buffer.from(JSON.stringify(whole)) };
}

interface WholeIndex {
  catalog: Record<string, unknown>;
  resources: Record<string, { records: number; digest: string } | undefined>;
}

function changedIndex(change: (index: WholeIndex) => void): Record<string, string> {
  const whole = JSON.parse(momentAt(0).site.get(INDEX)?.toString() ?? "");
  change(whole);
  return { [INDEX]: JSON.stringify(whole) };
}

describe("a mirror", () => {
  it("holds what the shop has, answers as it does, and asks for what is new and no more", async () => {
    const mirror = mirrorIn();
    show(0);
    const records = await mirror.run();
    expect(records.put).toBe(Object.values(records.records).reduce((sum, count) => sum + count));
    mirror.expectAt(0);

    asked = [];
    const { records: held } = records;
    expect(await mirror.run()).toMatchObject({ isChanged: false, fetchedBytes: 0, records: held });
    expect(asked).toEqual([INDEX]);

    show(1);
    expect(await mirror.run()).toMatchObject({ isChanged: true, put: 1, deleted: 0, buckets: 1 });
    expect(asked).toEqual([
      ...[INDEX, "bulk/product/index.json"],
      expect.stringMatching(/^bulk\/product\/..\.ndjson\.gz$/),
    ]);
    mirror.expectAt(1);

    show(2);
    expect((await mirror.run()).deleted).toBeGreaterThan(5);
    mirror.expectAt(2);

    // A rollback, and the files of a folder.
    const back = mirrorIn(mirror.to, join(folder, "out/site"));
    show(0);
    await mirror.run();
    mirror.expectAt(0);
    await back.run();
    mirror.expectAt(2);
  });

  it("holds only what the shop offers, and forgets what it no longer does", async () => {
    const mirror = mirrorIn();
    show(0);
    await mirror.run();
    const less = changedIndex((index) => {
      const { catalog, resources } = index;
      catalog["isWhole"] = false;
      Object.assign(resources, { review: undefined });
    });
    show(0, less);
    await mirror.run();
    const db = new Database(mirror.catalog, { readonly: true });
    expect(db.prepare("SELECT COUNT(*) FROM review").pluck().get()).toBe(0);
    db.close();
    expect(existsSync(join(mirror.to, "site/bulk/review"))).toBe(false);
    show(0);
    await mirror.run();
    mirror.expectAt(0);
  });

  it("waits until a publish is done: first buckets are there, then indexes", async () => {
    const mirror = mirrorIn();
    show(0);
    await mirror.run();
    show(1, { [INDEX]: momentAt(2).site.get(INDEX) ?? null });
    let looks = 0;
    answer = (key) => {
      if (key === INDEX && ++looks === 3) show(2);
      return false;
    };
    await mirror.run();
    mirror.expectAt(2);
  });

  it("asks again when it is told to wait, or nobody answers", async () => {
    const mirror = mirrorIn();
    show(0);
    const refused = new Map<string, number>();
    answer = (key, request, response) => {
      const times = refused.get(key) ?? 0;
      refused.set(key, times + 1);
      if (!key.includes("post/") || times > 1) return false;
      if (times === 0) request.socket.destroy();
      else response.writeHead(429, { "Retry-After": "0" }).end();
      return true;
    };
    await mirror.run();
    expect(Math.max(...refused.values())).toBe(3);
    mirror.expectAt(0);
  });

  it("takes no folder that is none of its own, and no two at once", async () => {
    const to = mkdtempSync(join(folder, "other-"));
    copyFileSync(momentAt(0).catalog, join(to, "catalog.sqlite"));
    expect(() => new MirrorFolder(to)).toThrow(expect.objectContaining({ code: "guard_refused" }));
    const mirror = mirrorIn();
    using _ = new MirrorFolder(mirror.to);
    expect(() => new MirrorFolder(mirror.to)).toThrow(expect.objectContaining({ code: "out_busy" }));
  });

  it("goes on where its own notes are damaged, or a part of a run stands", async () => {
    const mirror = mirrorIn();
    show(0);
    await mirror.run();
    writeFileSync(join(mirror.to, "mirror.json"), "{");
    show(1);
    // All but one bucket stand in their places.
    expect(await mirror.run()).toMatchObject({ buckets: 1 });
    mirror.expectAt(1);
  });
});

describe("what a hostile shop answers is refused, and what is held stands", () => {
  const keyOf = (resource: string) =>
    [...momentAt(0).site.keys()].find((key) => key.startsWith(`bulk/${resource}/`) && key.endsWith(".gz")) ??
    "";
  const other = (lines: string, change: (record: Record<string, unknown>) => void) => {
    const [line = "", ...rest] = lines.trim().split("\n");
    const record = JSON.parse(line);
    change(record);
    return gzipSync(`${[JSON.stringify(record), ...rest].join("\n")}\n`);
  };
  const cases: [string, string, () => Record<string, Buffer | string | null>][] = [
    ["no bulk files", "remote_failed", () => ({ [INDEX]: null })],
    [
      "a bucket that is never the one",
      "remote_invalid",
      () => ({ ...forged("post", () => gzipSync("x\n")), [keyOf("post")]: gzipSync("y\n") }),
    ],
    [
      "a bucket that is missing",
      "remote_invalid",
      () => ({ ...forged("post", () => gzipSync("x\n")), [keyOf("post")]: null }),
    ],
    ["a bucket cut off", "remote_invalid", () => forged("post", (lines) => gzipSync(lines).subarray(0, 40))],
    ["lines cut off", "remote_invalid", () => forged("post", (lines) => gzipSync(`${lines}{"id":1`))],
    ["fewer records", "remote_invalid", () => forged("post", (lines) => gzipSync(lines), 99)],
    ["no records", "remote_invalid", () => forged("post", (lines) => gzipSync(lines.replace(/.+/, "{}")))],
    [
      "another record",
      "remote_invalid",
      () => forged("post", (lines) => other(lines, (one) => (one["title"] = "x"))),
    ],
    [
      "a record elsewhere",
      "remote_invalid",
      () => forged("post", (lines) => other(lines, (one) => (one["id"] = 99999))),
    ],
    ["a record twice", "remote_invalid", () => forged("post", (lines) => gzipSync(lines + lines), 2)],
    ["a gzip bomb", "remote_invalid", () => forged("post", () => gzipSync(Buffer.alloc(MOST.lines + 1)))],
    [
      "a bucket with a path for a name",
      "remote_invalid",
      () => {
        const key = "bulk/post/index.json";
        const index = JSON.parse(momentAt(0).site.get(key)?.toString() ?? "");
        index.buckets["../../../../evil"] = [1, "0".repeat(32)];
        const own = JSON.stringify(index);
        const named = changedIndex((whole) => {
          whole.resources["post"] = { records: 30, digest: shortDigestOf(own) };
        });
        return { [key]: own, ...named };
      },
    ],
    [
      "a list of a path",
      "remote_invalid",
      () =>
        changedIndex((index) =>
          Object.assign(index.resources, { "../x": { records: 1, digest: "0".repeat(32) } }),
        ),
    ],
    [
      "a configuration that is none",
      "remote_invalid",
      () => changedIndex((index) => Object.assign(index.catalog, { config: {} })),
    ],
    ["a newer format", "newer_format", () => changedIndex((index) => Object.assign(index, { format: 99 }))],
    ["no JSON", "remote_invalid", () => ({ [INDEX]: "<html>" })],
    ["an endless index", "remote_invalid", () => ({ [INDEX]: Buffer.alloc(4 * 1024 * 1024, " ") })],
  ];

  let mirror: ReturnType<typeof mirrorIn>;
  beforeAll(async () => {
    mirror = mirrorIn();
    show(0);
    await mirror.run();
  });

  it.each(cases)("%s", async (_, code, changes) => {
    show(0, changes());
    await expect(mirror.run()).rejects.toMatchObject({ code });
    expect(existsSync(join(folder, "evil.ndjson.gz"))).toBe(false);
    mirror.expectAt(0);
    show(0);
    await mirror.run();
    mirror.expectAt(0);
  });

  it.each<[string, string, (response: ServerResponse) => void]>([
    ["500", "remote_failed", (response) => response.writeHead(500).end()],
    ["429 for ever", "remote_failed", (response) => response.writeHead(429, { "Retry-After": "0" }).end()],
    ["nothing", "remote_failed", () => undefined],
    ["a body without an end", "remote_failed", (response) => void response.writeHead(200).write("{")],
    [
      "a body that is cut off",
      "remote_failed",
      (response) => response.writeHead(200, { "Content-Length": 99 }).write("{", () => response.destroy()),
    ],
    [
      "a redirect",
      "remote_failed",
      (response) => response.writeHead(302, { Location: "http://127.0.0.1:9/" }).end(),
    ],
  ])("%s", async (_, code, respond) => {
    show(1);
    answer = (key, _, response) => {
      if (key !== INDEX) return false;
      respond(response);
      return true;
    };
    // Where nothing more comes, only the deadline ends it.
    await expect(mirror.run({ ...QUICK, callMilliseconds: 300 })).rejects.toMatchObject({ code });
    mirror.expectAt(0);
  });

  it("addresses that are none", () => {
    for (const from of ["ftp://shop.example", "https://", "https://shop.example/?x=1", "javascript:1"])
      expect(() => openRemote(from)).toThrow(expect.objectContaining({ code: "usage" }));
  });

  it("has all lists that there are", () => {
    const { resources } = JSON.parse(readFileSync(join(folder, "out/site", INDEX), "utf8"));
    expect(Object.keys(resources).sort()).toEqual(RESOURCES.map(({ name }) => name).sort());
  });
});
