/** Moments: which texts are one. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSqlTime, parseMoment, readTime } from "../../src/base/time.ts";

describe("a moment in a store", () => {
  it("is a date of the calendar, in the one form", () => {
    const digits = fc.integer({ min: 0, max: 99 }).map((number) => String(number).padStart(2, "0"));
    const years = fc.constantFrom("0000", "1900", "2000", "2023", "2024", "9999");
    fc.assert(
      fc.property(years, fc.array(digits, { minLength: 5, maxLength: 5 }), (year, [month, day, ...clock]) => {
        const time = `${year}-${month}-${day} ${clock.join(":")}`;
        const date = new Date(`${time.replace(" ", "T")}Z`);
        const same = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(time.replace(" ", "T"));
        expect(isSqlTime(time), time).toBe(same);
      }),
      { numRuns: 2000, seed: 1 },
    );
  });

  it.each([
    ["2024-02-29", "2024-02-29 00:00:00"],
    ["2026-02-29", null],
    ["2026-04-31 10:00", null],
    ["2026-12-31T23:59:59.999Z", "2026-12-31 23:59:59"],
    ["2026-12-31 24:00:00", null],
    ["2026-13-01", null],
    ["2026-00-10", null],
    ["2026-10-00", null],
  ])("%s", (text, moment) => {
    expect(parseMoment(text)).toBe(moment);
    expect(isSqlTime(text)).toBe(false);
  });
});

it.each([
  ["2026-11-20 19:00:00", "2026-11-20 19:00:00", "2026-11-20 19:00:00"],
  ["2026-11-20 19:00:00.000", "2026-11-20 19:00:00", "2026-11-20 19:00:00"],
  ["2026-11-20 19:00:00.000001", "2026-11-20 19:00:00", "2026-11-20 19:00:01"],
  ["2026-12-31 23:59:59.9", "2026-12-31 23:59:59", "2027-01-01 00:00:00"],
  ["2024-02-28 23:59:59.5", "2024-02-28 23:59:59", "2024-02-29 00:00:00"],
  ["2026-02-29 00:00:00.5", null, null],
  ["2026-11-20 19:00:00.", null, null],
  ["2026-11-20T19:00:00.5Z", null, null],
  [1_795_201_200, "2026-11-20 19:00:00", "2026-11-20 19:00:00"],
])("the store's %j is %s when cut, and %s when rounded up", (value, cut, up) => {
  expect([readTime(value), readTime(value, "up")]).toEqual([cut, up]);
});
