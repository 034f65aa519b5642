/** The pure parts: comparison, order, headers, documents, guards, signatures, pace. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { forEachAtOnce } from "../../src/base/at-once.ts";
import {
  type CompareInputs,
  KeyChanges,
  nextEntries,
  PHASES,
  uploadOrderOf,
} from "../../src/publish/changes.ts";
import { isCommitted, type Journal, type Pointer, releaseId } from "../../src/publish/documents.ts";
import { createHeaderMaker, tagOf } from "../../src/publish/headers.ts";
import {
  cutEntries,
  entryPartition,
  parseEntries,
  partitionCount,
  type ReleasedEntry,
} from "../../src/release/partitions.ts";
import type { ManifestEntry } from "../../src/site/manifest.ts";
import { guardShrink } from "../../src/site/shrink.ts";
import { TINY_CONFIG } from "../support/tiny-shop.ts";

const entryOf = (key: string, etag: string, generatedAt = "2026-06-01T00:00:00+00:00"): ManifestEntry => ({
  key,
  digest: `d-${etag}`,
  sizeBytes: 1,
  etag,
  generatedAt,
});

const listOf = (map: Map<string, string>) =>
  [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, etag]) => entryOf(key, etag));

const maps = fc
  .array(fc.tuple(fc.stringMatching(/^[a-d]{1,3}$/), fc.constantFrom("1", "2")), { maxLength: 30 })
  .map((entries) => new Map<string, string>(entries));

interface Compared extends Partial<Omit<CompareInputs, "local" | "live">> {
  readonly local?: readonly ManifestEntry[];
  readonly live?: readonly ManifestEntry[];
}

function withChanges<Result>(
  { local = [], live = [], ...inputs }: Compared,
  work: (changes: KeyChanges, next: readonly ReleasedEntry[]) => Result,
): Result {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-changes-"));
  const all = {
    local: () => local,
    live: () => live,
    isNext: (key: string) => local.some((entry) => entry.key === key),
    isOtherHeaders: false,
    isUncertain: () => false,
    uncertain: [],
    isRetired: () => false,
    ...inputs,
  };
  try {
    using changes = new KeyChanges(folder);
    changes.compare(all);
    return work(changes, [...nextEntries(all)]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const putsOf = (changes: KeyChanges) => PHASES.flatMap((phase) => [...changes.puttable(phase)]);

describe("comparison", () => {
  it("applied to what is live, gives the snapshot, and changes nothing else", () => {
    fc.assert(
      fc.property(maps, maps, (local, live) => {
        withChanges({ local: listOf(local), live: listOf(live) }, (changes, next) => {
          const result = new Map(live);
          for (const key of changes.deletions()) result.delete(key);
          for (const { key } of putsOf(changes)) result.set(key, local.get(key) ?? "");
          expect([...result].sort()).toEqual([...local].sort());
          const differ = new Set([...local.keys(), ...live.keys()]);
          const touched = [...differ].filter((key) => local.get(key) !== live.get(key)).sort();
          expect([...changes.touched()]).toEqual(touched);
          expect(next.map(({ key, etag }) => [key, etag]).sort()).toEqual([...local].sort());
        });
      }),
      { numRuns: 50 },
    );
  });
  it("keeps the live entry if only the build time differs", () => {
    const live = entryOf("a", "1", "2020-01-01T00:00:00+00:00");
    withChanges({ local: [entryOf("a", "1")], live: [live] }, (changes, next) => {
      expect(changes.counts).toMatchObject({ kept: 1, putBytes: 0 });
      expect(next).toMatchObject([{ key: "a", generatedAt: live.generatedAt }]);
    });
  });
  it("puts or deletes again what an interrupted publish may have put", () => {
    const uncertain = new Set(["a", "c"]);
    const local = [entryOf("a", "1"), entryOf("b", "1")];
    const live = [entryOf("a", "1", "2020-01-01T00:00:00+00:00"), entryOf("b", "1")];
    withChanges({ local, live, uncertain, isUncertain: (key) => uncertain.has(key) }, (changes, next) => {
      expect(putsOf(changes).map(({ key }) => key)).toEqual(["a"]);
      expect([...changes.deletions()]).toEqual(["c"]);
      // The bytes to put are the snapshot's.
      expect(next.find(({ key }) => key === "a")).toMatchObject({
        generatedAt: local[0]?.generatedAt,
      });
    });
  });
  it("puts all keys again if their headers changed", () => {
    const entries = [entryOf("a", "1"), entryOf("b", "1")];
    withChanges({ local: entries, live: entries, isOtherHeaders: true }, (changes) =>
      expect(changes.counts).toMatchObject({ headers: 2, kept: 0, putBytes: 2 }),
    );
  });
});

describe("partitions", () => {
  it.each([
    [0, null, 1],
    [1, null, 1],
    [100, null, 1],
    [141, null, 1],
    [142, null, 2],
    [20_000, null, 256],
    [45_091, null, 512],
    // The previous release's number stays while a partition holds 50 to 200 rows.
    [142, 1, 1],
    [200, 1, 1],
    [201, 1, 2],
    [100, 2, 2],
    [99, 2, 1],
    [0, 1, 1],
    [0, 64, 1],
    [12_800, 64, 64],
    [12_801, 64, 128],
  ])("of %i rows, after %s, are %i", (rows, previous, count) => {
    expect(partitionCount(rows, previous)).toBe(count);
  });
  const hex = "0123456789abcdef".repeat(2);
  const pages = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `api/v1/products/page=${from + at}.json`)
      .sort()
      .map((key) => entryOf(key, `W/"${hex}"`))
      .map(({ digest: _, ...entry }) => entry);
  const contents = (entries: readonly ReleasedEntry[]) =>
    [...cutEntries(entries)].map((partition) => entryPartition(partition).toString());

  it("of a manifest are cut at certain keys: a change affects one or two", () => {
    const entries = pages(1000, 6000);
    const before = contents(entries);
    expect(before.length).toBeGreaterThan(25);
    expect(before.length).toBeLessThan(100);
    expect(before.join("")).toBe(entryPartition(entries).toString());
    const isKnown = new Set(before);
    for (const at of [0, 77, 2500, 4999]) {
      const changed = entries.with(at, { ...entryOf("", `W/"${hex}"`), ...entries[at], sizeBytes: 2 });
      expect(contents(changed).filter((one) => !isKnown.has(one)).length).toBe(1);
      const fewer = contents(entries.toSpliced(at, 1));
      expect(fewer.filter((one) => !isKnown.has(one)).length).toBeLessThanOrEqual(1);
    }
  });
  it("of a manifest are read as they were written, and nothing else is accepted", () => {
    const [first = [], second = []] = [...cutEntries(pages(1000, 6000))];
    const content = entryPartition(first);
    expect(parseEntries(content)).toEqual(first);
    expect(() => parseEntries(content.subarray(0, -1))).toThrow("cut off");
    expect(() => parseEntries(entryPartition(first.toReversed()))).toThrow("not in order");
    expect(() => parseEntries(entryPartition([...first, ...second]))).toThrow("begins another partition");
    const strange = content.toString().replace("api/v1/products", ".vitrine/current");
    expect(() => parseEntries(Buffer.from(strange))).toThrow("is not an entry");
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
    ["explore/page-IMGWZQS4.js", "details", "vitrine-pages"],
    ["explore/style-KUDCDURE.css", "details", "vitrine-pages"],
    ["explore/index.html", "status", "vitrine-pages"],
    ["docs/index.html", "status", "vitrine-pages"],
    ["bulk/product/0.ndjson.gz", "details", "vitrine-pages"],
    ["bulk/index.json", "status", "vitrine-pages"],
    ["feeds/sitemap-products-0.xml", "details", "vitrine-pages"],
    ["feeds/sitemap.xml", "status", "vitrine-pages"],
  ])("%s", (key, phase, tag) => {
    expect(uploadOrderOf(key, true).phase).toBe(phase);
    expect(tagOf(key)).toBe(tag);
  });
  it("are details and first pages first, links last, except for records that may be new", () => {
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
  it("depend on the file type", () => {
    const headers = createHeaderMaker(TINY_CONFIG);
    expect(headers.of("widgets/reviews.js", "d").contentType).toBe("text/javascript; charset=utf-8");
  });
});

describe("documents", () => {
  it("sort releases by their number", () => {
    expect(releaseId(7, "3fa91c20d4e5ffff")).toBe("00000007-3fa91c20d4e5");
    expect(releaseId(10, "a") > releaseId(9, "b")).toBe(true);
  });
  it("say whether an attempt became the live release", () => {
    const journal = { release: "2" } as Journal;
    expect(isCommitted(journal, { release: "2" } as Pointer)).toBe(true);
    expect(isCommitted(journal, { release: "1" } as Pointer)).toBe(false);
    expect(isCommitted(journal, null)).toBe(false);
  });
});

describe("guards", () => {
  const shrink = { liveFiles: 10_000, files: 9000, deletions: 0, allowed: 0 };
  it.each([
    [{ ...shrink, deletions: 1000 }, null],
    [{ ...shrink, deletions: 1001 }, /1,001 of 10,000 files \(10 %\).*--allow-shrink 1001/],
    [{ ...shrink, liveFiles: 100, deletions: 20 }, null],
    [{ ...shrink, liveFiles: 100, deletions: 21 }, /21 of 100 files \(21 %\)/],
    [{ ...shrink, liveFiles: 100, deletions: 21, allowed: 21 }, null],
    [{ ...shrink, files: 0, allowed: 10_000 }, /empty/],
  ])("%j", (numbers, message) => {
    const guard = () => guardShrink({ what: "Publishing", ...numbers });
    if (message === null) expect(guard).not.toThrow();
    else expect(guard).toThrow(message);
  });

  it.each([
    ["Publishing", "vitrine diff"],
    ["Building", "vitrine doctor"],
  ] as const)("has a hint for what was refused: %s", (what, hint) => {
    const many = { liveFiles: 1000, files: 500, deletions: 500, allowed: 0 };
    const refused = { code: "guard_refused", hint: expect.stringContaining(hint) };
    expect(() => guardShrink({ what, ...many })).toThrow(expect.objectContaining(refused));
  });
});

describe("many at once", () => {
  it("stay within their number, and stop at the first error with nothing running", async () => {
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
