import { describe, expect, it } from "vitest";
import { VitrineError } from "../../src/base/error.ts";
import { SILENT } from "../../src/base/log.ts";
import { untilStill } from "../../src/pipeline/again.ts";
import { SimulatedClock } from "../support/simulated-clock.ts";

/** Fails this often with a code, as a reading does, and then succeeds. */
function failing(times: number, code: string) {
  const calls = { count: 0 };
  const work = async () => {
    calls.count += 1;
    if (calls.count > times) return "read";
    throw new VitrineError("store_unreadable", "No.", { cause: Object.assign(new Error(code), { code }) });
  };
  return { calls, work };
}

const clock = SimulatedClock.thatPasses();
const ports = { log: SILENT, clock };

describe("a reading that fails", () => {
  it.each([
    ["40001", 3],
    ["55P03", 40],
    ["42P01", 1],
  ])("with %s is tried again, and succeeds after %d failures", async (code, times) => {
    const { calls, work } = failing(times, code);
    expect(await untilStill(ports, work)).toBe("read");
    expect(calls.count).toBe(times + 1);
  });

  it.each([
    ["40001", 4],
    ["55P03", 60],
    ["42P01", 2],
    ["42601", 1],
    ["57014", 1],
  ])("with %s every time fails after %d tries", async (code, tries) => {
    const { calls, work } = failing(1000, code);
    await expect(untilStill(ports, work)).rejects.toMatchObject({ code: "store_unreadable" });
    expect(calls.count).toBe(tries);
  });

  it("is tried again after longer and longer pauses; a lock is waited for in the database", async () => {
    clock.pauses.length = 0;
    await untilStill(ports, failing(3, "40001").work);
    await untilStill(ports, failing(3, "55P03").work);
    expect(clock.pauses).toEqual([250, 500, 1000]);
  });

  it("is not tried again after an abort", async () => {
    const abort = new AbortController();
    abort.abort();
    const { calls, work } = failing(1, "40001");
    await expect(untilStill({ ...ports, signal: abort.signal }, work)).rejects.toThrow("No.");
    expect(calls.count).toBe(1);
  });

  it("is tried a last time when its pause is cut short by an abort", async () => {
    const abort = new AbortController();
    const { calls, work } = failing(1000, "40001");
    const still = new SimulatedClock();
    const trying = untilStill({ ...ports, clock: still, signal: abort.signal }, work);
    trying.catch(() => undefined);
    await still.passUntil("a pause", () => still.waiting === 1);
    abort.abort();
    await expect(trying).rejects.toThrow("No.");
    expect(calls.count).toBe(2);
  });
});
