/** Whatever a place's objects contain, their parsers accept it or refuse it by its name, without other effects. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VitrineError } from "../../src/base/error.ts";
import { parseShallowJson } from "../../src/base/json.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { recordReader } from "../../src/catalog/record-reader.ts";
import { RESOURCES } from "../../src/catalog/resources.ts";
import { isSiteKey } from "../../src/key/key.ts";
import { readingObject } from "../../src/publish/bucket.ts";
import { parseJournal, parsePointer } from "../../src/publish/documents.ts";
import { makeRelease } from "../../src/release/make-release.ts";
import { nameOfObject, unzipObject } from "../../src/release/objects.ts";
import { entryPartition, parseEntries, recordPartition } from "../../src/release/partitions.ts";
import { encodeIndex, parseIndex, type ReleaseIndex } from "../../src/release/release-index.ts";
import { anyCharacter } from "../support/any-character.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

const folder = mkdtempSync(join(tmpdir(), "vitrine-parsers-"));
let shop: TinyShop;
let catalog: string;
let index: ReleaseIndex;
/** Lines of records, by list. */
const records = new Map<(typeof RESOURCES)[number]["name"], string[]>();

beforeAll(async () => {
  shop = createTinyShop();
  const { layout, manifest } = await shop.build("parsers");
  manifest.close();
  catalog = layout.catalog;
  using opened = openCatalog(catalog);
  const made = { madeOf: () => undefined, keepMade: () => undefined };
  const inputs = {
    catalog: opened,
    entries: [],
    previous: null,
    hasObject: () => false,
    folder,
  };
  index = (await makeRelease(inputs, made)).index;
  for (const { name } of RESOURCES) {
    const ids = opened.db.prepare<[], number>(`SELECT id FROM ${name} ORDER BY id LIMIT 3`).pluck().all();
    const lines = recordPartition(opened.db, name, ids).toString().split("\n");
    if (ids.length > 0) records.set(name, lines.slice(0, -1));
  }
});
afterAll(() => {
  shop.close();
  rmSync(folder, { recursive: true, force: true });
});

const DIGEST = "0123456789ab".padEnd(64, "0");
const ID = "00000001-0123456789ab";
const POINTER = {
  format: 1,
  generation: 1,
  attempt: "a",
  release: ID,
  content: DIGEST,
  headerPolicy: "1 max-age=60",
  conditions: "quoted",
  service: "aws",
  releases: [
    {
      id: ID,
      at: "2026-06-01T00:00:00.000Z",
      by: "vitrine 1 on host",
      files: 1,
      sizeBytes: 1,
      put: 1,
      deleted: 0,
      catalogDigest: DIGEST,
      readAt: "2026-01-01T00:00:00.000Z",
      catalogFormat: 1,
      index: DIGEST,
    },
  ],
};
const JOURNAL = {
  format: 1,
  generation: 1,
  attempt: "a",
  release: ID,
  from: null,
  startedAt: "2026-06-01T00:00:00.000Z",
  holder: { host: "h", publisher: "p-1", pid: 1, machine: "", began: "1" },
  leaseSeconds: 60,
  attempted: [DIGEST],
  expired: [],
  purge: [],
};
const ENTRY = ["api/v1/store.json", `W/"${DIGEST.slice(0, 32)}"`, 1, "2026-06-01T00:00:00+00:00"];

/** A value with a part of it replaced. */
function spoiled(value: unknown): fc.Arbitrary<unknown> {
  const anything = fc.oneof(fc.jsonValue(), fc.string({ unit: anyCharacter }), fc.constant("../../victim"));
  if (typeof value !== "object" || value === null) return anything;
  const names = Object.keys(value);
  const inner = names.map((name) =>
    spoiled(value[name as keyof typeof value]).map((other) =>
      Array.isArray(value)
        ? value.map((item, at) => (String(at) === name ? other : item))
        : { ...value, [name]: other },
    ),
  );
  const more = fc.tuple(fc.string(), fc.jsonValue()).map(([name, other]) => ({ ...value, [name]: other }));
  return fc.oneof(anything, more, ...inner);
}

const textOf = (value: unknown) =>
  fc.oneof(
    spoiled(value).map((other) => JSON.stringify(other)),
    fc.string(),
  );
const bytesOf = (value: unknown) =>
  fc.oneof(
    textOf(value).map((text) => Buffer.from(text)),
    fc.uint8Array().map(Buffer.from),
  );

