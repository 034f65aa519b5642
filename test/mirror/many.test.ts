/**
 * Two hundred mirrors of one shop, which publishes, is rolled back and erases meanwhile. They begin anywhere, sleep, lose pages,
 * read what caches kept and what a publish has half done, and hold the same records in the end: those by digests, as
 * `vitrine mirror`, and those that follow the change feed, as docs/feeds.md says it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PublicConfig } from "../../src/api/config.ts";
import { VitrineError } from "../../src/base/error.ts";
import { SILENT } from "../../src/base/log.ts";
import { restoreRelease } from "../../src/build/rollback.ts";
import {
  BULK_INDEX,
  type BulkIndex,
  bucketKey,
  bucketOf,
  type ResourceIndex,
  resourceIndexKey,
  shortDigestOf,
} from "../../src/feeds/bulk-format.ts";
import { MirrorFolder } from "../../src/mirror/folder.ts";
import type { MirrorState } from "../../src/mirror/schemas.ts";
import { type Held, linesIn, type Remote, type Step, sync } from "../../src/mirror/sync.ts";
import { type Bucket, CONTROL_HEADERS } from "../../src/publish/bucket.ts";
import type { ChangesHead, ChangesPage } from "../../src/publish/change-feed.ts";
import type { PublishRules, Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import { openCatalog } from "../../src/serve/read-catalog.ts";
import { dyingAfter } from "../support/faults.ts";
import { bucketAt, createFaultyMemory, OPTIONS, portsOf } from "../support/publishing.ts";
import { createTinyShop, TINY_CONFIG, type TinyShop } from "../support/tiny-shop.ts";

const CONFIG: PublicConfig = {
  ...TINY_CONFIG,
  endpoints: [...TINY_CONFIG.endpoints, "reviews", "releases", "faqs"] as PublicConfig["endpoints"],
  feeds: { bulk: true, changes: true },
};
const HEAD = "feeds/changes.json";

type Files = ReadonlyMap<string, Buffer>;
type Records = Map<string, string>;

/** What stood in the bucket, after each change of a file that mirrors read. */
const instants: Files[] = [];
/** The first instant at which a release stood whole. */
const releases: number[] = [];
let last: { readonly catalog: string; readonly records: Records };

/** `product 12` → its line */
function recordsOf(files: Files): Records {
  const records: Records = new Map();
  for (const [key, bytes] of files) {
    const [, resource] = /^bulk\/(\w+)\/..\.ndjson\.gz$/.exec(key) ?? [];
    if (resource === undefined) continue;
    for (const [id, line] of linesOf(bytes, key)) records.set(`${resource} ${id}`, line);
  }
  return records;
}

/** Beside the record where the API does not show it. */
function idOf({ id, _row }: { id?: number; _row?: { id?: number } }): number {
  return id ?? _row?.id ?? Number.NaN;
}

/** By the bytes: many mirrors read the same. */
const read = new WeakMap<Buffer, Map<number, string>>();

function linesOf(bytes: Buffer, key: string): ReadonlyMap<number, string> {
  const known = read.get(bytes);
  if (known !== undefined) return known;
  const lines = linesIn(bytes, key).toString().trimEnd().split("\n");
  const made = new Map(lines.map((line) => [idOf(JSON.parse(line)), line]));
  read.set(bytes, made);
  return made;
}

const folder = mkdtempSync(join(tmpdir(), "vitrine-mirrors-"));
let shop: TinyShop;
afterAll(() => {
  shop.close();
  rmSync(folder, { recursive: true, force: true });
});

/** As if many records had gone before: the page is full with the next release. */
async function fillPage(bucket: Bucket): Promise<void> {
  const files = instants.at(-1);
  const head = JSON.parse(String(files?.get(HEAD))) as ChangesHead;
  const number = Math.floor(head.position / head.pageSize);
  const key = `feeds/changes/${number}.json`;
  const page = JSON.parse(String(files?.get(key))) as ChangesPage;
  const gone = Array.from({ length: 950 }, (_, at) => ({
    ...{ position: head.position + at + 1, resource: "review", id: 5000 + at, op: "delete" },
  }));
  const put = (to: string, document: object) =>
    bucket.put(to, Buffer.from(JSON.stringify(document)), CONTROL_HEADERS);
  await put(key, { ...page, entries: [...page.entries, ...gone] });
  await put(HEAD, { ...head, position: head.position + gone.length });
}

