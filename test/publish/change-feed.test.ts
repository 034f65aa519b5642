/** The change feed: positions that only grow, pages that never change once full, and no entry lost by whatever becomes of a publish. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PublicConfig } from "../../src/api/config.ts";
import { restoreRelease } from "../../src/build/rollback.ts";
import { CONTROL_HEADERS } from "../../src/publish/bucket.ts";
import {
  addChanges,
  beginAnew,
  type ChangedRecord,
  type ChangesHead,
  type ChangesPage,
  type FeedStep,
  lastOfEach,
} from "../../src/publish/change-feed.ts";
import { readLive } from "../../src/publish/documents.ts";
import type { PublishRules, Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import { openDirectory } from "../../src/publish/targets/directory.ts";
import { createMemoryCdn } from "../support/cdn.ts";
import { dyingAfter } from "../support/faults.ts";
import { bucketAt, createFaultyMemory, type FaultyMemory, OPTIONS, portsOf } from "../support/publishing.ts";
import { createTinyShop, SILENT, TINY_CONFIG, type TinyShop } from "../support/tiny-shop.ts";

const ON: PublicConfig = { ...TINY_CONFIG, feeds: { changes: true } };
const HEAD = "feeds/changes.json";
const STRIDE = 101_000;

const changesOf = (count: number): ChangedRecord[] =>
  Array.from({ length: count }, (_, at) => ({ resource: "product", id: at + 1, op: "put" }));

/** What stands in a bucket, of the feed. */
class Pages {
  readonly pages = new Map<number, ChangesPage>();
  /** What was ever given at a position. */
  readonly #given = new Map<number, string>();

  put(page: ChangesPage): void {
    const { length } = this.pages.get(page.page)?.entries ?? [];
    if (length === 1000) throw new Error(`page ${page.page} was full`);
    this.pages.set(page.page, page);
    this.note(page);
  }

