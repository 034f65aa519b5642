import { describe, expect, it } from "vitest";
import { didYouMean, nearestName } from "../../src/base/nearest.ts";

describe("the nearest name", () => {
  it.each([
    ["prodcts", "products"],
    // A swap is one edit, as in the search.
    ["stroe", "store"],
    ["faq", "faqs"],
    ["frobnicate", null],
    ["", null],
    [`products${"x".repeat(9000)}`, null],
  ])("of %s is %s", (wrong, near) => {
    expect(nearestName(wrong, ["products", "store", "faqs"])).toBe(near);
  });

  it("is the first of two that are as near", () => {
    expect(nearestName("cat", ["bat", "rat"])).toBe("bat");
    expect(nearestName("bta", ["cat", "bat"])).toBe("bat");
  });

  it("is not guessed where no name is near", () => {
    expect(didYouMean("frobnicate", ["products", "store"])).toBe("Known are products, store.");
  });
});
