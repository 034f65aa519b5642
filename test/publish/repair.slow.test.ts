/** What a place has lost behind its publisher's back is put back, and nothing else is written. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publish } from "../../src/pipeline/publish.ts";
import { type Bucket, FILE_HEADERS, manifestKey, POINTER_KEY } from "../../src/publish/bucket.ts";
import { readLive } from "../../src/publish/documents.ts";
import { checkBucket, keysOfPart } from "../../src/publish/served.ts";
import { openDirectory } from "../../src/publish/targets/directory.ts";
import { runVitrine } from "../support/command.ts";
import { startFaultProxy, upstreamOf } from "../support/fault-proxy.ts";
import { createMemoryStore } from "../support/memory-bucket.ts";
import { bucketAt } from "../support/publishing.ts";
import { RGW_ENV, RGW_MISSING, useRgw } from "../support/rgw.ts";
import { temporaryFolder } from "../support/shop.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

/** A place, as its publisher names it and as others get at it. */
interface Subject {
  readonly place: { readonly to: string; readonly endpoint?: string };
  readonly bucket: Bucket;
  /** Replaces an object, or deletes it, past the publisher. */
  spoil(key: string, body: Buffer | null): Promise<void>;
  /** Keys that were put and deleted since the last time; null where nobody counts. */
  written(): string[] | null;
}

const folder = temporaryFolder();
let shop: TinyShop;
beforeAll(() => {
  Object.assign(process.env, RGW_ENV);
  shop = createTinyShop();
});
afterAll(() => shop.close());

function inDirectory(): Subject {
  const root = join(folder, randomUUID());
  return {
    place: { to: `file://${root}` },
    bucket: openDirectory(root),
    async spoil(key, body) {
      const file = join(root, key.startsWith(".vitrine/") ? "" : "current", key);
      // A new file in its place: the old one may stand in other releases, too.
      rmSync(file, { force: true });
      if (body !== null) writeFileSync(file, body);
    },
    written: () => null,
  };
}

async function inStore(kind: "memory" | "Ceph"): Promise<Subject> {
  const store = kind === "memory" ? createMemoryStore() : upstreamOf(await useRgw());
  const proxy = await startFaultProxy(store);
  afterAll(() => proxy.close());
  const prefix = randomUUID();
  const bucket = bucketAt(proxy.url, prefix);
  return {
    place: { to: `s3://shop/${prefix}`, endpoint: proxy.url },
    bucket,
    spoil: (key, body) => (body === null ? bucket.delete([key]) : bucket.put(key, body, FILE_HEADERS)),
    written() {
      const keys = proxy.seen
        .filter(({ method }) => method === "PUT")
        .map(({ key }) => key.slice(key.indexOf(prefix) + prefix.length + 1));
      proxy.reset();
      return keys;
    },
  };
}

const SUBJECTS = [
  { name: "S3 in memory", open: () => inStore("memory"), isMissing: false },
  { name: "a directory", open: async () => inDirectory(), isMissing: false },
  { name: "Ceph", open: () => inStore("Ceph"), isMissing: RGW_MISSING !== null },
];