/** The shop's history. */
beforeAll(async () => {
  shop = createTinyShop(30);
  const store = createFaultyMemory();
  const bucket = () => bucketAt(store, "shop");
  store.changed = (shadow) => {
    const read = [...shadow].flatMap(([key, bytes]): [string, Buffer][] =>
      key.startsWith("shop/bulk/") || key.startsWith("shop/feeds/")
        ? [[key.slice("shop/".length), bytes]]
        : [],
    );
    const before = instants.at(-1);
    if (before?.size !== read.length || read.some(([key, bytes]) => before.get(key) !== bytes))
      instants.push(new Map(read));
  };
  const put = async (snapshot: Snapshot, rules: Partial<PublishRules> = {}) => {
    await publish(
      snapshot,
      { ...OPTIONS, allowShrink: 1000, resume: true, ...rules },
      portsOf(bucket(), { isGone: () => true }),
    );
    releases.push(instants.length - 1);
  };
  const build = (sql: string, name = "out") => {
    shop.sql(sql);
    return shop.build(name, CONFIG);
  };
  const price = (at: number) =>
    `UPDATE products SET regular_price_minor = regular_price_minor + 100 WHERE slug = '${shop.slugs[at]}'`;
  const [one, two] = [shop.slugs[4], shop.slugs[5]];

  await put(await build(""));
  await put(await build(price(0)));
  await fillPage(bucket());
  await put(await build("UPDATE reviews SET body = body || ' Still good.'"));
  await put(await build("UPDATE products SET visibility = 'hidden' WHERE id % 3 = 0"));
  await put(await build(price(1)));
  const older = await restoreRelease(bucket(), undefined, mkdtempSync(join(folder, "older-")), SILENT);
  await put(older.snapshot, { rollbackOf: older.id });
  older.snapshot[Symbol.dispose]();
  await put(await build("UPDATE products SET visibility = 'visible'"));
  await put(await build("UPDATE reviews SET body = body || ' And so it is now.'"));
  await put(
    await build(`UPDATE products SET slug = 'between' WHERE slug = '${one}';
      UPDATE products SET slug = '${one}' WHERE slug = '${two}'; UPDATE products SET slug = '${two}' WHERE slug = 'between'`),
  );
  store.fault = dyingAfter(9);
  await expect(put(await build("UPDATE reviews SET body = body || ' Or not?'"))).rejects.toThrow();
  store.reset();
  await put(await build(price(7)));
  await put(await build("DELETE FROM reviews WHERE id % 2 = 0"), { anew: true });
  for (let at = 10; at < 14; at++) await put(await build(price(at)));
  const snapshot = await build("UPDATE products SET visibility = 'hidden' WHERE id % 5 = 1");
  await put(snapshot);
  last = { catalog: snapshot.layout.catalog, records: recordsOf(instants.at(-1) as Files) };
}, 120_000);

/** A generator of numbers from 0 to below 1, the same for a seed (Mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The shop as one mirror meets it: time goes on while it reads, caches are behind, files are not to be had. */
class Shop implements Remote {
  readonly #random: () => number;
  #now: number;
  /** How bad it is, 0 to 1. */
  #trouble = 0;

  constructor(random: () => number) {
    this.#random = random;
    this.#now = Math.floor(random() * instants.length);
  }

  nameOf = (key: string) => key;

  get isOver(): boolean {
    return this.#now >= instants.length - 1;
  }

