/**
 * What a place has lost without its publisher's knowledge is put back, and nothing else is written. Real stores are held to the
 * port's contract by contract.slow.test.ts.
 */
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publishFolder as publish } from "../../src/pipeline/publish.ts";
import { type Bucket, OBJECT_HEADERS, POINTER_KEY } from "../../src/publish/bucket.ts";
import { readLive } from "../../src/publish/documents.ts";
import { fetchIndex } from "../../src/publish/fetch-release.ts";
import { checkBucket } from "../../src/publish/served.ts";
import { nameOfObject, objectKey, zipObject } from "../../src/release/objects.ts";
import { objectsOf } from "../../src/release/release-index.ts";
import { runVitrine } from "../support/command.ts";
import { startFaultProxy } from "../support/fault-proxy.ts";
import { createMemoryStore, type Quirks } from "../support/memory-bucket.ts";
import { bucketAt, keptObjects } from "../support/publishing.ts";
import { RGW_ENV } from "../support/rgw.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

/** A place, as its publisher and as others access it. */
interface Subject {
  readonly place: { readonly to: string; readonly endpoint?: string };
  readonly bucket: Bucket;
  /** Replaces or deletes an object without the publisher. */
  spoil(key: string, body: Buffer | null): Promise<void>;
  /** Changes an object's headers without the publisher; a header of null is removed. */
  relabel(key: string, headers: Readonly<Record<string, string | null>>): void;
  /** Keys that were put since the last call. */
  written(): string[];
  /** How many requests of a method were made since the last call of `written`. */
  count(method: string): number;
}

let shop: TinyShop;
beforeAll(() => {
  Object.assign(process.env, RGW_ENV);
  shop = createTinyShop();
});
afterAll(() => shop.close());

async function inStore(quirks: Quirks = {}): Promise<Subject> {
  const store = createMemoryStore("shop", quirks);
  const proxy = await startFaultProxy(store);
  afterAll(() => proxy.close());
  const prefix = randomUUID();
  const bucket = bucketAt(proxy.url, prefix);
  return {
    place: { to: `s3://shop/${prefix}`, endpoint: proxy.url },
    bucket,
    spoil: (key, body) => (body === null ? bucket.delete([key]) : bucket.put(key, body, OBJECT_HEADERS)),
    relabel(key, headers) {
      const found = store.objects.get(`${prefix}/${key}`);
      if (found === undefined) throw new Error(`no ${key}`);
      const kept = Object.entries({ ...found.headers, ...headers }).flatMap(([name, value]) =>
        value === null ? [] : [[name, value] as const],
      );
      store.objects.set(`${prefix}/${key}`, { ...found, headers: Object.fromEntries(kept) });
    },
    count: (method) => proxy.count(method),
    written() {
      const keys = proxy.seen
        .filter(({ method }) => method === "PUT")
        .map(({ key }) => key.slice(key.indexOf(prefix) + prefix.length + 1));
      proxy.reset();
      return keys;
    },
  };
}

