import { describe, expect, it, vi } from "vitest";
import { KnownValues } from "../../src/site/known-values.ts";

const never = (): never => {
  throw new Error("it was computed");
};

describe("the values that a build remembers for the next one", () => {
  const first = new KnownValues();
  first.of("reviews by rating", "a", () => [[12, 3]]);
  first.of("releases by product", "b", () => [[1, 40]]);
  first.isSame("files of reviews", "a");
  const saved = JSON.parse(JSON.stringify(first.saved));

  it("are computed once if their inputs are the same, and again if they differ", () => {
    const next = new KnownValues(saved);
    expect(next.of("reviews by rating", "a", never)).toEqual([[12, 3]]);
    const compute = vi.fn(() => [[13, 1]]);
    expect(next.of("releases by product", "c", compute)).toEqual([[13, 1]]);
    expect(next.of("releases by product", "c", compute)).toEqual([[13, 1]]);
    expect(compute).toHaveBeenCalledTimes(1);
  });

  it("are forgotten if a build does not use them", () => {
    const next = new KnownValues(saved);
    next.of("reviews by rating", "a", never);
    expect(Object.keys(next.saved)).toEqual(["reviews by rating"]);
  });

  it("say whether inputs are those of the build before, also if this build asks twice", () => {
    const next = new KnownValues(saved);
    expect([next.isSame("files of reviews", "d"), next.isSame("files of reviews", "d")]).toEqual([
      false,
      false,
    ]);
    expect(new KnownValues(next.saved).isSame("files of reviews", "d")).toBe(true);
    expect(new KnownValues().isSame("files of reviews", "a")).toBe(false);
  });
});