  /** And wakes: mostly while nothing is published, on a day that is good or bad. */
  sleep(): void {
    const next = releases.findIndex((at) => at > this.#now);
    const woken = releases[Math.min(releases.length - 1, next + Math.floor(this.#random() * 4))] ?? this.#now;
    this.#now = this.#random() < 0.7 ? woken : Math.max(this.#now, woken - Math.floor(this.#random() * 60));
    this.#trouble = this.#random() < 0.6 ? 0 : this.#random();
  }

  becomeSound(): void {
    this.#trouble = 0;
    this.#now = instants.length - 1;
  }

  get(key: string, mostBytes: number, etag?: string | null) {
    const bytes = this.#read(key);
    if (bytes === null) return Promise.resolve(null);
    expect(bytes.length).toBeLessThanOrEqual(mostBytes);
    const own = `"${shortDigestOf(bytes)}"`;
    return Promise.resolve(own === etag ? ("unchanged" as const) : { bytes, etag: own });
  }

  #read(key: string): Buffer | null {
    if (this.#random() < 0.1 * this.#trouble) this.#pass(3);
    if (this.#random() < 0.005 * this.#trouble) return null;
    const behind = this.#random() < 0.02 * this.#trouble ? Math.floor(this.#random() * 60) : 0;
    return instants[Math.max(0, this.#now - behind)]?.get(key) ?? null;
  }

  #pass(most: number): void {
    this.#now = Math.min(instants.length - 1, this.#now + Math.ceil(this.#random() * most));
  }
}

/** What is fetched does not fit together: it is looked again later. */
class Later extends Error {}

interface Mirror {
  /** Nothing is thrown but what a mirror may say of a shop that is in the midst of something. */
  follow(): Promise<void>;
  expectWhole(): void;
}

class MemoryHeld implements Held {
  state: MirrorState | null = null;
  readonly buckets = new Map<string, Buffer>();
  readonly #kept = new Map<string, Buffer>();

  has(key: string, digest: string): boolean {
    return [this.#kept, this.buckets].some((some) => shortDigestOf(some.get(key) ?? "") === digest);
  }

  keep(key: string, bytes: Buffer): void {
    this.#kept.set(key, bytes);
  }

  commit({ changed, next }: Step) {
    for (const { key, records } of changed) {
      const bytes = this.#kept.get(key);
      if (records === 0) this.buckets.delete(key);
      else if (bytes !== undefined) this.buckets.set(key, bytes);
    }
    this.#kept.clear();
    this.state = next;
    return { put: 0, deleted: 0 };
  }
}

const RULES = { log: SILENT, concurrency: 4, pause: () => Promise.resolve() };

function byDigests(remote: Remote): Mirror {
  const held = new MemoryHeld();
  return {
    async follow() {
      await sync(remote, held, RULES);
    },
    expectWhole: () => expect([...recordsOf(held.buckets)].sort()).toEqual([...last.records].sort()),
  };
}

function inFolder(remote: Remote, to: string): Mirror {
  return {
    async follow() {
      using held = new MirrorFolder(to);
      await sync(remote, held, RULES);
    },
    expectWhole() {
      const [mine, theirs] = [openCatalog(join(to, "catalog.sqlite")), openCatalog(last.catalog)];
      expect(mine.digest).toBe(theirs.digest);
      mine.close();
      theirs.close();
    },
  };
}

/** As docs/feeds.md tells whoever follows the feed to do it. */
class Follower implements Mirror {
  readonly #remote: Remote;
  readonly records: Records = new Map();
  #position: number | null = null;
  wholeReads = 0;

  constructor(remote: Remote) {
    this.#remote = remote;
  }

  async follow(): Promise<void> {
    const head = await this.#read<ChangesHead>(HEAD);
    const index = await this.#read<BulkIndex>(BULK_INDEX);
    // Both are of the same release: the others would be of another moment than the position.
    if (!index.catalog.digest.startsWith(head.release.slice(9))) throw new Later("another release");
    const touched = this.#position === null ? null : await this.#touchedSince(this.#position, head);
    const resources = Object.entries(index.resources) as [keyof BulkIndex["resources"], { digest: string }][];
    // Who begins anew holds nothing of before.
    const next: Records = new Map(touched === null ? [] : this.records);
    for (const [resource, { digest }] of resources) {
      const names = touched === null ? null : (touched.get(resource) ?? new Set<string>());
      if (names?.size === 0) continue;
      const own = await this.#read<ResourceIndex>(resourceIndexKey(resource), digest);
      for (const name of names ?? Object.keys(own.buckets)) {
        for (const known of [...next.keys()])
          if (known.startsWith(`${resource} `) && bucketOf(Number(known.split(" ")[1])) === name)
            next.delete(known);
        const bucket = own.buckets[name];
        if (bucket === undefined) continue;
        const key = bucketKey(resource, name);
        for (const [id, line] of linesOf(await this.#bytes(key, bucket[1]), key))
          next.set(`${resource} ${id}`, line);
      }
    }
    this.records.clear();
    for (const [name, line] of next) this.records.set(name, line);
    this.#position = head.position;
    this.wholeReads += Number(touched === null);
  }

  expectWhole(): void {
    expect([...this.records].sort()).toEqual([...last.records].sort());
  }

  /** Buckets by their list; null where it must begin anew. */
  async #touchedSince(
    from: number,
    { position, oldest, pageSize }: ChangesHead,
  ): Promise<Map<string, Set<string>> | null> {
    if (from > position) throw new Later("a cache is behind");
    if (from < oldest) return null;
    const touched = new Map<string, Set<string>>();
    let next = from + 1;
    for (let page = Math.floor(from / pageSize); page * pageSize < position; page++) {
      const { entries } = await this.#read<ChangesPage>(`feeds/changes/${page}.json`);
      for (const entry of entries) {
        if (entry.position !== next || entry.position > position) continue;
        next += 1;
        touched.set(entry.resource, (touched.get(entry.resource) ?? new Set()).add(bucketOf(entry.id)));
      }
    }
    if (next <= position) throw new Later("a page is behind");
    return touched;
  }

  async #read<Document>(key: string, digest?: string): Promise<Document> {
    return JSON.parse((await this.#bytes(key, digest)).toString()) as Document;
  }

  async #bytes(key: string, digest?: string): Promise<Buffer> {
    const found = await this.#remote.get(key, Number.POSITIVE_INFINITY);
    if (found === null || found === "unchanged") throw new Later(`${key} is not there`);
    if (digest !== undefined && shortDigestOf(found.bytes) !== digest) throw new Later(`${key} is another`);
    return found.bytes;
  }
}

/** True where it was followed. */
async function mayFail(follow: () => Promise<void>): Promise<boolean> {
  try {
    await follow();
    return true;
  } catch (error) {
    const isOfTheShop =
      error instanceof Later ||
      (error instanceof VitrineError && ["remote_invalid", "remote_failed"].includes(error.code));
    if (!isOfTheShop) throw error;
    return false;
  }
}

describe("mirrors that begin anywhere, sleep and lose pages", () => {
  const kinds = {
    "by digests": [100, (remote: Remote) => byDigests(remote)],
    "in folders": [10, (remote: Remote) => inFolder(remote, mkdtempSync(join(folder, "mirror-")))],
    "by the change feed": [90, (remote: Remote) => new Follower(remote)],
  } as const;

  it.each(Object.keys(kinds) as (keyof typeof kinds)[])("%s end with the same records", async (kind) => {
    const [count, open] = kinds[kind];
    let [followed, failed, wholeReads] = [0, 0, 0];
    for (let seed = 1; seed <= count; seed++) {
      const remote = new Shop(randomOf(seed));
      const mirror = open(remote);
      while (!remote.isOver) {
        if (await mayFail(() => mirror.follow())) followed += 1;
        else failed += 1;
        remote.sleep();
      }
      remote.becomeSound();
      await mirror.follow();
      mirror.expectWhole();
      if (mirror instanceof Follower) wholeReads += mirror.wholeReads;
    }
    // They met what they were to meet.
    expect(followed).toBeGreaterThan(2 * count);
    expect(failed).toBeGreaterThan(count / 4);
    if (kind === "by the change feed") expect(wholeReads).toBeLessThan(followed);
  });

  it("met half-done publishes, pages that fill, and feeds that began anew", () => {
    const heads = releases.map((at) => JSON.parse(String(instants[at]?.get(HEAD))) as ChangesHead);
    expect(instants.length).toBeGreaterThan(5 * releases.length);
    expect(heads.filter(({ position, oldest }) => position === oldest).length).toBeGreaterThan(3);
    const pages = (at: Files) => [...at.keys()].filter((key) => key.startsWith("feeds/changes/")).length;
    expect(Math.max(...instants.map(pages))).toBeGreaterThan(1);
    for (const { bulk } of heads)
      expect(new URL(bulk ?? "", `https://shop.example/${HEAD}`).pathname).toBe(`/${BULK_INDEX}`);
  });
});