describe("losses", () => {
  let subject: Subject;
  let out: string;
  let keys: readonly string[] = [];
  beforeAll(async () => {
    subject = await inStore();
    out = join(shop.folder, "repair");
    for (let at = 0; at < 3; at++) await publish({ ...(await built()), keep: 3 });
  });

  /** Changes a name and builds; returns a function that publishes it. */
  async function built() {
    shop.sql(`UPDATE products SET name = 'Name ${randomUUID()}' WHERE slug = '${shop.slugs[0]}'`);
    const { manifest } = await shop.build(basename(out));
    keys = [...manifest.entries()].map(({ key }) => key);
    manifest.close();
    return { ...subject.place, out };
  }

  async function problems(): Promise<readonly string[]> {
    return (await checkBucket(subject.bucket, { sample: 0, progress: () => undefined })).problems;
  }

  /** Everything at the place that belongs there. */
  async function all(): Promise<Map<string, string | undefined>> {
    const found = new Map<string, string | undefined>();
    for (const key of [...keys, ...(await keptObjects(subject.bucket)), POINTER_KEY])
      found.set(key, (await subject.bucket.get(key))?.body.toString("base64"));
    return found;
  }

  const answer = () => keys.find((key) => key.includes("product/slug=")) ?? "";
  const repair = () => publish({ ...subject.place, out, keep: 3, repair: true });

  it.each([
    ["is missing", () => null],
    ["is another one", (body: Buffer) => Buffer.from(body.toString().replace("true", "null"))],
    ["is cut off", (body: Buffer) => body.subarray(0, 100)],
  ])("an answer that %s is put back, and nothing else", async (_, spoilt) => {
    const before = await all();
    const body = Buffer.from(before.get(answer()) ?? "", "base64");
    await subject.spoil(answer(), spoilt(body));
    expect(await problems()).toEqual([expect.stringContaining(answer())]);
    expect(await publish({ ...subject.place, out })).toMatchObject({
      outcome: "unchanged",
      repaired: null,
    });
    subject.written();
    const { outcome, repaired, dropped } = await repair();
    expect([outcome, repaired?.putBack, repaired?.deleted, dropped]).toEqual([
      "unchanged",
      [answer()],
      [],
      [],
    ]);
    expect(subject.written().filter((key) => !key.startsWith(".vitrine/"))).toEqual([answer()]);
    expect(await problems()).toEqual([]);
    expect(await all()).toEqual(before);
  });

  it.each([
    ["Cache-Control", { "cache-control": null }, "missing, not public, max-age=60"],
    ["Cache-Control", { "cache-control": "no-cache" }, "no-cache, not public, max-age=60"],
    ["content type", { "content-type": "binary/octet-stream" }, "binary/octet-stream, not application/json"],
    ["Content-Encoding", { "content-encoding": "gzip" }, "gzip, not missing"],
    ["metadata digest", { "x-amz-meta-digest": null }, "missing, not "],
    ["metadata cache-tag", { "x-amz-meta-cache-tag": "theirs" }, "theirs, not vitrine-product"],
  ])("an answer whose %s another client changed is put back: %j", async (name, headers, said) => {
    await repair();
    const key = answer();
    subject.relabel(key, headers);
    expect(await problems()).toEqual([expect.stringContaining(`${key}: its ${name} is ${said}`)]);
    subject.written();
    expect((await repair()).repaired).toMatchObject({ putBack: [key], deleted: [] });
    expect(subject.written().filter((one) => !one.startsWith(".vitrine/"))).toEqual([key]);
    expect(await problems()).toEqual([]);
  });

  it("metadata that others added is ignored, and a check asks once for each answer", async () => {
    await repair();
    subject.relabel(answer(), { "x-amz-meta-mtime": "1764341000" });
    const { releases } = await readLive(subject.bucket);
    subject.written();
    expect(await problems()).toEqual([]);
    expect(subject.count("HEAD")).toBe(0);
    // The pointer, each object once more where it is the index, parts of the manifest are read twice, and each answer once.
    const objects = (await keptObjects(subject.bucket)).length;
    expect(subject.count("GET")).toBeLessThan(keys.length + 2 * objects + releases.length + 10);
  });

  it("answers of no release are deleted", async () => {
    const stray = answer().replace(/slug=.*/, "slug=gone.json");
    const before = await all();
    await subject.spoil(stray, Buffer.from("{}"));
    expect((await repair()).repaired).toMatchObject({ putBack: [], deleted: [stray] });
    expect(await subject.bucket.get(stray)).toBeNull();
    expect(await all()).toEqual(before);
  });

  /** Keys of objects that only the live release names, and of those that only older ones name. */
  async function objectsApart() {
    const { releases } = await readLive(subject.bucket);
    const named = [];
    for (const { index } of releases)
      named.push(new Set([index, ...objectsOf(await fetchIndex(subject.bucket, index))]));
    const [live = new Set<string>(), ...older] = named;
    const inOlder = new Set(older.flatMap((names) => [...names]));
    return {
      releases,
      index: objectKey(releases[0]?.index ?? ""),
      live: [...live].filter((name) => !inOlder.has(name)).map(objectKey),
      shared: [...live].filter((name) => inOlder.has(name)).map(objectKey),
      older: [...inOlder].filter((name) => !live.has(name)).map(objectKey),
    };
  }

  it.each([
    ["index", true],
    ["live", false],
    ["shared", true],
  ] as const)(
    "an object that is missing or different is put again: %s, missing: %s",
    async (which, isGone) => {
      for (let at = 0; at < 2; at++) await publish({ ...(await built()), keep: 3 });
      const { releases, [which]: found } = await objectsApart();
      const key =
        typeof found === "string"
          ? found
          : (found.find((one) => one !== objectKey(releases[0]?.index ?? "")) ?? "");
      const body = (await subject.bucket.get(key))?.body ?? Buffer.alloc(0);
      body[body.length >> 1] = (body[body.length >> 1] ?? 0) ^ 255;
      const before = await all();
      const { content } = await readLive(subject.bucket);
      await subject.spoil(key, isGone ? null : body);
      expect(await problems()).toEqual([expect.stringContaining(key)]);
      subject.written();
      const { outcome, release, repaired, counts, dropped } = await repair();
      expect([outcome, repaired?.putBack, counts.putBytes]).toEqual(["published", [], 0]);
      expect(subject.written().filter((one) => !one.startsWith(".vitrine/"))).toEqual([]);
      const live = await readLive(subject.bucket);
      expect([live.release, live.content]).toEqual([release, content]);
      // A release with the same content takes its place; older ones that share the object are complete again.
      expect(dropped).toEqual([releases[0]?.id]);
      expect(live.releases.slice(1)).toEqual(releases.slice(1));
      expect(await problems()).toEqual([]);
      const after = await all();
      for (const one of keys) expect(after.get(one), one).toBe(before.get(one));
    },
  );

  it("an object that only an older release needs drops that release, and nothing is published", async () => {
    for (let at = 0; at < 2; at++) await publish({ ...(await built()), keep: 3 });
    const { older } = await objectsApart();
    await subject.spoil(older[0] ?? "", null);
    const { release } = await readLive(subject.bucket);
    const report = await repair();
    expect([report.outcome, report.release, report.dropped.length > 0]).toEqual(["unchanged", release, true]);
    expect(await problems()).toEqual([]);
  });

  it("an object that no kept release names is deleted", async () => {
    const stray = objectKey("0".repeat(64));
    await subject.spoil(stray, Buffer.from("theirs"));
    expect((await repair()).repaired).toMatchObject({ putBack: [], deleted: [stray] });
    expect(await subject.bucket.get(stray)).toBeNull();
  });

  it("are repaired by check as well, but only for the live content", async () => {
    const before = await all();
    await subject.spoil(answer(), null);
    const { to, endpoint } = subject.place;
    const args = ["check", "--to", to, ...(endpoint === undefined ? [] : ["--endpoint", endpoint])];
    expect(await runVitrine([...args, "--out", out])).toMatchObject({ code: 4 });
    expect(await runVitrine([...args, "--out", out, "--repair"])).toMatchObject({
      code: 0,
      out: expect.stringContaining(`put back ${answer()}`),
    });
    expect(await all()).toEqual(before);
    const { out: other } = await built();
    expect(await runVitrine([...args, "--out", other, "--repair", "--wait", "0"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("vitrine publish --repair makes it live"),
    });
    await publish({ ...subject.place, out });
  });
});

it("are put back in a store without conditional writes, by the promise that publish takes", async () => {
  const { place, bucket, spoil } = await inStore({ conditions: "ignored" });
  const out = join(shop.folder, "repair-alone");
  const { manifest } = await shop.build("repair-alone");
  const [{ key } = { key: "" }] = manifest.entries();
  manifest.close();
  await publish({ ...place, out, singlePublisher: true });
  await spoil(key, null);
  const args = ["check", "--repair", "--to", place.to, "--endpoint", place.endpoint ?? "", "--out", out];
  expect(await runVitrine(args)).toMatchObject({
    code: 6,
    err: expect.stringContaining("--single-publisher"),
  });
  expect(await runVitrine([...args, "--single-publisher", "--lease", "30"])).toMatchObject({
    code: 0,
    out: expect.stringContaining(`put back ${key}`),
  });
  expect(await bucket.get(key)).not.toBeNull();
});

it("does not treat what a newer version wrote as lost", async () => {
  const { place, bucket, spoil } = await inStore();
  const out = join(shop.folder, "repair-newer");
  (await shop.build("repair-newer")).manifest.close();
  await publish({ ...place, out });
  rmSync(join(out, ".places"), { recursive: true });
  const pointer = await readLive(bucket);
  const [live] = pointer.releases;
  const content = Buffer.from('{"format":9}');
  const index = nameOfObject(content);
  await spoil(objectKey(index), await zipObject(content));
  await spoil(POINTER_KEY, Buffer.from(JSON.stringify({ ...pointer, releases: [{ ...live, index }] })));
  const newer = {
    code: "newer_format",
    message: expect.stringMatching(`${objectKey(index)} was made by a newer Vitrine`),
  };
  await expect(publish({ ...place, out, repair: true })).rejects.toMatchObject(newer);
  await expect(checkBucket(bucket, { sample: 0, progress: () => undefined })).rejects.toMatchObject(newer);
  expect((await readLive(bucket)).releases[0]?.index).toBe(index);
});
