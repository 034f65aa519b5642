/** Files that pages name by a digest are put before the pages, and stay until no cache shows a page that names them. */
import { randomUUID } from "node:crypto";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createDigests } from "../../src/catalog/envelope.ts";
import type { Bucket } from "../../src/publish/bucket.ts";
import { readLive } from "../../src/publish/documents.ts";
import { rulesOf, type Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { copyManifest, openManifest } from "../../src/site/manifest.ts";
import { createFaultyMemory, memoryAt, portsOf } from "../support/publishing.ts";
import { createTinyShop, TINY_CONFIG, type TinyShop } from "../support/tiny-shop.ts";

const RULES = rulesOf({ waitSeconds: 0, allowOlder: true });
const PAGE = "explore/index.html";
const scriptOf = (digest: string) => `explore/page-${digest}.js`;
const { maxAgeSeconds, sharedMaxAgeSeconds, staleIfErrorSeconds } = TINY_CONFIG.cache;
const LIFETIME = 1000 * (maxAgeSeconds + sharedMaxAgeSeconds + staleIfErrorSeconds);

describe("a page's script", () => {
  const store = createFaultyMemory();
  let shop: TinyShop;
  let first: Snapshot;
  let second: Snapshot;
  let third: Snapshot;
  let bucket: Bucket;
  let prefix: string;
  /** How far the place's clock has gone on. */
  let later = 0;
  beforeAll(async () => {
    shop = createTinyShop();
    const plain = await shop.build("plain");
    first = withPage(plain, "AAAAAAA1");
    second = withPage(plain, "BBBBBBB2");
    third = withPage(plain, "CCCCCCC3");
  });
  afterAll(() => shop.close());
  beforeEach(() => {
    prefix = randomUUID();
    later = 0;
    bucket = { ...memoryAt(store, prefix, 1), now: () => Date.now() + later };
    store.reset();
  });

  /** The snapshot with a page that names a script by its digest, as another version's build would make it. */
  function withPage(plain: Snapshot, digest: string): Snapshot {
    const layout = layoutOf(join(shop.folder, digest));
    cpSync(dirname(plain.layout.site), dirname(layout.site), { recursive: true });
    const { meta } = plain.manifest;
    rmSync(layout.manifest);
    const manifest = copyManifest(plain.layout.manifest, layout.manifest);
    const files = {
      [PAGE]: `<script src="page-${digest}.js"></script>`,
      [scriptOf(digest)]: `/* ${digest} */`,
    };
    for (const [key, text] of Object.entries(files)) {
      const bytes = Buffer.from(text);
      const { etag, digestOf } = createDigests({ bytes, stamped: false });
      mkdirSync(join(layout.site, "explore"), { recursive: true });
      writeFileSync(join(layout.site, key), bytes);
      manifest.add({ key, etag, digest: digestOf(bytes), sizeBytes: bytes.length, generatedAt: NOW });
    }
    manifest.finish(meta);
    return { ...plain, layout, manifest: openManifest(layout.manifest) };
  }

  const run = (snapshot: Snapshot) => publish(snapshot, RULES, portsOf(bucket));
  const has = async (digest: string) => (await bucket.get(scriptOf(digest))) !== null;

  it("is put before the page", async () => {
    await run(first);
    const puts = store.seen.filter(({ method }) => method === "PUT").map(({ key }) => key);
    const at = (key: string) => puts.findIndex((put) => put.endsWith(key));
    expect(at(scriptOf("AAAAAAA1"))).toBeGreaterThan(0);
    expect(at(PAGE)).toBeGreaterThan(at(scriptOf("AAAAAAA1")));
  });

  it("stays after an upgrade as long as a cache may show the page, and is deleted by a later publish", async () => {
    await run(first);
    const { counts } = await run(second);
    expect([counts.deleted, await has("AAAAAAA1"), await has("BBBBBBB2")]).toEqual([0, true, true]);
    later = LIFETIME - 1000;
    await run(third);
    expect([await has("AAAAAAA1"), await has("BBBBBBB2")]).toEqual([true, true]);
    later = LIFETIME + 1000;
    await run(second);
    expect([await has("AAAAAAA1"), await has("BBBBBBB2"), await has("CCCCCCC3")]).toEqual([
      false,
      true,
      true,
    ]);
    expect((await readLive(bucket)).retired?.map(({ key }) => key)).toEqual([scriptOf("CCCCCCC3")]);
  });

  it("is deleted in its time also if nothing else changes, once", async () => {
    await run(first);
    await run(second);
    later = LIFETIME + 1000;
    expect((await run(second)).outcome).toBe("unchanged");
    expect([await has("AAAAAAA1"), (await readLive(bucket)).retired]).toEqual([false, undefined]);
    store.reset();
    expect((await run(second)).outcome).toBe("unchanged");
    expect(store.seen).toHaveLength(2);
  });

  it("is live again if the next release names it again", async () => {
    await run(first);
    await run(second);
    await run(first);
    later = 2 * LIFETIME;
    await run(first);
    expect([await has("AAAAAAA1"), await has("BBBBBBB2")]).toEqual([true, false]);
  });

  it("stays wherever the upgrade is killed, and the next publish finishes it", async () => {
    let died = 0;
    for (let at = 3; ; at++) {
      prefix = randomUUID();
      bucket = { ...memoryAt(store, prefix, 1), now: () => Date.now() + later };
      store.reset();
      await run(first);
      store.reset();
      store.fault = (n) => (n === at ? "dead" : null);
      const ports = portsOf(bucket, { isGone: () => true });
      const isWhole = await publish(second, RULES, ports).then(
        () => true,
        () => false,
      );
      store.reset();
      if (isWhole) break;
      died += 1;
      for (const next of [second, first]) {
        await publish(next, RULES, portsOf(bucket, { isGone: () => true }));
        expect([at, await has("AAAAAAA1")]).toEqual([at, true]);
      }
    }
    expect(died).toBeGreaterThan(4);
  });
});

const NOW = "2026-11-20T12:00:00+00:00";
