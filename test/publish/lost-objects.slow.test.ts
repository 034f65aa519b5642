/** A place that lost an object of a kept release: an hourly look finds it and says what to do, and that repairs it. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parseSamples } from "../../src/base/metrics.ts";
import { describeMissing } from "../../src/cli/missing-objects.ts";
import { publishFolder } from "../../src/pipeline/publish.ts";
import { OBJECT_HEADERS } from "../../src/publish/bucket.ts";
import { openDirectory } from "../../src/publish/buckets/directory.ts";
import { readLive } from "../../src/publish/documents.ts";
import { fetchIndex } from "../../src/publish/fetch-release.ts";
import { countObjects } from "../../src/publish/lost-objects.ts";
import type { Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import { objectKey } from "../../src/release/objects.ts";
import { objectsOf } from "../../src/release/release-index.ts";
import { STORE_QUERIES } from "../store-fixture.ts";
import { type Running, runVitrine, startVitrine } from "../support/command.ts";
import { createFaultyMemory, memoryAt, OPTIONS, portsOf } from "../support/publishing.ts";
import { temporaryFolder } from "../support/shop.ts";
import { createTinyShop, TINY_CONFIG, type TinyShop } from "../support/tiny-shop.ts";
import { until } from "../support/until.ts";

const HOUR = 60 * 60 * 1000;
const NOW = Date.parse("2026-11-26T12:00:00Z");
const folder = temporaryFolder();
let shop: TinyShop;
beforeAll(() => {
  shop = createTinyShop(8);
});
afterAll(() => shop.close());

let prices = 1000;
async function reprice(name: string): Promise<Snapshot> {
  prices += 1;
  shop.sql(`UPDATE products SET regular_price_minor = ${prices} WHERE slug = '${shop.slugs[0]}'`);
  return shop.build(name);
}

describe("a look at the objects of kept releases", () => {
  const store = createFaultyMemory();
  let places = 0;
  let snapshot: Snapshot;
  const bucket = () => memoryAt(store, `place-${places}`);
  const look = (at: number) => countObjects(bucket(), snapshot.layout, new Date(NOW + at));
  const requests = () => store.seen.map(({ method, key }) => `${method} ${key.replace(/^.*?\.vitrine/, "")}`);

  beforeEach(async () => {
    places += 1;
    for (let at = 0; at < 3; at++) {
      snapshot = await reprice(`look-${places}`);
      await publish(snapshot, OPTIONS, portsOf(bucket()));
    }
    store.reset();
  });
  afterEach(() => snapshot.manifest.close());

  /** An object of the live release only, of all releases, and of an older one only. */
  async function objects() {
    const { releases } = await readLive(bucket());
    const named = [];
    for (const { index } of releases) named.push([index, ...objectsOf(await fetchIndex(bucket(), index))]);
    const [live = [], ...older] = named;
    const inOlder = new Set(older.flat());
    return {
      ids: releases.map(({ id }) => id),
      live: objectKey(live.find((name) => !inOlder.has(name)) ?? ""),
      shared: objectKey(live.find((name) => older.every((names) => names.includes(name))) ?? ""),
      oldest: objectKey(named[2]?.[0] ?? ""),
    };
  }

  it("requests the pointer and one list of a thousand keys, once an hour", async () => {
    expect(await look(0)).toMatchObject({ missing: 0, releases: [], isLive: false });
    expect(requests()).toEqual(["GET /current.json", expect.stringContaining("GET ")]);
    store.reset();
    await look(HOUR - 1);
    expect(requests()).toEqual([]);
    await look(HOUR);
    expect(requests()).toHaveLength(2);
  });

  it.each(["live", "shared", "oldest"] as const)("finds a missing one: %s", async (which) => {
    const { ids, [which]: key } = await objects();
    const needing = { live: ids.slice(0, 1), shared: ids, oldest: ids.slice(2) }[which];
    await look(0);
    await bucket().delete([key]);
    expect(await look(1000)).toMatchObject({ missing: 0 });
    const found = await look(HOUR);
    expect(found).toMatchObject({ missing: 1, releases: needing, isLive: which !== "oldest" });
    if (found === null) throw new Error("nothing was published");
    const said = describeMissing(found, "s3://shop/place");
    expect(said).toContain("vitrine publish --to s3://shop/place --repair");
    for (const id of which === "oldest" ? needing : needing.slice(1)) expect(said).toContain(id);
    // It lists again each time while something is missing.
    await publish(snapshot, { ...OPTIONS, repair: true }, portsOf(bucket()));
    expect(await look(HOUR + 1000)).toMatchObject({ missing: 0 });
    const kept = (await readLive(bucket())).releases.map(({ id }) => id);
    if (which === "oldest") expect(kept).toEqual(ids.slice(0, 2));
    // Objects that an older release shares with the live one are put again, so the older release is complete.
    else expect(kept.slice(1)).toEqual(ids.slice(1));
  });

  it("does not report objects that another publisher drops meanwhile", async () => {
    const other = await shop.build(`look-${places}-other`);
    let isFirst = true;
    const slow = {
      ...bucket(),
      async *list(root: string) {
        if (isFirst) {
          isFirst = false;
          await publish(other, { ...OPTIONS, keep: 1, allowShrink: 1000, adopt: true }, portsOf(bucket()));
        }
        yield* bucket().list(root);
      },
    };
    const found = await countObjects(slow, snapshot.layout, new Date(NOW));
    other.manifest.close();
    expect(found).toMatchObject({ missing: 0 });
  });

  it("includes the index itself, also on a machine without a memory", async () => {
    const { ids } = await objects();
    const [live] = (await readLive(bucket())).releases;
    await bucket().delete([objectKey(live?.index ?? "")]);
    rmSync(snapshot.layout.places, { recursive: true, force: true });
    expect(await look(0)).toMatchObject({ missing: 1, releases: ids.slice(0, 1), isLive: true });
  });

  it("is due again an hour after a failure, and keeps its last result", async () => {
    const { oldest } = await objects();
    await bucket().delete([oldest]);
    expect(await look(0)).toMatchObject({ missing: 1 });
    await bucket().put(oldest, Buffer.from("theirs"), OBJECT_HEADERS);
    const failing = {
      ...bucket(),
      get: () => Promise.reject(new Error("away")),
    };
    await expect(countObjects(failing, snapshot.layout, new Date(NOW + 1))).rejects.toThrow("away");
    expect(await look(2)).toMatchObject({ missing: 0 });
  });
});

