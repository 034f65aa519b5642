/** Whatever a remote's objects hold, their parsers take it or refuse it by its name, and nothing else happens. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VitrineError } from "../../src/base/error.ts";
import { Lines } from "../../src/base/lines.ts";
import { proveCatalog } from "../../src/catalog/verify.ts";
import { parseJournal, parsePointer } from "../../src/publish/documents.ts";
import { readKeyChanges } from "../../src/publish/fetch-release.ts";
import { parseEntry, readReleaseManifest } from "../../src/publish/release-files.ts";
import { readHeader } from "../../src/site/delta.ts";
import { isSiteKey } from "../../src/site/schemas.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

const folder = mkdtempSync(join(tmpdir(), "vitrine-parsers-"));
let shop: TinyShop;
beforeAll(() => {
  shop = createTinyShop();
});
afterAll(() => {
  shop.close();
  rmSync(folder, { recursive: true, force: true });
});

const DIGEST = "0123456789ab".padEnd(64, "0");
const ID = "00000001-0123456789ab";
const POINTER = {
  format: 2,
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
    },
  ],
  parts: [{ id: ID, kind: "base", sizeBytes: 1 }],
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
  keys: ["api/v1/store.json"],
  attempted: [ID],
  fromParts: [],
  tags: ["vitrine-store"],
  expired: [],
  unneeded: [],
  purge: [],
};
const ENTRY = {
  key: "api/v1/store.json",
  digest: DIGEST,
  sizeBytes: 1,
  etag: `W/"${DIGEST.slice(0, 32)}"`,
  generatedAt: "2026-06-01T00:00:00+00:00",
  headers: DIGEST.slice(0, 16),
};
const HEADER = {
  delta: 2,
  from: { catalog: DIGEST, content: DIGEST },
  to: { catalog: DIGEST, content: DIGEST },
  meta: { config: '{"a":1}', store: '{"a":1}' },
  generatedAt: ENTRY.generatedAt,
  vitrine: "1",
};

/** A value with something else somewhere in it. */
function spoiled(value: unknown): fc.Arbitrary<unknown> {
  const anything = fc.oneof(fc.jsonValue(), fc.string({ unit: "binary" }), fc.constant("../../victim"));
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

/** Done, or refused by the object's name. */
function expectProper(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(VitrineError);
    expect(error).toMatchObject({ code: "remote_invalid", message: expect.stringContaining("the object") });
  }
}

const runs = { numRuns: 500 };

describe("parsers of what a remote holds", () => {
  it("take what is right", () => {
    expect(parsePointer(Buffer.from(JSON.stringify(POINTER)), "")).toEqual(POINTER);
    expect(parseJournal(Buffer.from(JSON.stringify(JOURNAL)), "")).toEqual(JOURNAL);
  });

  it("refuse a pointer or a journal that is wrong by its name", () => {
    const pointers = fc.property(textOf(POINTER), (text) =>
      expectProper(() => parsePointer(Buffer.from(text), "the object")),
    );
    const journals = fc.property(textOf(JOURNAL), (text) =>
      expectProper(() => parseJournal(Buffer.from(text), "the object")),
    );
    fc.assert(pointers, runs);
    fc.assert(journals, runs);
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) =>
        expectProper(() => parsePointer(Buffer.from(bytes), "the object")),
      ),
      runs,
    );
  });

  it("refuse lines of a delta", () => {
    const file = join(folder, "delta.ndjson");
    const line = fc.oneof(
      textOf(["file", ENTRY]),
      textOf(["gone", ENTRY.key]),
      textOf(["delete", "product", 1]),
      textOf(["put", "product", { id: 1, columns: { slug: "a" }, list: '{"id":1}', added: '{"a":1}' }]),
      textOf(["list", "review", { id: 1, columns: {}, list: '{"id":1}' }]),
    );
    fc.assert(
      fc.property(
        fc.oneof(fc.constant(JSON.stringify(HEADER)), textOf(HEADER)),
        fc.array(line),
        (head, lines) => {
          writeFileSync(file, `${[head, ...lines].join("\n")}\n`);
          expectProper(() => readKeyChanges([{ file, name: "the object" }]));
        },
      ),
      runs,
    );
    writeFileSync(file, `${JSON.stringify(HEADER)}\n`);
    expect(readHeader(file)).toEqual(HEADER);
  });

  it("refuse entries and bytes of a manifest with an error, never with another outcome", async () => {
    const fields = fc.tuple(
      ...Object.values(ENTRY).map((value) => fc.oneof(fc.constant(value), fc.string())),
    );
    fc.assert(
      fc.property(fields, (values) => {
        const line = values.join("\t");
        try {
          expect(Object.values(parseEntry(line)).join("\t")).toBe(line);
        } catch (error) {
          expect((error as Error).message).toMatch(/^a line is not as it should be/);
        }
      }),
      runs,
    );
    const file = join(folder, "manifest.tsv.gz");
    const bytes = fc.oneof(
      fc.uint8Array(),
      fc.uint8Array().map((some) => gzipSync(some)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (some) => {
        writeFileSync(file, some);
        await expect(readReleaseManifest(file).next()).rejects.toBeInstanceOf(Error);
      }),
      { numRuns: 100 },
    );
  });

  it("prove no catalog whose bytes are others", async () => {
    const { layout } = await shop.build("bytes");
    const { readFileSync } = await import("node:fs");
    const honest = readFileSync(layout.catalog);
    const digest = proveCatalog(layout.catalog);
    const file = join(folder, "catalog.sqlite");
    fc.assert(
      fc.property(fc.nat(honest.length - 1), fc.uint8Array({ minLength: 1, maxLength: 64 }), (at, some) => {
        const bytes = Buffer.from(honest);
        Buffer.from(some).copy(bytes, at);
        writeFileSync(file, bytes);
        // Bytes that no row is made of may be others.
        try {
          expect(proveCatalog(file)).toBe(digest);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("know keys from other texts, whatever they are", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.webPath(), fc.string()), (text) => {
        if (!isSiteKey(text)) return;
        expect(text).toMatch(/^[A-Za-z0-9._~!=/-]+$/);
        expect(text.split("/")).not.toContain("..");
      }),
      { numRuns: 2000 },
    );
  });

  it("find the lines of any pieces, and look at each byte once", () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[^\n]*$/)),
        fc.array(fc.nat(8), { minLength: 1 }),
        (texts, sizes) => {
          const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(""));
          const lines = new Lines(1e6);
          const found: string[] = [];
          const piece = Buffer.alloc(9);
          for (let at = 0, step = 0; at < bytes.length; step++) {
            const length = Math.min(bytes.length - at, 1 + (sizes[step % sizes.length] ?? 0));
            // One memory for all pieces, as whoever reads a file has it.
            bytes.copy(piece, 0, at, at + length);
            found.push(...lines.take(piece.subarray(0, length)));
            at += length;
          }
          expect(found).toEqual(texts.map((text) => Buffer.from(text).toString()));
          expect(lines.isOpen).toBe(false);
        },
      ),
      runs,
    );
    // Where what has come of a line was copied with each of these pieces, this would take days.
    const lines = new Lines(32 * 1024 * 1024);
    const piece = Buffer.alloc(64, "x");
    expect(() => {
      for (;;) for (const _ of lines.take(piece)) throw new Error("no line ends");
    }).toThrow(/longer than 33554432 bytes/);
  });
});