  note({ entries }: ChangesPage): void {
    for (const { position, resource, id, op } of entries) {
      const told = `${resource} ${op} ${id % 1000}`;
      if ((this.#given.get(position) ?? told) !== told) throw new Error(`${position} was something else`);
      this.#given.set(position, told);
    }
  }

  /** A reader that stands at `oldest` reads all positions after it, up to the head's. */
  expectWhole({ position, oldest }: Pick<ChangesHead, "position" | "oldest">): void {
    let next = oldest + 1;
    for (let page = Math.floor(oldest / 1000); page * 1000 < position; page++)
      for (const entry of this.pages.get(page)?.entries ?? [])
        if (entry.position === next && entry.position <= position) next += 1;
    expect(next).toBe(position + 1);
  }
}

describe("pages and head", () => {
  const steps = fc.array(
    fc.oneof(
      { weight: 12, arbitrary: fc.nat(2500).map((count) => ({ count, anew: false })) },
      { weight: 1, arbitrary: fc.constantFrom(99_500, 100_000).map((count) => ({ count, anew: false })) },
      { weight: 2, arbitrary: fc.constant({ count: 0, anew: true }) },
    ),
    { minLength: 1, maxLength: 12 },
  );

  it("hold every position once, a full page for ever, and at most a hundred pages", () => {
    fc.assert(
      fc.property(steps, (walk) => {
        const bucket = new Pages();
        let state: FeedStep = beginAnew(1);
        for (const [at, { count, anew }] of walk.entries()) {
          const next: FeedStep = anew ? beginAnew(at + 2) : addChanges(state, changesOf(count));
          expect(next.position).toBeGreaterThanOrEqual(state.position + (anew ? 1000 : count));
          expect(next.oldest).toBeGreaterThanOrEqual(state.oldest);
          if (anew) bucket.pages.clear();
          for (const page of next.pages) bucket.put(page);
          for (const page of next.gone) bucket.pages.delete(page);
          bucket.expectWhole(next);
          expect(bucket.pages.size).toBeLessThanOrEqual(100);
          for (const page of bucket.pages.keys()) expect((page + 1) * 1000).toBeGreaterThan(next.oldest);
          state = next;
        }
      }),
      { numRuns: 15 },
    );
  });

  it("say of a record what became of it last, and what only another one's list shows too", () => {
    const row = (id: number) => ({ id, columns: {}, list: "{}" }) as never;
    const rows = [
      { resource: "product", put: row(1) },
      { resource: "review", deleted: 1 },
      { resource: "product", deleted: 1 },
      { resource: "product", listed: row(2) },
      { resource: "review", put: row(1) },
    ] as const;
    expect(lastOfEach(rows)).toEqual([
      { resource: "product", id: 1, op: "delete" },
      { resource: "product", id: 2, op: "put" },
      { resource: "review", id: 1, op: "put" },
    ]);
    expect(lastOfEach(rows, 2)).toBeNull();
  });
});

describe("a publish", () => {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-feed-"));
  let shop: TinyShop;
  let prices = 5000;
  beforeAll(() => {
    shop = createTinyShop(30);
  });
  afterAll(() => {
    shop.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Of the n-th product. */
  function idAt(at: number): number {
    const db = new Database(shop.store, { readonly: true });
    const id = db.prepare<[], number>("SELECT id FROM products ORDER BY id").pluck().all()[at] ?? 0;
    db.close();
    return id;
  }

  /** Changes one price and builds over what stands in a folder. */
  function reprice(name: string, config = ON, at = 0): Promise<Snapshot> {
    prices += 1;
    shop.sql(`UPDATE products SET regular_price_minor = ${prices} WHERE slug = '${shop.slugs[at]}'`);
    return shop.build(name, config);
  }

  interface Place {
    readonly store: FaultyMemory;
    publish(snapshot: Snapshot, more?: Partial<PublishRules>): ReturnType<typeof publish>;
    read<Document>(key: string): Document | null;
    head(): ChangesHead;
    keys(): string[];
  }

  function openPlace(): Place {
    const store = createFaultyMemory();
    const read = <Document>(key: string) => {
      const body = store.upstream.objects.get(`shop/${key}`)?.body;
      return body === undefined ? null : (JSON.parse(String(body)) as Document);
    };
    return {
      store,
      read,
      publish: (snapshot, more = {}) =>
        publish(snapshot, { ...OPTIONS, ...more }, portsOf(bucketAt(store, "shop"), { isGone: () => true })),
      head: () => read<ChangesHead>(HEAD) as ChangesHead,
      keys: () =>
        [...store.upstream.objects.keys()]
          .flatMap((key) => (key.startsWith("shop/feeds/") ? [key.slice("shop/".length)] : []))
          .sort(),
    };
  }

  /** Keys and ways of the requests that the feed costs. */
  function feedRequests({ store }: Place): string[] {
    return store.seen.flatMap(({ method, key }) =>
      key.startsWith("shop/feeds/") ? [`${method} ${key.slice("shop/feeds/".length)}`] : [],
    );
  }

  it("begins it at the first, and adds a price for two requests and one more, or two, that read", async () => {
    const place = openPlace();
    const { changeFeed } = await place.publish(await shop.build("cost", ON));
    expect(changeFeed).toMatchObject({ position: STRIDE, oldest: STRIDE, anew: "there was none before" });
    expect(place.keys()).toEqual([HEAD]);
    const tail = "feeds/changes/101.json";
    for (const reads of [["GET changes.json"], ["GET changes.json", "GET changes/101.json"]]) {
      place.store.reset();
      const before = place.head();
      const { changeFeed: report, counts, release } = await place.publish(await reprice("cost"));
      expect(feedRequests(place)).toEqual([...reads, "PUT changes/101.json", "PUT changes.json"]);
      // As without the feed: a request a key and seven.
      expect(place.store.seen.length).toBe(counts.changed + 7 + reads.length + 2);
      const puts = place.store.seen.filter(({ method }) => method === "PUT").map(({ key }) => key);
      expect(puts.slice(-3)).toEqual([`shop/${tail}`, `shop/${HEAD}`, "shop/.vitrine/current.json"]);
      expect(report).toMatchObject({ anew: null, pages: 1, gone: 0 });
      expect(place.head()).toEqual({
        ...{ format: 1, release, position: before.position + (report?.entries ?? 0), oldest: STRIDE },
        ...{ pageSize: 1000, pages: "changes/{page}.json" },
      });
    }
    const page = place.read<ChangesPage>(tail);
    expect(page?.entries).toContainEqual({
      position: STRIDE + 1,
      resource: "product",
      id: idAt(0),
      op: "put",
    });
    expect(page?.entries.at(-1)?.position).toBe(place.head().position);
    const object = place.store.upstream.objects.get(`shop/${HEAD}`);
    expect(object?.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "public, max-age=60, s-maxage=300, stale-if-error=86400",
      "x-amz-meta-cache-tag": "vitrine-changes",
    });
    const dry = await place.publish(await reprice("cost"), { dryRun: true });
    expect(dry.changeFeed).toMatchObject({ entries: expect.any(Number), pages: 1, anew: null });
  });

  it("adds what several builds changed, deleted records too, and where a new base is written", async () => {
    const place = openPlace();
    await place.publish(await shop.build("several", ON));
    await reprice("several");
    shop.sql(`UPDATE products SET status = 'draft' WHERE slug = '${shop.slugs[29]}'`);
    const { changeFeed } = await place.publish(await reprice("several", ON, 3), { allowShrink: 1000 });
    expect(changeFeed?.anew).toBeNull();
    const entries = place.read<ChangesPage>("feeds/changes/101.json")?.entries ?? [];
    const ops = entries.filter(({ resource }) => resource === "product").map(({ id, op }) => `${op} ${id}`);
    expect(ops).toEqual(expect.arrayContaining([`put ${idAt(0)}`, `put ${idAt(3)}`, `delete ${idAt(29)}`]));
    shop.sql(`UPDATE products SET status = 'published' WHERE slug = '${shop.slugs[29]}'`);
    let kinds = "";
    for (let at = 0; at < 12 && !kinds.endsWith("delta base"); at++) {
      expect(
        (await place.publish(await reprice("several"), { allowShrink: 1000 })).changeFeed?.anew,
      ).toBeNull();
      kinds = (await readLive(bucketAt(place.store, "shop"))).parts.map(({ kind }) => kind).join(" ");
    }
    expect(kinds).toMatch(/delta base$/);
  });

  it("begins it anew, at a higher position and without a page, where what changed is not certain", async () => {
    const place = openPlace();
    const first = await shop.build("anew", ON);
    await place.publish(first);
    await place.publish(await reprice("anew"));
    const bucket = () => bucketAt(place.store, "shop");
    const reset = async (work: () => ReturnType<typeof publish>, why: string, out = "anew") => {
      const { position } = place.head();
      const { changeFeed, outcome } = await work();
      expect(changeFeed?.anew).toMatch(why);
      expect(outcome).toBe("published");
      expect(place.head().position).toBeGreaterThan(position);
      expect(place.head().oldest).toBe(place.head().position);
      expect(place.keys()).toEqual([HEAD]);
      const again = await place.publish(await reprice(out), { resume: true });
      expect(again.changeFeed?.anew).toBeNull();
      expect(place.keys().length).toBe(2);
    };
    const older = await restoreRelease(bucket(), undefined, mkdtempSync(join(folder, "older-")), SILENT);
    await reset(
      () => place.publish(older.snapshot, { rollbackOf: older.id }),
      "an older release is made live",
    );
    older.snapshot[Symbol.dispose]();
    await reset(
      () => shop.build("anew", ON).then((same) => place.publish(same, { anew: true })),
      "is erased",
    );
    await reset(
      async () => {
        prices += 1;
        shop.sql(`UPDATE products SET regular_price_minor = ${prices} WHERE slug = '${shop.slugs[2]}'`);
        return place.publish(await shop.build("elsewhere", ON));
      },
      "no deltas lead here",
      "elsewhere",
    );
    const forge = (key: string, body: string) => bucket().put(key, Buffer.from(body), CONTROL_HEADERS);
    // What follows builds over what is live by now.
    rmSync(join(shop.folder, "anew"), { recursive: true });
    cpSync(join(shop.folder, "elsewhere"), join(shop.folder, "anew"), { recursive: true });
    const head = () => JSON.stringify(place.head());
    const tail = () => place.keys().at(-1) ?? "";
    const odd: readonly [() => Promise<unknown>, string][] = [
      [() => bucket().delete([HEAD]), "there is no feeds/changes.json"],
      [() => forge(HEAD, "{"), "cannot be used"],
      [() => forge(HEAD, head().replace("{", '{"more":1,')), "not as this version writes it"],
      [() => forge(HEAD, head().replace(/"oldest":\d+/, '"oldest":1')), "positions that no version gives"],
      [() => forge(HEAD, `${head()}${" ".repeat(2048)}`), "longer than 2048 bytes"],
      [() => forge(HEAD, head().replace(/"release":"\d+/, '"release":"00000001')), "is release 00000001"],
      [() => bucket().delete([tail()]), "there is no feeds/changes/"],
      [() => forge(tail(), '{"format":1,"page":7,"entries":[]}'), "is not the page"],
      [() => forge(tail(), `[${" ".repeat(300_000)}]`), "is longer than"],
    ];
    await place.publish(await reprice("anew"));
    await place.publish(await reprice("anew"));
    for (const [spoil, why] of odd) {
      const { position } = place.head();
      await spoil();
      const { changeFeed } = await place.publish(await reprice("anew"));
      expect(changeFeed?.anew, why).toMatch(why);
      expect(place.head().position).toBeGreaterThan(position);
      await place.publish(await reprice("anew"));
      expect(place.keys().length).toBe(2);
    }
  });

  it("takes it away where it is turned off, and begins at a higher position where it is on again", async () => {
    const place = openPlace();
    await place.publish(await shop.build("off", ON));
    await place.publish(await reprice("off"));
    const { position } = place.head();
    await place.publish(await shop.build("off", TINY_CONFIG));
    expect(place.keys()).toEqual([]);
    place.store.reset();
    expect(await place.publish(await reprice("off", TINY_CONFIG))).not.toHaveProperty("changeFeed");
    expect(feedRequests(place)).toEqual([]);
    await place.publish(await shop.build("off", ON));
    expect(place.head().position).toBeGreaterThan(position);
  });

  it("that is cut off anywhere loses no entry, gives no position twice, and leaves nothing behind", async () => {
    const ready = openPlace();
    await ready.publish(await shop.build("cut", ON));
    // At the beginning of a page: there is none yet that would tell of an attempt.
    cpSync(join(shop.folder, "cut"), join(shop.folder, "cut-off"), { recursive: true });
    const update = await reprice("cut-off", ON, 1);
    cpSync(join(shop.folder, "cut-off"), join(shop.folder, "cut-later"), { recursive: true });
    await reprice("cut-later", ON, 2);
    // What the update would give the first position to comes last now.
    const later = await reprice("cut-later", ON, 1);
    const from = ready.head().position;
    /** The update cut off after so many changes, then the later one; false where it was not cut off. */
    const cutAfter = async (changes: number, next: Snapshot) => {
      const place = openPlace();
      const seen = new Pages();
      for (const [key, object] of ready.store.upstream.objects) {
        place.store.upstream.objects.set(key, object);
        place.store.shadow.set(key, object.body);
      }
      place.store.changed = () => {
        const head = place.head();
        for (const key of place.keys()) {
          if (key === HEAD) continue;
          const page = place.read<ChangesPage>(key);
          if (page === null) continue;
          seen.pages.set(page.page, page);
          seen.note(page);
        }
        seen.expectWhole(head);
      };
      place.store.fault = dyingAfter(changes);
      const cdn = createMemoryCdn();
      const ports = () => portsOf(bucketAt(place.store, "shop", 1), { isGone: () => true, cdn: () => cdn });
      const rules = { ...OPTIONS, purge: ["memory"] };
      const isDone = await publish(update, rules, ports()).then(
        () => true,
        () => false,
      );
      place.store.reset();
      await publish(next, rules, ports());
      const head = place.head();
      expect(head.release).toBe((await readLive(bucketAt(place.store, "shop"))).release);
      seen.expectWhole(head);
      // Who stands where the last release before ended finds what changed since, or begins anew.
      if (head.oldest <= from) {
        const page = place.read<ChangesPage>("feeds/changes/101.json")?.entries ?? [];
        const ids = page.flatMap(({ position, id }) => (position > from ? [id] : []));
        expect(ids).toEqual(expect.arrayContaining((next === later ? [1, 2] : [1]).map(idAt)));
      }
      const kept =
        head.position % 1000 === 0 ? [] : [`feeds/changes/${Math.floor(head.position / 1000)}.json`];
      expect(place.keys()).toEqual([HEAD, ...kept].sort());
      expect(cdn.hasPurged(`/${HEAD}`)).toBe(true);
      return isDone;
    };
    let changes = 1;
    // What has changed since, or the same again.
    for (; !(await cutAfter(changes, later)); changes++)
      if (changes % 3 === 0) await cutAfter(changes, update);
    expect(changes).toBeGreaterThan(10);
  });

  it("to a directory shows the feed with its release, pages of before included", async () => {
    const root = join(folder, "www");
    const to = (snapshot: Snapshot) =>
      publish(snapshot, { ...OPTIONS, allowShrink: 1000 }, portsOf(openDirectory(root)));
    const read = <Document>(key: string) =>
      JSON.parse(readFileSync(join(root, "current", key), "utf8")) as Document;
    await to(await shop.build("directory", ON));
    for (let at = 0; at < 5; at++) {
      const { release, changeFeed } = await to(await reprice("directory", ON, at));
      expect(changeFeed?.anew).toBeNull();
      const head = read<ChangesHead>(HEAD);
      expect(head.release).toBe(release);
      const bucket = new Pages();
      for (const name of readdirSync(join(root, "current/feeds/changes")))
        bucket.put(read<ChangesPage>(`feeds/changes/${name}`));
      bucket.expectWhole(head);
    }
    // Full pages of an older tree are those of the present one: a page that one release wrote stays in all that follow.
    const older = readFileSync(join(root, "current/feeds/changes/101.json"));
    cpSync(join(root, "current/feeds/changes/101.json"), join(root, "current/feeds/changes/100.json"));
    for (let at = 0; at < 3; at++) {
      await to(await reprice("directory"));
      expect(readFileSync(join(root, "current/feeds/changes/100.json")).equals(older)).toBe(true);
    }
    await to(await shop.build("directory", TINY_CONFIG));
    expect(existsSync(join(root, "current/feeds"))).toBe(false);
    await to(await reprice("directory", TINY_CONFIG));
    await to(await reprice("directory", TINY_CONFIG));
    expect(existsSync(join(root, "current/feeds"))).toBe(false);
  });

  it("to a directory leaves no page where it is turned off after it began anew", async () => {
    const root = join(folder, "www-off");
    const to = (snapshot: Snapshot, anew = false) =>
      publish(snapshot, { ...OPTIONS, allowShrink: 1000, anew }, portsOf(openDirectory(root)));
    await to(await shop.build("directory-off", ON));
    await to(await reprice("directory-off"));
    await to(await reprice("directory-off"), true);
    expect(readdirSync(join(root, "current/feeds"))).toEqual(["changes.json"]);
    // It is made of the tree before the present one, which has a page.
    await to(await shop.build("directory-off", TINY_CONFIG));
    expect(existsSync(join(root, "current/feeds"))).toBe(false);
  });
});