describe("a command that publishes", () => {
  const running: Running[] = [];
  afterEach(async () => {
    for (const { child, ended } of running.splice(0)) {
      child.kill("SIGKILL");
      await ended;
    }
  });

  it("says what is missing and how to repair it, and has a metric for it", async () => {
    const root = join(folder, "live");
    const metrics = join(folder, "vitrine.prom");
    const { layout, manifest } = await reprice("command");
    manifest.close();
    const out = join(shop.folder, basename(join(layout.site, "..")));
    const args = ["publish", "--to", `file://${root}`, "--out", out, "--metrics-file", metrics];
    expect(await runVitrine(args)).toMatchObject({ code: 0 });
    expect(missingIn(metrics)).toBe(0);
    const [first = ""] = readdirSync(join(root, ".vitrine/objects"));
    rmSync(join(root, ".vitrine/objects", first));
    // An hour later.
    for (const name of readdirSync(layout.places))
      if (name.endsWith(".look.json")) rmSync(join(layout.places, name));
    const second = await runVitrine(args);
    const repair = `vitrine publish --to ${openDirectory(root).url} --repair`;
    expect([second.code, second.err]).toEqual([0, expect.stringContaining(`1 object is missing in`)]);
    expect(second.err).toContain(repair);
    expect(missingIn(metrics)).toBe(1);
    expect(await runVitrine([...args, "--repair"])).toMatchObject({ code: 0, err: "" });
    expect(missingIn(metrics)).toBe(0);
  });

  it("that keeps running looks when it starts", async () => {
    const root = join(folder, "watched");
    const out = join(shop.folder, "watched");
    const metrics = join(folder, "watched.prom");
    (await reprice("watched")).manifest.close();
    await publishFolder({ to: `file://${root}`, out });
    const [first = ""] = readdirSync(join(root, ".vitrine/objects"));
    rmSync(join(root, ".vitrine/objects", first));
    const config = join(folder, "watched.json");
    writeFileSync(
      config,
      JSON.stringify({ ...TINY_CONFIG, store: shop.store, queries: resolve(STORE_QUERIES) }),
    );
    const args = ["--config", config, "--out", out, "--to", `file://${root}`, "--metrics-file", metrics];
    const watched = startVitrine(["watch", "--json", "--allow-shrink", "1000", ...args]);
    running.push(watched);
    await until("the metric", () => missingIn(metrics) === 1);
    // The metric is written first.
    await until("the event", () => watched.said().includes('"event":"looked"'));
  });
});

function missingIn(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  return parseSamples(readFileSync(file, "utf8")).get("vitrine_release_objects_missing");
}
