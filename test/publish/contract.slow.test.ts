/**
 * What every target promises (the comments of `Bucket`): the same tests for all of them; for targets with requests also under every
 * fault: requests that fail and are not done, that fail and are done, and that are never answered.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bucket, CONTROL, OBJECT_HEADERS } from "../../src/publish/bucket.ts";
import { openDirectory } from "../../src/publish/buckets/directory.ts";
import { compareAndSet, probeConditions } from "../../src/publish/conditional-writes.ts";
import { startFaultProxy, upstreamOf } from "../support/fault-proxy.ts";
import { createFaultyStore, FAULTS, type FaultyStore } from "../support/faults.ts";
import { createMemoryStore } from "../support/memory-bucket.ts";
import { bucketAt, hastyFor, memoryAt } from "../support/publishing.ts";
import { RGW_MISSING, useRgw } from "../support/rgw.ts";

interface Subject {
  /** A separate empty place. */
  open(): Bucket;
  /** A place that does not exist and never will. */
  openNowhere(): Bucket;
  /** Injects faults into its requests. */
  readonly faults?: FaultyStore;
  /** True if it stores an object's headers. */
  readonly keepsHeaders: boolean;
  close(): Promise<void>;
}

const folder = mkdtempSync(join(tmpdir(), "vitrine-contract-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function createMemory(openAt: typeof memoryAt): Subject {
  const store = createFaultyStore(createMemoryStore());
  const clock = hastyFor(store);
  return {
    open: () => openAt(store, randomUUID(), 8, { clock }),
    openNowhere: () => openAt(store, "", 8, undefined, "missing"),
    faults: store,
    keepsHeaders: true,
    close: async () => undefined,
  };
}

function createDirectory(): Subject {
  const file = join(folder, "a-file");
  writeFileSync(file, "");
  return {
    open: () => openDirectory(join(folder, randomUUID())),
    openNowhere: () => openDirectory(join(file, "below")),
    keepsHeaders: false,
    close: async () => undefined,
  };
}

async function createRgw(): Promise<Subject> {
  const rgw = await useRgw();
  const proxy = await startFaultProxy(upstreamOf(rgw));
  const clock = hastyFor(proxy);
  return {
    open: () => bucketAt(proxy.url, randomUUID(), 8, { clock }),
    openNowhere: () => bucketAt(proxy.url, "", 8, undefined, "missing"),
    faults: proxy,
    keepsHeaders: true,
    close: proxy.close,
  };
}

const KEY = `${CONTROL}contract.json`;
/** Byte sequences that a file may have. */
const text = (words: string) => Buffer.from(`{"say":"${words}"}`);
const HEADERS = {
  contentType: "application/json",
  cacheControl: "public, max-age=60",
  metadata: { "cache-tag": "vitrine-store" },
};

const TARGETS = [
  { name: "S3 in memory", create: () => createMemory(bucketAt), hasRequests: true, isMissing: false },
  {
    name: "memory without the SDK",
    create: () => createMemory(memoryAt),
    hasRequests: true,
    isMissing: false,
  },
  { name: "a directory", create: createDirectory, hasRequests: false, isMissing: false },
  { name: "Ceph", create: createRgw, hasRequests: true, isMissing: RGW_MISSING !== null },
];

for (const { name, create, hasRequests, isMissing } of TARGETS) {
  describe.skipIf(isMissing)(`the contract of a target: ${name}`, () => {
    let subject: Subject;
    beforeAll(async () => {
      subject = await create();
    });
    afterAll(() => subject.close());

    it("returns what was put, with its headers", async () => {
      const bucket = subject.open();
      await bucket.put(KEY, text("one"), HEADERS);
      const first = await bucket.get(KEY);
      expect(first?.body).toEqual(text("one"));
      expect(Math.abs(first?.ageSeconds ?? 999)).toBeLessThan(60);
      const head = await bucket.head(KEY);
      expect(head).toMatchObject({
        sizeBytes: text("one").length,
        contentType: expect.stringMatching(/json/),
      });
      if (subject.keepsHeaders) expect(head).toMatchObject(HEADERS);
      const large = Buffer.alloc(300_000, "large");
      await bucket.put(KEY, large, OBJECT_HEADERS);
      const next = await bucket.get(KEY);
      expect(next?.etag).not.toBe(first?.etag);
      expect(next?.body.equals(large)).toBe(true);
    });

    it("reports missing objects by null or false, and deletes keys whether they exist or not", async () => {
      const bucket = subject.open();
      const absent = async () => {
        expect(await bucket.get(KEY)).toBeNull();
        expect(await bucket.head(KEY)).toBeNull();
      };
      await absent();
      await bucket.delete([KEY, `${CONTROL}other`]);
      await bucket.put(KEY, text("one"), HEADERS);
      await bucket.delete([KEY, `${CONTROL}other`]);
      await absent();
      await bucket.delete([]);
    });

    it("lists the keys with a prefix, until they are deleted", async () => {
      const bucket = subject.open();
      const keys = [
        `${CONTROL}objects/1.gz`,
        "api/v1/products/category=scripts/page=1.json",
        "api/v1/products/page=1.json",
        "api/v1/store.json",
        "robots.txt",
      ];
      const list = async (beginning: string) => {
        const found: string[] = [];
        for await (const key of bucket.list(beginning)) found.push(key);
        return found.sort();
      };
      expect(await list("")).toEqual([]);
      for (const key of keys) await bucket.put(key, text(key), HEADERS);
      expect(await list("")).toEqual(keys);
      expect(await list(CONTROL)).toEqual(keys.slice(0, 1));
      expect(await list("api/")).toEqual(keys.slice(1, 4));
      expect(await list("api/v1/products/p")).toEqual(keys.slice(2, 3));
      expect(await list("api/v1/s")).toEqual(keys.slice(3, 4));
      expect(await list("robots.txt")).toEqual(keys.slice(4));
      expect(await list("none/")).toEqual([]);
      await bucket.delete(keys.slice(1));
      expect(await list("")).toEqual(keys.slice(0, 1));
    });

    it("honours conditions", async () => {
      const bucket = subject.open();
      const style = await probeConditions(bucket, randomUUID());
      expect(style).toMatch(/^(un)?quoted$/);
      const spelled = (etag = "") => (style === "quoted" ? etag : etag.replaceAll('"', ""));
      const put = (words: string, condition: Parameters<Bucket["putIf"]>[3]) =>
        bucket.putIf(KEY, text(words), HEADERS, condition);
      expect(await put("none", { ifMatch: spelled('"0123456789abcdef0123456789abcdef"') })).toEqual({
        kind: "refused",
      });
      expect(await put("one", { ifNoneMatch: "*" })).toMatchObject({ kind: "written" });
      expect(await put("again", { ifNoneMatch: "*" })).toEqual({ kind: "refused" });
      const first = await bucket.get(KEY);
      const written = await put("two", { ifMatch: spelled(first?.etag) });
      const second = await bucket.get(KEY);
      expect(written).toMatchObject({ kind: "written", etag: second?.etag });
      expect(await put("three", { ifMatch: spelled(first?.etag) })).toEqual({ kind: "refused" });
      expect(second?.body).toEqual(text("two"));
      await bucket.delete([KEY]);
      expect(await put("new", { ifNoneMatch: "*" })).toMatchObject({ kind: "written" });
    });

    it("lets one of several parallel compare-and-sets win, and shows the others the winner", async () => {
      const bucket = subject.open();
      const style = await probeConditions(bucket, randomUUID());
      let expected: string | null = null;
      for (let round = 0; round < 3; round++) {
        const bodies = Array.from({ length: 6 }, (_, at) => text(`${round} ${at}`));
        const write = { key: KEY, headers: HEADERS, expected, style };
        const outcomes = await Promise.all(bodies.map((body) => compareAndSet(bucket, { ...write, body })));
        const winners = bodies.filter((_, at) => outcomes[at]?.won);
        expect(winners.length).toBe(1);
        const found = await bucket.get(KEY);
        expect(found?.body).toEqual(winners[0]);
        expected = found?.etag ?? null;
      }
    });

    it.each([
      ["failed and not done", false],
      ["failed but done", true],
    ])("knows the outcome of a compare-and-set that %s", async (_, isDone) => {
      const bucket = subject.open();
      const style = await probeConditions(bucket, randomUUID());
      let failures = 0;
      const failing: Bucket = {
        ...bucket,
        async putIf(...args) {
          if (failures++ > 0) return bucket.putIf(...args);
          if (isDone) await bucket.putIf(...args);
          return { kind: "unknown", cause: new Error("no response") };
        },
      };
      const write = { key: KEY, body: text("mine"), headers: HEADERS, expected: null, style };
      const outcome = await compareAndSet(failing, write);
      expect(outcome).toEqual({ won: true, etag: (await bucket.get(KEY))?.etag });
      expect((await bucket.get(KEY))?.body).toEqual(text("mine"));
      expect(failures).toBe(isDone ? 1 : 2);
    });

    it("reports a final failure as a failure of the remote", async () => {
      const nowhere = subject.openNowhere();
      const hopeless = { code: "remote_failed", exitCode: 5 };
      await expect(nowhere.put(KEY, text("one"), HEADERS)).rejects.toMatchObject(hopeless);
    });

    for (const fault of hasRequests ? FAULTS : []) {
      it(`under a fault: ${fault}`, async () => {
        const { faults } = subject;
        if (faults === undefined) throw new Error("this target injects no faults");
        const bucket = subject.open();
        const spoil = async <Result>(at: number, work: () => Promise<Result>) => {
          faults.reset();
          faults.fault = (n) => (n === at ? fault : null);
          const result = await work();
          faults.reset();
          return result;
        };
        await spoil(0, () => bucket.put(KEY, text("put"), HEADERS));
        expect((await spoil(0, () => bucket.get(KEY)))?.body).toEqual(text("put"));
        expect(await spoil(0, () => bucket.head(KEY))).toMatchObject(HEADERS);
        const others = [1, 2, 3].map((at) => `${CONTROL}${at}`);
        for (const key of others) await bucket.put(key, text(key), HEADERS);
        await spoil(0, () => bucket.delete(others));
        for (const key of others) expect(await bucket.get(key)).toBeNull();
        const list = async () => {
          const found: string[] = [];
          for await (const key of bucket.list(CONTROL)) found.push(key);
          return found;
        };
        expect(await spoil(0, list)).toEqual([KEY]);
        // A conditional write, and the reading that determines its outcome.
        const style = await probeConditions(bucket, randomUUID());
        for (const at of [0, 1]) {
          const expected = (await bucket.get(KEY))?.etag ?? null;
          const body = text(`set ${at}`);
          const write = { key: KEY, body, headers: HEADERS, expected, style };
          const outcome = await spoil(at, () => compareAndSet(bucket, write));
          const found = await bucket.get(KEY);
          expect(outcome).toEqual({ won: true, etag: found?.etag });
          expect(found?.body).toEqual(body);
        }
        bucket[Symbol.dispose]();
      });
    }
  });
}