/** Accepted, or refused by the object's name. */
function expectProper(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(VitrineError);
    expect(error).toMatchObject({
      code: expect.stringMatching(/^(remote_invalid|newer_format)$/),
      message: expect.stringContaining("the object"),
    });
  }
}

const runs = { numRuns: 500 };

describe("parsers of what a place holds", () => {
  it("accept valid objects", () => {
    expect(parsePointer(Buffer.from(JSON.stringify(POINTER)), "")).toEqual(POINTER);
    expect(parseJournal(Buffer.from(JSON.stringify(JOURNAL)), "")).toEqual(JOURNAL);
    expect(parseIndex(encodeIndex(index))).toEqual(index);
    const [key = "", etag = "", sizeBytes = 0, generatedAt = ""] = ENTRY as [string, string, number, string];
    const entry = { key, etag, sizeBytes, generatedAt };
    expect(parseEntries(entryPartition([entry]))).toEqual([entry]);
  });

  it("refuse a wrong pointer, journal or index by its name", () => {
    const pointers = fc.property(bytesOf(POINTER), (bytes) =>
      expectProper(() => parsePointer(bytes, "the object")),
    );
    const journals = fc.property(bytesOf(JOURNAL), (bytes) =>
      expectProper(() => parseJournal(bytes, "the object")),
    );
    const indexes = fc.property(bytesOf(index), (bytes) =>
      expectProper(() => readingObject("the object", () => parseIndex(bytes))),
    );
    for (const property of [pointers, journals, indexes]) fc.assert(property, runs);
  });

  it("refuse entries of a manifest, and return no invalid key", () => {
    const lines = fc
      .array(textOf(ENTRY), { maxLength: 4 })
      .map((texts) => Buffer.from(texts.map((text) => `${text}\n`).join("")));
    fc.assert(
      fc.property(fc.oneof(lines, fc.uint8Array().map(Buffer.from)), (bytes) =>
        expectProper(() => {
          const entries = readingObject("the object", () => parseEntries(bytes));
          for (const { key } of entries) expect(isSiteKey(key)).toBe(true);
        }),
      ),
      runs,
    );
  });

  it("refuse lines that are not records of their list, and accept those that are", () => {
    expect(records.size).toBeGreaterThan(2);
    for (const [list, lines] of records) {
      const read = recordReader(list, true);
      for (const line of lines) expect(read(line).id).toBeGreaterThan(0);
      const [first = ""] = lines;
      fc.assert(
        fc.property(textOf(JSON.parse(first)), (text) =>
          expectProper(() => {
            const { id } = readingObject("the object", () => read(text));
            expect(Number.isSafeInteger(id) && id > 0).toBe(true);
          }),
        ),
        { numRuns: 200 },
      );
    }
  });

  it("unzip only content that matches its name", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), fc.nat(100), (content, other, most) => {
        const name = nameOfObject(Buffer.from(content));
        const proper = (work: () => Buffer) =>
          expectProper(() => readingObject("the object", () => expect(work().equals(content)).toBe(true)));
        proper(() => unzipObject(name, gzipSync(content), most));
        proper(() => unzipObject(name, gzipSync(other), 1000));
        proper(() => unzipObject(name, Buffer.from(other), 1000));
        expect(unzipObject(name, gzipSync(content), 1000).equals(content)).toBe(true);
      }),
      runs,
    );
  });

  it("read JSON as JSON.parse does, unless it is deep", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.json({ maxDepth: 20 }), fc.string(), fc.constant('{"[[":"\\"]\\\\"}')),
        (text) => {
          const outcome = (parse: (text: string) => unknown) => {
            try {
              return parse(text);
            } catch (error) {
              return (error as Error).name;
            }
          };
          expect(outcome(parseShallowJson)).toEqual(outcome(JSON.parse));
        },
      ),
      runs,
    );
    expect(parseShallowJson(`${"[".repeat(100)}${"]".repeat(100)}`)).toHaveLength(1);
    expect(() => parseShallowJson(`${"[".repeat(101)}${"]".repeat(101)}`)).toThrow(/nested/);
    // JSON.parse would, with 40 bytes for each bracket.
    expect(() => parseShallowJson('{"":'.repeat(50_000_000))).toThrow(/nested/);
  });

  it("distinguish keys from all other texts", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: anyCharacter }), fc.webPath(), fc.string()), (text) => {
        if (!isSiteKey(text)) return;
        expect(text).toMatch(/^[A-Za-z0-9._~!=/-]+$/);
        expect(text.split("/")).not.toContain("..");
      }),
      { numRuns: 2000 },
    );
  });
});