for (const { name, open, isMissing } of SUBJECTS) {
  describe.skipIf(isMissing)(`what is lost in ${name}`, () => {
    let subject: Subject;
    let out: string;
    let keys: readonly string[] = [];
    beforeAll(async () => {
      subject = await open();
      out = join(shop.folder, `repair-${SUBJECTS.findIndex((one) => one.name === name)}`);
      for (let at = 0; at < 3; at++) await publish({ ...(await built()), keep: 3 });
    });

    /** Changes a name and builds; what publishes it. */
    async function built() {
      shop.sql(`UPDATE products SET name = 'Name ${randomUUID()}' WHERE slug = '${shop.slugs[0]}'`);
      const { manifest } = await shop.build(basename(out));
      keys = [...manifest.entries()].map(({ key }) => key);
      manifest.close();
      return { ...subject.place, out };
    }

    async function problems(): Promise<readonly string[]> {
      const at = mkdtempSync(join(folder, "check-"));
      return (await checkBucket(subject.bucket, at, { sample: 0, progress: () => undefined })).problems;
    }

    /** All that stands there, and belongs there. */
    async function all(): Promise<Map<string, string | undefined>> {
      const { parts } = await readLive(subject.bucket);
      const found = new Map<string, string | undefined>();
      for (const key of [...keys, ...parts.flatMap(keysOfPart), POINTER_KEY])
        found.set(key, (await subject.bucket.get(key))?.body.toString("base64"));
      return found;
    }

    const answer = () => keys.find((key) => key.includes("product/slug=")) ?? "";
    const repair = () => publish({ ...subject.place, out, keep: 3, repair: true });

    it.each([
      ["is missing", () => null],
      ["is another one", (body: Buffer) => Buffer.from(body.toString().replace("true", "null"))],
      ["is cut off", (body: Buffer) => body.subarray(0, 100)],
    ])("an answer that %s is put back, alone", async (_, spoilt) => {
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
      const written = subject.written()?.filter((key) => !key.startsWith(".vitrine/"));
      if (written !== undefined) expect(written).toEqual([answer()]);
      expect(await problems()).toEqual([]);
      expect(await all()).toEqual(before);
    });

    it("answers that are no release's are deleted", async () => {
      const stray = answer().replace(/slug=.*/, "slug=gone.json");
      const before = await all();
      await subject.spoil(stray, Buffer.from("{}"));
      expect((await repair()).repaired).toMatchObject({ putBack: [], deleted: [stray] });
      expect(await subject.bucket.get(stray)).toBeNull();
      expect(await all()).toEqual(before);
    });

    it.each([
      ["the base's catalog", "base", 0],
      ["the base's manifest", "base", 1],
      ["a delta", "delta", 0],
    ] as const)("%s that is missing, or another one, is made up for by a new base", async (_, kind, at) => {
      for (const isGone of [true, false]) {
        while ((await readLive(subject.bucket)).parts.at(-1)?.kind !== "delta")
          await publish({ ...(await built()), keep: 3 });
        const { parts, releases, content } = await readLive(subject.bucket);
        const part = parts.findLast((one) => one.kind === kind);
        const key = (part === undefined ? [] : keysOfPart(part))[at] ?? "";
        const body = (await subject.bucket.get(key))?.body ?? Buffer.alloc(0);
        body[body.length >> 1] = (body[body.length >> 1] ?? 0) ^ 255;
        const before = await all();
        await subject.spoil(key, isGone ? null : body);
        expect(await problems()).toEqual([expect.stringContaining(key)]);
        subject.written();
        const { outcome, release, repaired, counts, dropped } = await repair();
        expect([outcome, repaired?.putBack, counts.putBytes]).toEqual(["published", [], 0]);
        const written = subject.written()?.filter((one) => !one.startsWith(".vitrine/"));
        if (written !== undefined) expect(written).toEqual([]);
        const live = await readLive(subject.bucket);
        expect([live.release, live.content, live.parts.at(-1)]).toMatchObject([
          release,
          content,
          { id: release, kind: "base" },
        ]);
        // What can still be read can be gone back to; what can't is told.
        const lostFrom = parts.findIndex(({ id }) => id === part?.id);
        const lost = parts.slice(lostFrom).map(({ id }) => id);
        expect(dropped).toEqual(releases.map(({ id }) => id).filter((id) => lost.includes(id)));
        expect(await problems()).toEqual([]);
        for (const one of keys) expect((await all()).get(one), one).toBe(before.get(one));
      }
    });

    it("a base that only an older release needs lets that one go, and nothing is published", async () => {
      const { parts } = await readLive(subject.bucket);
      const [first] = parts;
      expect(first?.kind === "base" && parts.filter(({ kind }) => kind === "base").length > 1).toBe(true);
      await subject.spoil(keysOfPart(first ?? { id: "", kind: "base", sizeBytes: 0 })[0] ?? "", null);
      const { release } = await readLive(subject.bucket);
      const report = await repair();
      expect([report.outcome, report.release, report.dropped.length > 0]).toEqual([
        "unchanged",
        release,
        true,
      ]);
      expect(await problems()).toEqual([]);
    });

    it("is put back by check as well, but only of what is live", async () => {
      const before = await all();
      await subject.spoil(answer(), null);
      const { to, endpoint } = subject.place;
      const args = ["check", "--remote", to, ...(endpoint === undefined ? [] : ["--endpoint", endpoint])];
      expect(await runVitrine([...args, "--out", out])).toMatchObject({ code: 4 });
      expect(await runVitrine([...args, "--out", out, "--repair"])).toMatchObject({
        code: 0,
        out: expect.stringContaining(`put back ${answer()}`),
      });
      expect(await all()).toEqual(before);
      const { out: other } = await built();
      expect(await runVitrine([...args, "--out", other, "--repair"])).toMatchObject({
        code: 2,
        err: expect.stringContaining("vitrine publish --repair makes it live"),
      });
      await publish({ ...subject.place, out });
    });
  });
}

it("takes nothing for lost that a newer version wrote", async () => {
  const { place, bucket, spoil } = inDirectory();
  const out = join(shop.folder, "repair-newer");
  (await shop.build("repair-newer")).manifest.close();
  await publish({ ...place, out });
  const pointer = await readLive(bucket);
  const [part] = pointer.parts;
  if (part === undefined) throw new Error("there is a base");
  // Its size is not known, so it is read.
  const parts = [{ ...part, sizeBytes: 0 }];
  await spoil(POINTER_KEY, Buffer.from(JSON.stringify({ ...pointer, parts })));
  const key = manifestKey(part.id);
  await spoil(key, gzipSync("vitrine-release-manifest 9\nof another kind"));
  const newer = {
    code: "newer_format",
    message: expect.stringMatching(`${key} was made by a newer Vitrine`),
  };
  await expect(publish({ ...place, out, repair: true })).rejects.toMatchObject(newer);
  const at = mkdtempSync(join(folder, "check-"));
  const checked = checkBucket(bucket, at, { sample: 0, progress: () => undefined });
  await expect(checked).rejects.toMatchObject(newer);
  expect((await readLive(bucket)).parts).toEqual(parts);
});
