import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDigest, DIGEST_BYTES, digestOf, RowMemory } from "../../src/extract/row-memory.ts";

const row = fc.record({
  id: fc.integer({ min: 1, max: 2 ** 40 }),
  text: fc.string(),
  note: fc.constantFrom("", "a", "b"),
});

function remember(rows: readonly { id: number; text: string; note: string }[]): RowMemory {
  const memory = new RowMemory();
  for (const { id, text, note } of rows) memory.add(id, digestOf(text), note);
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
            expect(memory.placeOf(id, digestOf(text))).toBe(memory.find(id));
            expect(memory.placeOf(id, digestOf(`${text}!`))).toBe(-1);
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
  const fingerprintOf = (...inputs: readonly Buffer[]) => {
    const made = Buffer.alloc(DIGEST_BYTES);
    for (const input of inputs) addDigest(made, input);
    return made.toString("hex");
  };
  const digest = fc.uint8Array({ minLength: DIGEST_BYTES, maxLength: DIGEST_BYTES });
  const MODULUS = 2n ** 128n;
  const numberOf = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  const bytesOf = (number: bigint) =>
    Buffer.from(
      (((number % MODULUS) + MODULUS) % MODULUS).toString(16).padStart(2 * DIGEST_BYTES, "0"),
      "hex",
    );

  it("is the same for the same inputs, and differs if one input differs or is missing", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (texts) => {
        const inputs = texts.map((text) => digestOf(text));
        expect(fingerprintOf(...inputs)).toBe(fingerprintOf(...texts.map((text) => digestOf(text))));
        expect(fingerprintOf(...inputs.with(0, digestOf(`${texts[0]}!`)))).not.toBe(fingerprintOf(...inputs));
        expect(fingerprintOf(...inputs.slice(1))).not.toBe(fingerprintOf(...inputs));
      }),
    );
  });

  it("differs for inputs that have the same sum, or differ in the same bits", () => {
    fc.assert(
      fc.property(digest, digest, digest, (first, second, step) => {
        fc.pre(numberOf(step) !== 0n && numberOf(first) + numberOf(step) !== numberOf(second));
        const before = fingerprintOf(Buffer.from(first), Buffer.from(second));
        const moved = fingerprintOf(
          bytesOf(numberOf(first) + numberOf(step)),
          bytesOf(numberOf(second) - numberOf(step)),
        );
        const flipped = fingerprintOf(
          bytesOf(numberOf(first) ^ numberOf(step)),
          bytesOf(numberOf(second) ^ numberOf(step)),
        );
        const words = [first, second].map((bytes, nth) => {
          const changed = Buffer.from(bytes);
          for (let at = 0; at < DIGEST_BYTES; at += 4)
            changed.writeUInt32LE((changed.readUInt32LE(at) + (nth === 0 ? 1 : 2 ** 32 - 1)) % 2 ** 32, at);
          return changed;
        });
        expect(before).not.toBe(moved);
        expect(before).not.toBe(flipped);
        expect(before).not.toBe(fingerprintOf(...words));
      }),
    );
  });
});
