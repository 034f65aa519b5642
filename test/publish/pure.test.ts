/** The pure parts: comparison, order, headers, documents, guards, signatures, pace. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { forEachAtOnce } from "../../src/publish/calls.ts";
import { compareManifests, type KeyChange, keysWithout, uploadOrderOf } from "../../src/publish/changes.ts";
import {
  isCommitted,
  type Journal,
  type Pointer,
  releaseId,
  unionKeys,
} from "../../src/publish/documents.ts";
import { createHeaderMaker, tagOf } from "../../src/publish/headers.ts";
import { parseKeep } from "../../src/publish/options.ts";
import { formatEntry, parseEntry, type ReleasedEntry } from "../../src/publish/release-files.ts";
import { keptOf } from "../../src/publish/releases.ts";
import { guardShrink } from "../../src/site/shrink.ts";
import { TINY_CONFIG } from "../support/tiny-shop.ts";

const entryOf = (key: string, etag: string, headers = "h"): ReleasedEntry => ({
  key,
  digest: `d-${etag}`,
  sizeBytes: 1,
  etag,
  generatedAt: "2026-06-01T00:00:00+00:00",
  headers,
});

const listOf = (map: Map<string, string>) =>
  [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, etag]) => entryOf(key, etag));

async function* stream<Item>(items: readonly Item[]) {
  yield* items;
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const maps = fc
  .array(fc.tuple(fc.stringMatching(/^[a-d]{1,3}$/), fc.constantFrom("1", "2")), { maxLength: 30 })
  .map((entries) => new Map<string, string>(entries));

describe("comparison", () => {
  it("applied to what is live, gives the snapshot, and touches nothing else", async () => {
    await fc.assert(
      fc.asyncProperty(maps, maps, async (local, live) => {
        const changes: KeyChange[] = await collect(
          compareManifests({
            local: listOf(local),
            released: stream(listOf(live)),
            headersOf: () => "h",
            isUncertain: () => false,
          }),
        );
        const result = new Map(live);
        for (const change of changes) {
          if (change.kind === "deleted") result.delete(change.key);
          else if (change.kind !== "kept") result.set(change.entry.key, change.entry.etag);
        }
        expect([...result].sort()).toEqual([...local].sort());
        const touched = changes.filter(({ kind }) => kind !== "kept").length;
        const differ = new Set([...local.keys(), ...live.keys()]);
        expect(touched).toBe([...differ].filter((key) => local.get(key) !== live.get(key)).length);
      }),
    );
  });
  it("keeps the live entry where only the time of building differs", async () => {
    const live = { ...entryOf("a", "1"), digest: "older" };
    const [change] = await collect(
      compareManifests({
        local: [entryOf("a", "1")],
        released: stream([live]),
        headersOf: () => "h",
        isUncertain: () => false,
      }),
    );
    expect(change).toEqual({ kind: "kept", entry: live });
  });
  it("finds keys that are not in the manifest any more", async () => {
    const present = () => stream([{ key: "b" }, { key: "d" }]);
    const run = (keys: string) => () => stream([...keys].map((key) => ({ key })));
    const runs = [run("abc"), run("bde")];
    expect(await collect(keysWithout(runs, present))).toEqual(["a", "c", "e"]);
  });
});

describe("a manifest's line", () => {
  it("is read as it was written", () => {
    const hex = "0123456789abcdef";
    const entry = {
      ...entryOf("api/v1/store.json", `W/"${hex.repeat(2)}"`, hex),
      digest: hex.repeat(4),
    };
    expect(parseEntry(formatEntry(entry))).toEqual(entry);
  });
  it.each(["", "a\tb", "a\tb\tc\td\te\tf", "a\tb\t1\td\te\tf\tg"])("is refused: %j", (line) => {
    expect(() => parseEntry(line)).toThrow(/^a line is not as it should be/);
  });
});

describe("order and headers", () => {
  it.each([
    ["api/v1/product/slug=a.json", "details", "vitrine-product"],
    ["api/v1/product/id=1.json", "details", "vitrine-product"],
    ["api/v1/blog/slug=a.json", "details", "vitrine-blog"],
    ["widgets/reviews.js", "details", "vitrine-widgets-js"],
    ["api/v1/products/category=a/page=1.json", "lists", "vitrine-products"],
    ["api/v1/blog/page=1.json", "lists", "vitrine-blog"],
    ["api/v1/faqs.json", "lists", "vitrine-faqs"],
    ["api/v1/store.json", "status", "vitrine-store"],
    ["api/v1/openapi.json", "status", "vitrine-openapi"],
    ["api/v1/index.json", "status", "vitrine-index"],
  ])("%s", (key, phase, tag) => {
    expect(uploadOrderOf(key, true).phase).toBe(phase);
    expect(tagOf(key)).toBe(tag);
  });
  it("are details and first pages first, links last, but for records that may be new", () => {
    const lists = [
      ["products/page=1.json", "reviews/product_slug=a/page=1.json", "faqs.json", "blog/page=1.json"],
      ["products/page=2.json", "products/sort=price_asc/page=10.json"],
      ["products/page=11.json", "products/category=a/page=100.json"],
      ["reviews/product_id=1/page=1.json", "faqs/product_id=1.json", "product/id=1.json"],
    ];
    for (const [rank, keys] of lists.entries())
      for (const key of keys)
        expect(uploadOrderOf(`api/v1/${key}`, false), key).toEqual({ phase: "lists", rank });
    expect(uploadOrderOf("api/v1/product/id=1.json", true)).toEqual({ phase: "details", rank: 3 });
    for (const key of ["product/slug=a.json", "blog/slug=a.json"])
      expect(uploadOrderOf(`api/v1/${key}`, false), key).toEqual({ phase: "details", rank: 0 });
  });
  it("come by file type", () => {
    const headers = createHeaderMaker(TINY_CONFIG);
    expect(headers.of("widgets/reviews.js", "d").contentType).toBe("text/javascript; charset=utf-8");
    expect(headers.digestOf("api/v1/store.json")).not.toBe(headers.digestOf("widgets/reviews.js"));
  });
});

describe("documents", () => {
  it("order releases by their number", () => {
    expect(releaseId(7, "3fa91c20d4e5ffff")).toBe("00000007-3fa91c20d4e5");
    expect(releaseId(10, "a") > releaseId(9, "b")).toBe(true);
  });
  it("say whether an attempt became the live release", () => {
    const journal = { release: "2" } as Journal;
    expect(isCommitted(journal, { release: "2" } as Pointer)).toBe(true);
    expect(isCommitted(journal, { release: "1" } as Pointer)).toBe(false);
    expect(isCommitted(journal, null)).toBe(false);
  });
  it("carry the keys of an attempt that was cut off over to the next", () => {
    expect(unionKeys(["b", "a"], ["c", "a"])).toEqual(["a", "b", "c"]);
    expect(unionKeys(["a"], null)).toBeNull();
    expect(unionKeys(null, ["a"])).toBeNull();
  });
});

describe("guards", () => {
  const shrink = { liveFiles: 10_000, files: 9000, deletions: 0, allowed: 0 };
  it.each([
    [{ ...shrink, deletions: 1000 }, null],
    [{ ...shrink, deletions: 1001 }, /1,001 of 10,000 live files \(10 %\).*--allow-shrink 1001/],
    [{ ...shrink, liveFiles: 100, deletions: 20 }, null],
    [{ ...shrink, liveFiles: 100, deletions: 21 }, /21 of 100 live files \(21 %\)/],
    [{ ...shrink, liveFiles: 100, deletions: 21, allowed: 21 }, null],
    [{ ...shrink, files: 0, allowed: 10_000 }, /empty/],
  ])("%j", (numbers, message) => {
    const guard = () => guardShrink({ what: "Publishing", ...numbers });
    if (message === null) expect(guard).not.toThrow();
    else expect(guard).toThrow(message);
  });
});

describe("many at once", () => {
  it("keep to their number, and stops at the first error with nothing under way", async () => {
    let running = 0;
    let most = 0;
    const done: number[] = [];
    const work = async (item: number) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (item === 20) throw new Error("no");
      done.push(item);
    };
    await expect(forEachAtOnce(Array(100).keys(), 3, work)).rejects.toThrow("no");
    expect([most, running]).toEqual([3, 0]);
    expect(Math.max(...done)).toBeLessThan(25);
  });
});

describe("releases that are kept", () => {
  const now = new Date("2026-11-20T12:30:00Z");
  const part = (id: string, kind: "base" | "delta") => ({ id, kind, sizeBytes: 1 });
  /** One so many seconds before, newest first. */
  const released = (...ages: readonly number[]) =>
    ages.map((age) => ({
      id: String(age),
      by: "",
      files: 0,
      sizeBytes: 0,
      put: 0,
      deleted: 0,
      catalogDigest: "",
      at: new Date(now.getTime() - age * 1000).toISOString(),
    }));
  const ids = (records: readonly { readonly id: string }[]) => records.map(({ id }) => Number(id));

  it.each([
    ["1", 1],
    ["10", 10],
    ["36h", { seconds: 129_600 }],
    ["7d", { seconds: 604_800 }],
    ["90d", { seconds: 7_776_000 }],
  ])("by %s", (text, keep) => expect(parseKeep(text)).toEqual(keep));
  it.each(["0", "0d", "91d", "7w", "d", "1.5d", "-1", "", "7 d", "2161h"])("not by %j", (text) =>
    expect(() => parseKeep(text)).toThrow(/is nothing to keep releases by/),
  );

  it("are the last so many", () => {
    const older = released(1, 2, 3, 4);
    expect(ids(keptOf(older, [], 3, now))).toEqual([1, 2]);
    expect(keptOf(older, [], 1, now)).toEqual([]);
    expect(keptOf(older, [], Number.POSITIVE_INFINITY, now)).toEqual(older);
  });

  it("are of a day at a release a second so few that the pointer stays small, the ten newest among them", () => {
    const older = released(...Array.from({ length: 26 * 3600 }, (_, at) => at + 1));
    const kept = ids(keptOf(older, [], { seconds: 86_400 }, now));
    expect(kept.slice(0, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(kept.filter((age) => age > 9 && age <= 3600)).toHaveLength(60);
    const hourly = kept.filter((age) => age > 3600);
    expect(hourly.length).toBeGreaterThanOrEqual(23);
    expect(hourly.length).toBeLessThanOrEqual(25);
    for (const [at, age] of hourly.slice(1).entries())
      expect(age - (hourly[at] ?? 0)).toBeLessThanOrEqual(3600);
    expect(Math.max(...kept)).toBeLessThanOrEqual(86_400);
    // What is kept stays: the same again changes nothing.
    const again = older.filter(({ id }) => kept.includes(Number(id)));
    expect(ids(keptOf(again, [], { seconds: 86_400 }, now))).toEqual(kept);
  });

  it("are of each hour a base where there is one, and the newest however old", () => {
    const older = released(...Array.from({ length: 12 }, (_, at) => 8 * 86_400 + at), 9 * 86_400);
    expect(ids(keptOf(older, [], { seconds: 7 * 86_400 }, now))).toEqual(ids(older.slice(0, 9)));
    const [first, base, last] = [7200, 7100, 7000];
    const parts = [part(String(first), "delta"), part(String(base), "base"), part(String(last), "delta")];
    const newest = released(1, 2, 3, 4, 5, 6, 7, 8, 9);
    const kept = ids(keptOf([...newest, ...released(last, base, first)], parts, { seconds: 86_400 }, now));
    expect(kept.slice(9)).toEqual([base]);
  });
});
