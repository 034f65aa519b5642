import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addBit,
  type Bitset,
  Conjunction,
  createBitset,
  fullBitset,
  intersection,
  RankedBitset,
} from "../../src/catalog/bitset.ts";
import { RowOrder } from "../../src/catalog/order.ts";
import { RangeIndex } from "../../src/catalog/range-index.ts";

function setOf(size: number, members: Iterable<number>): Bitset {
  const set = createBitset(size);
  for (const member of members) addBit(set, member);
  return set;
}

/** Some of the numbers below 3,000, which is several steps of counts. */
const members = fc.uniqueArray(fc.nat(2999), { maxLength: 1500, size: "max" });

describe("a ranked bitset", () => {
  it("counts and cuts as a sorted list does", () => {
    fc.assert(
      fc.property(members, fc.nat(3100), fc.nat(1600), fc.nat(60), (numbers, end, skip, limit) => {
        const sorted = numbers.toSorted((a, b) => a - b);
        const set = new RankedBitset(setOf(3000, numbers));
        expect(set.total).toBe(sorted.length);
        expect(set.countBelow(end)).toBe(sorted.filter((number) => number < end).length);
        expect([...set.slice(skip, limit)]).toEqual(sorted.slice(skip, skip + limit));
      }),
    );
  });

  it.each([0, 1, 31, 32, 33, 512, 1000])("holds all of %i numbers", (size) => {
    const set = new RankedBitset(fullBitset(size));
    expect(set.total).toBe(size);
    expect([...set.slice(0, size + 1)]).toEqual(Array.from({ length: size }, (_, at) => at));
  });
});

it("counts and cuts what any number of sets have in common", () => {
  const lists = fc.array(members, { minLength: 1, maxLength: 7 });
  fc.assert(
    fc.property(lists, fc.nat(3000), fc.nat(3000), fc.nat(20), (drawn, from, to, skip) => {
      // All but a few numbers, else seven sets have none in common.
      const parts = drawn.map((list) => new Set(list.slice(0, 300)));
      const numbers = Array.from({ length: 3000 }, (_, at) => at);
      const sets = parts.map((part) =>
        setOf(
          3000,
          numbers.filter((number) => !part.has(number)),
        ),
      );
      const common = numbers.filter((number) => !parts.some((part) => part.has(number)));
      expect(intersection(sets)).toEqual(setOf(3000, common));
      const set = new Conjunction(sets.map((words) => new RankedBitset(words)));
      expect(set.countBetween(from, Math.max(from, to))).toBe(
        common.filter((number) => number >= from && number < to).length,
      );
      const after = common.filter((number) => number >= from);
      expect([...set.slice(from, skip, 20)]).toEqual(after.slice(skip, skip + 20));
    }),
  );
});

describe("a range index", () => {
  const prices = fc.array(fc.nat(40), { minLength: 1, maxLength: 900, size: "max" });
  const bound = fc.option(fc.nat(45), { nil: undefined });

  function ordersOf(values: readonly number[]): { byValue: Uint32Array; other: RowOrder } {
    const byValue = Uint32Array.from(values.keys()).sort(
      (a, b) => (values[a] as number) - (values[b] as number) || b - a,
    );
    // Any permutation does: 7,919 is prime and larger than the list.
    const rows = Uint32Array.from(values.keys()).sort((a, b) => ((a * 7919) % 911) - ((b * 7919) % 911));
    return { byValue, other: new RowOrder(rows) };
  }

  it("finds the rows between two bounds, in order of value and in any other", () => {
    fc.assert(
      fc.property(prices, bound, bound, fc.nat(900), fc.nat(60), (values, min, max, skip, limit) => {
        const { byValue, other } = ordersOf(values);
        const index = new RangeIndex(Float64Array.from(values), byValue);
        const lies = (row: number) =>
          (values[row] as number) >= (min ?? 0) && (values[row] as number) <= (max ?? 99);
        const span = index.span(min, max);
        expect([...index.rowsOf(span)]).toEqual([...byValue].filter(lies));
        // Two of three ranks are in the set.
        const ranks = [...other.rows.keys()].filter((rank) => rank % 3 !== 0);
        const expected = ranks.filter((rank) => lies(other.rows[rank] as number));
        const set = new Conjunction([new RankedBitset(setOf(values.length, ranks))]);
        const found = index.slice(set, other, span, skip, limit);
        expect([...found]).toEqual(expected.slice(skip, skip + limit));
      }),
      // Bounds above all values: a span without rows, at the end of a block.
      { numRuns: 300, examples: [[[...Array.from({ length: 256 }, () => 0), 1], 2, undefined, 0, 1]] },
    );
  });
});
