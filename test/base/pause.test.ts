import { expect, it } from "vitest";
import { Pause } from "../../src/base/pause.ts";
import { SimulatedClock } from "../support/simulated-clock.ts";

function pauseOf(most: number, clock = SimulatedClock.thatPasses()) {
  return { clock, pause: new Pause(most, clock) };
}

it.each([-3_600_000, 3_600_000])(
  "of all calls lasts as long as it was asked to if the clock is set by %i ms",
  async (step) => {
    const { pause, clock } = pauseOf(60_000);
    pause.atLeast(5000);
    await clock.pass(2000);
    clock.setBy(step);
    await pause.isOver();
    await pause.isOver();
    expect(clock.pauses).toEqual([3000]);
    expect(clock.elapsed()).toBe(5000);
  },
);

it("is never longer than it may be, and as long as the longest of those that were asked for", async () => {
  const { pause, clock } = pauseOf(60_000);
  pause.atLeast(5000);
  pause.atLeast(1e9);
  pause.atLeast(1000);
  await pause.isOver();
  expect(clock.elapsed()).toBe(60_000);
});

it("goes on for calls that wait already if a longer one is asked for meanwhile", async () => {
  const { pause, clock } = pauseOf(60_000, new SimulatedClock());
  pause.atLeast(1000);
  let isOver = false;
  void pause.isOver().then(() => {
    isOver = true;
  });
  await clock.pass(999);
  pause.atLeast(2001);
  await clock.pass(2000);
  expect(isOver).toBe(false);
  await clock.pass(1);
  expect(isOver).toBe(true);
});

it("ends with the caller", async () => {
  const { pause } = pauseOf(60_000, new SimulatedClock());
  const abort = new AbortController();
  pause.atLeast(1000);
  const over = pause.isOver(abort.signal);
  abort.abort(new Error("enough"));
  await expect(over).rejects.toThrow("enough");
});
