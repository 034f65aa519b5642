import { describe, expect, it } from "vitest";
import { Pace } from "../../src/publish/pace.ts";
import { QUICK } from "../support/publishing.ts";

const tooBusy = () => Object.assign(new Error("Please wait"), { name: "SlowDown" });

describe("a request", () => {
  it("that is refused for being too many is tried for as long as others are accepted meanwhile", async () => {
    const pace = new Pace(4, QUICK);
    let refusals = 0;
    await pace.run(async () => {
      if (refusals === 3 * QUICK.attempts) return;
      refusals += 1;
      // Enough of them to double the limit that a refusal halves.
      await Promise.all(Array.from({ length: 10 }, () => pace.run(async () => undefined)));
      throw tooBusy();
    });
    expect(refusals).toBe(3 * QUICK.attempts);
  });

  it("that is refused for being too many is given up after its attempts when nothing is accepted", async () => {
    const pace = new Pace(4, QUICK);
    await pace.run(async () => undefined);
    let refusals = 0;
    const refused = pace.run(async () => {
      refusals += 1;
      throw tooBusy();
    });
    await expect(refused).rejects.toThrow("Please wait");
    expect(refusals).toBe(QUICK.attempts);
  });

  it("that fails otherwise has no more attempts because of others", async () => {
    const pace = new Pace(4, QUICK);
    let failures = 0;
    const failed = pace.run(async () => {
      failures += 1;
      await pace.run(async () => undefined);
      throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
    });
    await expect(failed).rejects.toThrow("socket hang up");
    expect(failures).toBe(QUICK.attempts);
  });
});
