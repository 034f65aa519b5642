import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffJson } from "../../src/base/json-difference.ts";

function parsed(text: string): unknown {
  return JSON.parse(text);
}

describe("the difference of two JSON values", () => {
  it.each([
    ["a member", '{"a":{"b":1,"c":2}}', '{"a":{"b":3,"c":2}}', [{ path: "a.b", before: 1, after: 3 }]],
    ["an added member", '{"a":1}', '{"a":1,"b":null}', [{ path: "b", after: null }]],
    ["a removed element", "[1,[2]]", "[1]", [{ path: "[1]", before: [2] }]],
    ["another type", '{"a":[1]}', '{"a":{"0":1}}', [{ path: "a", before: [1], after: { "0": 1 } }]],
    ["the whole", "1", '"1"', [{ path: "", before: 1, after: "1" }]],
    ["null and absence", '{"a":null}', "{}", [{ path: "a", before: null }]],
    ["odd names", '{"/x":{"a b":1}}', '{"/x":{"a b":2}}', [{ path: '["/x"]["a b"]', before: 1, after: 2 }]],
    ["inherited names", "{}", '{"toString":1}', [{ path: "toString", after: 1 }]],
  ])("shows %s", (_what, before, after, changes) => {
    expect(diffJson(parsed(before), parsed(after))).toEqual(changes);
  });

  it("matches records by id: a new one at the top changes no other", () => {
    const before = parsed('[{"id":1,"a":1},{"id":2,"a":2}]');
    expect(diffJson(before, parsed('[{"id":9},{"id":1,"a":1},{"id":2,"a":5}]'))).toEqual([
      { path: "[id=2].a", before: 2, after: 5 },
      { path: "[id=9]", after: { id: 9 } },
    ]);
    expect(diffJson(before, parsed('[{"id":2,"a":2},{"id":1,"a":1}]'))).toEqual([
      { path: "[].id", before: [1, 2], after: [2, 1] },
    ]);
    expect(diffJson(parsed('[{"id":1},{"id":1}]'), parsed('[{"id":1},{"id":2}]'))).toEqual([
      { path: "[1].id", before: 1, after: 2 },
    ]);
  });

  it("is empty exactly for equal values", () => {
    const value = fc.json({ maxDepth: 4 }).map(parsed);
    const records = fc
      .uniqueArray(fc.record({ id: fc.nat(5), a: fc.nat(1) }), { selector: ({ id }) => id })
      .map((list) => parsed(JSON.stringify(list)));
    fc.assert(
      fc.property(fc.oneof(value, records), fc.oneof(value, records), (before, after) => {
        expect(diffJson(before, parsed(JSON.stringify(before)))).toEqual([]);
        expect(diffJson(before, after).length === 0).toBe(isDeepStrictEqual(before, after));
      }),
    );
  });
});
