/** Two publishers at once, leases, guards, stores without conditions, and pending purges. */
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { forEachAtOnce } from "../../src/base/at-once.ts";
import { VitrineError } from "../../src/base/error.ts";
import { type Log, SILENT } from "../../src/base/log.ts";
import {
  type Bucket,
  CONTROL_HEADERS,
  JOURNAL_KEY,
  OBJECT_HEADERS,
  POINTER_KEY,
} from "../../src/publish/bucket.ts";
import { encodeDocument, type Journal, readLive } from "../../src/publish/documents.ts";
import { createSeen, type Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import { checkBucket } from "../../src/publish/served.ts";
import { createMemoryCdn } from "../support/cdn.ts";
import {
  createFaultyMemory,
  expectLive,
  filesOf,
  memoryAt,
  OPTIONS,
  portsOf,
  watchReaders,
} from "../support/publishing.ts";
import { createTinyShop, TINY_CONFIG, type TinyShop } from "../support/tiny-shop.ts";

describe("publishers", () => {
  const store = createFaultyMemory();
  let shop: TinyShop;
  beforeAll(() => {
    shop = createTinyShop();
  });
  afterAll(() => shop.close());

  const rename = async (name: string, build: string) => {
    shop.sql(`UPDATE products SET name = '${name}' WHERE slug = '${shop.slugs[0]}'`);
    return await shop.build(build);
  };

  it("of several at once exactly one commits, and the others name it", async () => {
    const base = await shop.build("race-base");
    await publish(base, OPTIONS, portsOf(memoryAt(store, "race")));
    for (let round = 0; round < 4; round++) {
      const snapshots: Snapshot[] = [];
      for (const at of [0, 1, 2]) snapshots.push(await rename(`Race ${round} ${at}`, `race-${round}-${at}`));
      const results = await Promise.allSettled(
        snapshots.map((one) => publish(one, OPTIONS, portsOf(memoryAt(store, "race")))),
      );
      const won = results.flatMap((result, at) => (result.status === "fulfilled" ? [at] : []));
      // A loser may find the lock free again after the winner: then it publishes after it, completely.
      expect(won.length).toBeGreaterThan(0);
      for (const result of results) {
        if (result.status === "rejected") {
          expect(result.reason).toMatchObject({ code: "publisher_busy", exitCode: 6 });
          expect(String(result.reason)).toMatch(/process \d+ on test|has just finished|keeps changing/);
        }
      }
      const live = await readLive(memoryAt(store, "race"));
      const winner = snapshots.find(({ manifest }) => manifest.meta["content"] === live.content);
      if (winner === undefined) throw new Error("what is live belongs to no publisher");
      await expectLive(store.upstream, "race", winner);
    }
  });

  it("is refused while another one's lease runs, and takes over once the other is dead", async () => {
    const bucket = memoryAt(store, "lease");
    store.reset();
    store.fault = (_, { key }) => (key.startsWith("lease/api/") ? "dead" : null);
    const snapshot = await shop.build("lease");
    await expect(publish(snapshot, OPTIONS, portsOf(bucket))).rejects.toThrow();
    store.reset();
    await expect(publish(snapshot, OPTIONS, portsOf(bucket))).rejects.toMatchObject({
      code: "publisher_busy",
    });
    expect(store.seen.every(({ method }) => method === "GET")).toBe(true);
    await publish(snapshot, OPTIONS, portsOf(bucket, { isGone: () => true }));
    await expectLive(store.upstream, "lease", snapshot);
    expect((await readLive(bucket)).generation).toBe(2);
  });

  it("releases its lock wherever it is interrupted, and the next one completes the release", async () => {
    const bucket = memoryAt(store, "interrupted");
    let outcome = "interrupted";
    for (let at = 0; outcome === "interrupted"; at++) {
      const snapshot = await rename(`Interrupted ${at}`, "interrupted");
      const abort = new AbortController();
      store.reset();
      store.fault = (n) => {
        if (n === at) abort.abort();
        return null;
      };
      outcome = await publish(snapshot, OPTIONS, portsOf(bucket, { signal: abort.signal })).then(
        () => "published",
        (error: Error) => (/was interrupted/.test(error.message) ? "interrupted" : String(error)),
      );
      store.reset();
      // To others the holder is a machine that may be alive: only a released lock lets them in.
      await publish(snapshot, OPTIONS, portsOf(bucket));
      await expectLive(store.upstream, "interrupted", snapshot);
    }
    expect(outcome).toBe("published");
  });

  it("takes over by the store's clock once a lease has expired", async () => {
    const bucket = memoryAt(store, "expiry");
    store.reset();
    store.fault = (_, { key }) => (key.startsWith("expiry/api/") ? "dead" : null);
    const snapshot = await shop.build("expiry");
    await expect(publish(snapshot, { ...OPTIONS, leaseSeconds: 1 }, portsOf(bucket))).rejects.toThrow();
    store.reset();
    await expect
      .poll(() =>
        publish(snapshot, OPTIONS, portsOf(bucket)).then(
          ({ outcome }) => outcome,
          () => "busy",
        ),
      )
      .toBe("published");
    await expectLive(store.upstream, "expiry", snapshot);
  });

  it("stops before the commit if its lock was taken over", async () => {
    const bucket = memoryAt(store, "stolen");
    await publish(await rename("Before", "stolen"), OPTIONS, portsOf(bucket));
    const mine = await rename("Mine", "stolen-mine");
    const theirs = await rename("Theirs", "stolen-theirs");
    const problems = watchReaders(store, "stolen");
    let stolen: Promise<unknown> | null = null;
    // At the first answer that is put, another one considers us dead and publishes in full; then ours continues.
    const slow: Bucket = {
      ...bucket,
      async put(...args) {
        stolen ??= publish(theirs, OPTIONS, portsOf(memoryAt(store, "stolen"), { isGone: () => true }));
        await stolen;
        await bucket.put(...args);
      },
    };
    await expect(publish(mine, OPTIONS, portsOf(slow))).rejects.toMatchObject({ code: "publisher_busy" });
    expect((await readLive(bucket)).content).toBe(theirs.manifest.meta["content"]);
    expect(problems).toEqual([]);
    // What it put after it had lost the lock is recorded, and put again by the next publish.
    await publish(theirs, OPTIONS, portsOf(bucket));
    await expectLive(store.upstream, "stolen", theirs);
  });

  it("ends at once if another publisher ignored its lock, and leaves a journal without a lease", async () => {
    const bucket = memoryAt(store, "past");
    await publish(await rename("Past 1", "past"), OPTIONS, portsOf(bucket));
    const mine = await rename("Past 2", "past-mine");
    let journals = 0;
    const raced: Bucket = {
      ...bucket,
      async putIf(key, ...args) {
        if (key === JOURNAL_KEY) journals += 1;
        if (key === POINTER_KEY) {
          const pointer = (await bucket.get(POINTER_KEY))?.body.toString() ?? "";
          await bucket.put(POINTER_KEY, Buffer.from(`${pointer}\n`), OBJECT_HEADERS);
        }
        return await bucket.putIf(key, ...args);
      },
    };
    await expect(publish(mine, OPTIONS, portsOf(raced))).rejects.toThrow(/was faster/);
    // Acquired, named its release, and released.
    expect(journals).toBe(3);
    await publish(mine, OPTIONS, portsOf(bucket));
    await expectLive(store.upstream, "past", mine);
  });

  it("goes live after another release that does just before it has the lock, and lets none in after that", async () => {
    const bucket = memoryAt(store, "overtaken");
    await publish(await rename("Overtaken 1", "overtaken"), OPTIONS, portsOf(bucket));
    const mine = await rename("Overtaken 2", "overtaken-mine");
    const theirs = [await rename("Theirs 1", "overtaken-1"), await rename("Theirs 2", "overtaken-2")];
    let overtaking = 0;
    let refused = 0;
    const raced: Bucket = {
      ...bucket,
      async putIf(key, ...args) {
        const next = theirs[overtaking % 2];
        if (key === JOURNAL_KEY && next !== undefined)
          await publish(next, OPTIONS, portsOf(memoryAt(store, "overtaken"))).then(
            () => overtaking++,
            () => refused++,
          );
        return await bucket.putIf(key, ...args);
      },
    };
    expect(await publish(mine, OPTIONS, portsOf(raced))).toMatchObject({ outcome: "published" });
    // Before it had the lock; after that they had to wait, also before it named its release.
    expect(overtaking).toBe(1);
    expect(refused).toBeGreaterThan(0);
    await expectLive(store.upstream, "overtaken", mine);
    expect(store.shadow.has(`overtaken/${JOURNAL_KEY}`)).toBe(false);
  });

  it("leaves no journal if it had the lock without work to do, or was refused", async () => {
    const bucket = memoryAt(store, "idle");
    await publish(await rename("Idle", "idle"), OPTIONS, portsOf(bucket));
    const overtaken = async (mine: Snapshot, theirs: () => Promise<unknown>) => {
      let overtaking: Promise<unknown> | null = null;
      const raced: Bucket = {
        ...bucket,
        async putIf(key, ...args) {
          overtaking ??= theirs();
          await overtaking;
          return await bucket.putIf(key, ...args);
        },
      };
      const done = await publish(mine, OPTIONS, portsOf(raced)).catch((error: unknown) => error);
      expect(overtaking).not.toBe(null);
      expect(store.shadow.has(`idle/${JOURNAL_KEY}`)).toBe(false);
      return done;
    };
    // Just before it has the lock, another one makes the same snapshot live, or goes back to an older release.
    const same = await rename("Idle 2", "idle-2");
    const publishSame = () => publish(same, OPTIONS, portsOf(memoryAt(store, "idle")));
    expect(await overtaken(same, publishSame)).toMatchObject({ outcome: "unchanged" });
    await expectLive(store.upstream, "idle", same);
    const rules = { ...OPTIONS, rollbackOf: (await readLive(bucket)).release };
    const older = await rename("Idle 3", "idle-3");
    const goBack = () => publish(older, rules, portsOf(memoryAt(store, "idle")));
    expect(await overtaken(await rename("Idle 4", "idle-4"), goBack)).toMatchObject({ code: "release_held" });
    await expectLive(store.upstream, "idle", older);
    expect((await readLive(bucket)).generation).toBe(3);
  });

  it("repairs without reading again what it saw before it had the lock, while others published", async () => {
    const bucket = memoryAt(store, "seen");
    const before = await rename("Seen 1", "seen-1");
    await publish(before, OPTIONS, portsOf(bucket));
    const damaged = "api/v1/store.json";
    await bucket.put(damaged, Buffer.from("{}"), OBJECT_HEADERS);
    const seen = createSeen();
    await checkBucket(bucket, { sample: 0, progress: () => undefined, seen });
    const after = await rename("Seen 2", "seen-2");
    await publish(after, OPTIONS, portsOf(bucket));
    store.reset();
    const rules = { ...OPTIONS, repair: true, seen };
    expect((await publish(after, rules, portsOf(bucket))).repaired).toMatchObject({
      putBack: [damaged],
      deleted: [],
    });
    const etags = new Map([...before.manifest.entries()].map(({ key, etag }) => [key, etag]));
    const changed = [...after.manifest.entries()].filter(({ key, etag }) => etags.get(key) !== etag);
    const read = store.seen.filter(({ method, key }) => method === "GET" && key.startsWith("seen/api/"));
    expect(new Set(read.map(({ key }) => key.slice("seen/".length)))).toEqual(
      new Set([damaged, ...changed.map(({ key }) => key)]),
    );
    await expectLive(store.upstream, "seen", after);
  });

  /** A place whose lock a dead publisher holds. */
  async function dieAt(name: string, leaseSeconds: number): Promise<{ bucket: Bucket; snapshot: Snapshot }> {
    const bucket = memoryAt(store, name);
    const snapshot = await rename(`Renamed for ${name}`, name);
    store.reset();
    store.fault = (_, { key }) => (key.startsWith(`${name}/api/`) ? "dead" : null);
    await expect(publish(snapshot, { ...OPTIONS, leaseSeconds }, portsOf(bucket))).rejects.toThrow();
    store.reset();
    return { bucket, snapshot };
  }

  it("waits for another one, names it, and outwaits the lease of a dead one", async () => {
    const { bucket, snapshot } = await dieAt("waits", 4);
    const said: string[] = [];
    const log = { ...SILENT, info: (message: string) => said.push(message) };
    const done = await publish(snapshot, { ...OPTIONS, waitSeconds: 60 }, portsOf(bucket, { log }));
    expect(done.outcome).toBe("published");
    expect(said).toEqual([
      expect.stringMatching(
        /^waiting for up to 60 s: Another publisher is at work on .*: process \d+ on test, at work on release 00000001-\w+ since 20.*Z\./,
      ),
    ]);
    await expectLive(store.upstream, "waits", snapshot);
  });

  it("ends its wait when aborted and when its time is over, naming the other one", async () => {
    const { bucket, snapshot } = await dieAt("ends", OPTIONS.leaseSeconds);
    const busy = {
      code: "publisher_busy",
      exitCode: 6,
      message: expect.stringMatching(/process \d+ on test.*--wait/),
    };
    await expect(publish(snapshot, { ...OPTIONS, waitSeconds: 0.2 }, portsOf(bucket))).rejects.toMatchObject(
      busy,
    );
    const abort = new AbortController();
    const waiting = publish(
      snapshot,
      { ...OPTIONS, waitSeconds: 600 },
      portsOf(bucket, { signal: abort.signal }),
    );
    abort.abort();
    await expect(waiting).rejects.toMatchObject({
      ...busy,
      message: expect.stringMatching(/process \d+ on test/),
    });
  });

  it("leaves no finished work in the journal if the repair after it fails", async () => {
    const bucket = memoryAt(store, "repair-fails");
    await publish(await rename("Repair fails 1", "repair-fails"), OPTIONS, portsOf(bucket));
    const after = await rename("Repair fails 2", "repair-fails-2");
    const cdn = createMemoryCdn();
    const log: Log = {
      ...SILENT,
      progress(state) {
        const now = state();
        if (typeof now === "object" && now.what === "checking")
          throw new VitrineError("remote_failed", "the store is away");
      },
    };
    const rules = { ...OPTIONS, repair: true, purge: ["webhook:https://cdn.example"] };
    await expect(publish(after, rules, portsOf(bucket, { cdn: () => cdn, log }))).rejects.toThrow(
      "the store is away",
    );
    await expectLive(store.upstream, "repair-fails", after);
    expect(store.shadow.has(`repair-fails/${JOURNAL_KEY}`)).toBe(false);
    expect(await publish(after, OPTIONS, portsOf(bucket))).toMatchObject({
      outcome: "unchanged",
      finished: null,
      unpurged: [],
    });
  });

  it("leaves nothing behind if the release that it wanted to repair has just been replaced", async () => {
    const bucket = memoryAt(store, "replaced");
    const mine = await rename("Replaced 1", "replaced");
    await publish(mine, OPTIONS, portsOf(bucket));
    const theirs = await rename("Replaced 2", "replaced-theirs");
    const raced: Bucket = {
      ...bucket,
      async putIf(key, ...args) {
        if (key === JOURNAL_KEY) await publish(theirs, OPTIONS, portsOf(memoryAt(store, "replaced")));
        return await bucket.putIf(key, ...args);
      },
    };
    const rules = { ...OPTIONS, repair: true, onlyLive: true };
    await expect(publish(mine, rules, portsOf(raced))).rejects.toMatchObject({ code: "usage" });
    expect(store.shadow.has(`replaced/${JOURNAL_KEY}`)).toBe(false);
    await expectLive(store.upstream, "replaced", theirs);
  });

  it("refuses a store that ignores conditions, unless it is promised to be the only publisher", async () => {
    const real = memoryAt(store, "ignores");
    const careless: Bucket = {
      ...real,
      async putIf(key, body, headers) {
        await real.put(key, body, headers);
        return { kind: "written", etag: (await real.get(key))?.etag ?? "" };
      },
    };
    const snapshot = await shop.build("ignores");
    await expect(publish(snapshot, OPTIONS, portsOf(careless))).rejects.toMatchObject({
      code: "conditions_ignored",
      exitCode: 6,
    });
    await publish(snapshot, { ...OPTIONS, singlePublisher: true }, portsOf(careless));
    await expectLive(store.upstream, "ignores", snapshot);
  });

  it("refuses what looks like an accident before it writes anything but its lock, with the numbers", async () => {
    const bucket = memoryAt(store, "guards");
    const small = createTinyShop(6);
    try {
      const first = await small.build("first");
      await publish(first, OPTIONS, portsOf(bucket));
      small.sql(`DELETE FROM products WHERE slug IN ('${small.slugs.slice(0, 4).join("','")}')`);
      const less = await small.build("less");
      store.reset();
      const files = first.manifest.totals().files;
      await expect(publish(less, OPTIONS, portsOf(bucket))).rejects.toMatchObject({
        code: "guard_refused",
        message: expect.stringMatching(new RegExp(`delete 8 of ${files} files .*--allow-shrink 8`)),
      });
      await expect(publish(less, { ...OPTIONS, allowShrink: 7 }, portsOf(bucket))).rejects.toMatchObject({
        exitCode: 6,
      });
      const written = store.seen
        .filter(({ method }) => method !== "GET")
        .map(({ method, key }) => `${method} ${key}`);
      expect(new Set(written)).toEqual(new Set([`PUT guards/${JOURNAL_KEY}`, "POST ?delete"]));
      expect(store.shadow.has(`guards/${JOURNAL_KEY}`)).toBe(false);
      expect(await publish(less, { ...OPTIONS, allowShrink: 8 }, portsOf(bucket))).toMatchObject({
        counts: { deleted: 8 },
      });
      await expectLive(store.upstream, "guards", less);
    } finally {
      small.close();
    }
  });

  it("replaces objects of others at its first publish only with --adopt", async () => {
    const snapshot = await shop.build("foreign");
    const keys = [...snapshot.manifest.entries()].map(({ key }) => key);
    const theirs = memoryAt(store, "foreign", 32);
    // Foreign objects, more than one page of them, do no harm.
    const others = Array.from({ length: 1001 }, (_, at) => `api/a b+é/${at}`);
    await forEachAtOnce([...others, "robots.txt"], 32, (key) =>
      theirs.put(key, Buffer.from("theirs"), OBJECT_HEADERS),
    );
    const bucket = memoryAt(store, "foreign");
    const planned = await publish(snapshot, { ...OPTIONS, dryRun: true }, portsOf(bucket));
    expect(planned.outcome).toBe("planned");
    for (const key of keys.slice(0, 11)) await theirs.put(key, Buffer.from("theirs"), OBJECT_HEADERS);
    store.reset();
    const refused = publish(snapshot, OPTIONS, portsOf(bucket)).catch((error: unknown) => String(error));
    const message = await refused;
    expect(message).toContain("objects of others");
    for (const key of keys.slice(0, 10)) expect(message).toContain(`\n  ${key}\n`);
    expect(message).not.toContain(`\n  ${keys[10]}\n`);
    expect(message).toContain("and more");
    await expect(publish(snapshot, OPTIONS, portsOf(bucket))).rejects.toMatchObject({
      code: "guard_refused",
      exitCode: 6,
    });
    expect(new Set(store.seen.map(({ method }) => method))).toEqual(new Set(["GET"]));
    expect((await theirs.get(keys[0] ?? ""))?.body.toString()).toBe("theirs");

    await publish(snapshot, { ...OPTIONS, adopt: true }, portsOf(bucket));
    expect(
      (await theirs.get(keys[0] ?? ""))?.body.equals(filesOf(snapshot).get(keys[0] ?? "") as Buffer),
    ).toBe(true);
    expect((await theirs.get("robots.txt"))?.body.toString()).toBe("theirs");
  });

  it("replaces no objects of others after a first publish that died before it put anything", async () => {
    const bucket = memoryAt(store, "foreign-died");
    const snapshot = await shop.build("foreign-died");
    store.reset();
    store.fault = (_, { key, method }) => (method === "PUT" && key.includes("/objects/") ? "dead" : null);
    await expect(publish(snapshot, OPTIONS, portsOf(bucket))).rejects.toThrow();
    store.reset();
    const [entry] = snapshot.manifest.entries();
    const dead = JSON.parse((await bucket.get(JOURNAL_KEY))?.body.toString() ?? "{}") as Journal;
    expect(dead.attempted.length).toBe(1);
    // It had the lock, and no plan yet.
    await bucket.put(JOURNAL_KEY, encodeDocument({ ...dead, attempted: [] }), CONTROL_HEADERS);
    await bucket.put(entry?.key ?? "", Buffer.from("theirs"), OBJECT_HEADERS);
    const ports = portsOf(bucket, { isGone: () => true });
    await expect(publish(snapshot, OPTIONS, ports)).rejects.toMatchObject({ code: "guard_refused" });
    expect((await bucket.get(entry?.key ?? ""))?.body.toString()).toBe("theirs");
    await publish(snapshot, { ...OPTIONS, adopt: true }, ports);
    await expectLive(store.upstream, "foreign-died", snapshot);
  });

  it("publishes nothing if a snapshot's files do not match its manifest", async () => {
    const bucket = memoryAt(store, "broken");
    for (const spoil of [rmSync, (file: string) => writeFileSync(file, "{}")]) {
      const snapshot = await shop.build("broken");
      const file = `${snapshot.layout.site}/api/v1/store.json`;
      const bytes = readFileSync(file);
      spoil(file);
      const isGone = () => true;
      await expect(publish(snapshot, OPTIONS, portsOf(bucket, { isGone }))).rejects.toMatchObject({
        code: "snapshot_unreadable",
        message: expect.stringContaining("api/v1/store.json"),
      });
      await expect(readLive(bucket)).rejects.toThrow("Nothing was published");
      writeFileSync(file, bytes);
    }
  });

  it("refuses a snapshot with a different catalog beside it, before any write", async () => {
    const [snapshot, other] = [await shop.build("mixed"), await rename("Mixed", "mixed-other")];
    copyFileSync(other.layout.catalog, snapshot.layout.catalog);
    store.reset();
    await expect(publish(snapshot, OPTIONS, portsOf(memoryAt(store, "mixed")))).rejects.toMatchObject({
      code: "guard_refused",
      message: expect.stringContaining("is not the catalog that the snapshot was made of"),
    });
    expect(store.count("PUT")).toBe(0);
  });

  it("keeps its pending purges until the CDN has confirmed, also if nothing has changed since", async () => {
    const bucket = memoryAt(store, "purges");
    const cdn = createMemoryCdn();
    const options = { ...OPTIONS, purge: ["memory"] };
    const ports = () => portsOf(bucket, { cdn: () => cdn });
    await publish(await rename("Purge 1", "purges"), options, ports());
    cdn.failures = 1;
    const second = await rename("Purge 2", "purges");
    await expect(publish(second, options, ports())).rejects.toMatchObject({
      code: "purge_failed",
      exitCode: 5,
    });
    await expectLive(store.upstream, "purges", second);
    expect(store.shadow.has(`purges/${JOURNAL_KEY}`)).toBe(true);
    cdn.requests.length = 0;
    const report = await publish(second, options, ports());
    expect(report).toMatchObject({ outcome: "unchanged", finished: expect.stringContaining("purges") });
    expect(cdn.hasPurged(`/api/v1/product/slug=${shop.slugs[0]}.json`)).toBe(true);
    expect(store.shadow.has(`purges/${JOURNAL_KEY}`)).toBe(false);
    // The caller decides where to purge, never the bucket's content.
    cdn.failures = 1;
    const third = await rename("Purge 3", "purges");
    await expect(publish(third, options, ports())).rejects.toMatchObject({ code: "purge_failed" });
    cdn.requests.length = 0;
    const unnamed = await publish(third, OPTIONS, ports());
    expect(unnamed).toMatchObject({ outcome: "unchanged", unpurged: ["memory"], purges: [] });
    expect(cdn.requests).toEqual([]);
    expect(store.shadow.has(`purges/${JOURNAL_KEY}`)).toBe(false);
  });

  it("publishes another configuration as another release", async () => {
    const bucket = memoryAt(store, "config");
    await publish(await shop.build("config"), OPTIONS, portsOf(bucket));
    const config = { ...TINY_CONFIG, pageSizes: [2] };
    const report = await publish(await shop.build("config", config), OPTIONS, portsOf(bucket));
    expect(report.counts.new).toBeGreaterThan(0);
  });
});
