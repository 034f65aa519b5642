import { afterEach, expect, it, vi } from "vitest";
import { Pause } from "../../src/base/pause.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Waits take no time here; the monotonic clock shows them. */
function pauseWith(most: number) {
  let passed = 0;
  const waits: number[] = [];
  vi.spyOn(performance, "now").mockImplementation(() => passed);
  const pause = new Pause(most, async (milliseconds) => {
    if (waits.push(milliseconds) > 10) throw new Error("It waits for ever");
    passed += milliseconds;
  });
  return {
    pause,
    waits,
    pass: (milliseconds: number) => {
      passed += milliseconds;
    },
  };
}

it.each([-3_600_000, 3_600_000])(
  "of all calls lasts as long as it was asked to if the clock is set by %i ms",
  async (step) => {
    const { pause, waits, pass } = pauseWith(60_000);
    pause.atLeast(5000);
    const real = Date.now;
    vi.spyOn(Date, "now").mockImplementation(() => real() + step);
    pass(2000);
    await pause.isOver();
    await pause.isOver();
    expect(waits).toEqual([3000]);
  },
);

it("is never longer than it may be, and as long as the longest of those that were asked for", async () => {
  const { pause, waits } = pauseWith(60_000);
  pause.atLeast(5000);
  pause.atLeast(1e9);
  pause.atLeast(1000);
  await pause.isOver();
  expect(waits).toEqual([60_000]);
});

it("goes on for calls that wait already if a longer one is asked for meanwhile", async () => {
  const waits: number[] = [];
  let passed = 0;
  vi.spyOn(performance, "now").mockImplementation(() => passed);
  const pause = new Pause(60_000, async (milliseconds) => {
    // A timer that ends a little early.
    passed += milliseconds - 1;
    waits.push(milliseconds);
    if (waits.length === 1) pause.atLeast(2001);
  });
  pause.atLeast(1000);
  await pause.isOver();
  expect(waits).toEqual([1000, 2000]);
});
