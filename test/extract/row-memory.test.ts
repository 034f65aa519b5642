import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDigest, DIGEST_BYTES, digestOfText, RowMemory } from "../../src/extract/row-memory.ts";

const row = fc.record({
  id: fc.integer({ min: 1, max: 2 ** 40 }),
  text: fc.string(),
  note: fc.constantFrom("", "a", "b"),
});

function remember(rows: readonly { id: number; text: string; note: string }[]): RowMemory {
  const memory = new RowMemory();
  for (const { id, text, note } of rows) memory.setNote(memory.add(id, digestOfText(text), 0), note);
  return memory;
}

describe("a memory of rows", () => {
  it("returns what was remembered of each row, in any order of adding and asking, also after it was saved or kept", () => {
    fc.assert(
      fc.property(fc.uniqueArray(row, { selector: ({ id }) => id }), fc.nat(), (rows, other) => {
        const made = remember(rows);
        const kept = new RowMemory(Buffer.from(made.bytes), made.notes);
        const again = new RowMemory();
        for (const { id } of rows) again.keep(kept, kept.find(id));
        for (const memory of [made, kept, again]) {
          expect([...memory.ids()]).toEqual(rows.map(({ id }) => id).sort((a, b) => a - b));
          for (const { id, text } of rows) {
            expect(memory.isSame(memory.find(id), digestOfText(text), 0)).toBe(true);
            expect(memory.isSame(memory.find(id), digestOfText(`${text}!`), 0)).toBe(false);
          }
          const wanted = rows.filter(({ note }) => note === "b").map(({ id }) => [id, "b"]);
          expect([...memory.withNotes(new Set(["b"]))].sort()).toEqual(wanted.sort());
          if (!rows.some(({ id }) => id === other)) expect(memory.find(other)).toBe(-1);
        }
      }),
    );
  });
});

describe("a fingerprint of several inputs", () => {
  it("is the same in any order of adding, and differs if one input differs", () => {
    const sumOf = (texts: readonly string[]) => {
      const sum = Buffer.alloc(DIGEST_BYTES);
      for (const text of texts) addDigest(sum, 0, digestOfText(text), 0);
      return sum.toString("hex");
    };
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (texts) => {
        expect(sumOf(texts.toReversed())).toBe(sumOf(texts));
        expect(sumOf(texts.with(0, `${texts[0]}!`))).not.toBe(sumOf(texts));
      }),
    );
  });
});
