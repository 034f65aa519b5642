import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeJson } from "../../src/base/json.ts";
import { packBatch, packInputs, unpackBatch, unpackInputs } from "../../src/extract/makers.ts";
import type { RowInput } from "../../src/extract/record-maker.ts";

const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("", "é", "日本語", "🙂", "x".repeat(400_000), "é".repeat(400_000)),
);
const texts = fc.record({ title: text, excerpt: text, text });
const row = fc.record({
  prepared: fc.record({
    id: fc.integer({ min: 1 }),
    cells: fc.tuple(fc.option(text), fc.double({ noNaN: true }), fc.option(fc.integer())),
    list: text.map(encodeJson),
    added: fc.option(text.map(encodeJson)),
    document: fc.option(texts),
    digests: fc.record({ list: text, detail: fc.option(text) }),
    words: fc.option(texts),
  }),
  summaryTerms: fc.option(fc.array(text)),
});

/** A value as the other thread receives it. */
function sent<Value>(value: Value, moved: ArrayBuffer[] = []): Value {
  return structuredClone(value, { transfer: moved });
}

describe("batches between threads", () => {
  it("carry every made row unchanged, and mark the wrong ones", () => {
    fc.assert(
      fc.property(fc.array(fc.option(row), { maxLength: 8 }), (made) => {
        const packed = packBatch({ made, problems: [] });
        expect([...unpackBatch(sent(packed, [packed.texts.buffer])).made]).toEqual(made);
      }),
      { numRuns: 200 },
    );
  });

  it("carry rows to be made, with the values from other records", () => {
    const product = encodeJson({ id: 3, title: "Tÿpe “A”", slug: "a", public_url: "", category_id: 2 });
    const inputs: RowInput[] = [
      { text: '[1,"日本"]', ordinal: 4, product, gathered: [{ count: 2, sum: 7 }, null, []] },
      { text: "[2]", ordinal: 6, product: null, gathered: [] },
    ];
    expect(unpackInputs(sent(packInputs(inputs)))).toEqual(inputs);
  });
});
