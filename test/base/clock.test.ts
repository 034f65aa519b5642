/** The port of time: the machine's clocks, and the simulated ones that other tests use. */
import { globSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CLOCK, every, within } from "../../src/base/clock.ts";
import { SimulatedClock } from "../support/simulated-clock.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** All ways to ask the machine for the time, or to wait, but for the time limit of a call, which is monotonic. */
const ASKED =
  /\bDate\.now\b|\bnew Date\(\)|\bDate\(\)|\bperformance\.now\b|\bhrtime\b|\bset(?:Timeout|Interval)\b|\bscheduler\.wait\b/;

/** Rooms whose code runs in browsers and edges, which have their own clocks; and the port itself. */
const OWN = /^src\/(?:explore|widget|client|edge)\/|^src\/base\/clock\.ts$/;

it("is the only place that asks the machine for the time", () => {
  for (const text of ["Date.now()", "x(Date.now)", "new Date()", "performance.now()", "setTimeout(x, 1)"])
    expect(text).toMatch(ASKED);
  for (const text of ["new Date(0)", "clock.now()", "AbortSignal.timeout(5)", "Date.parse(x)"])
    expect(text).not.toMatch(ASKED);
  const found = globSync("src/**/*.ts{,x}")
    .filter((file) => !OWN.test(file))
    .flatMap((file) => {
      const lines = readFileSync(file, "utf8").split("\n");
      return lines.flatMap((line, at) => (ASKED.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : []));
    });
  expect(found).toEqual([]);
});

describe("the machine's clocks", () => {
  it("wake nobody too early, whatever the wall clock does meanwhile", async () => {
    const real = Date.now;
    for (const step of [-3_600_000, 3_600_000]) {
      const began = CLOCK.elapsed();
      const slept = CLOCK.sleep(20);
      vi.spyOn(Date, "now").mockImplementation(() => real() + step);
      await slept;
      vi.restoreAllMocks();
      expect(CLOCK.elapsed() - began).toBeGreaterThanOrEqual(20);
    }
  });

  it("sleep longer than a timer of the engine can", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const YEAR = 365 * 86_400_000;
    let isOver = false;
    void CLOCK.sleep(YEAR).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(YEAR - 1);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isOver).toBe(true);
  });

  it.each([0, -5, Number.NaN])(
    "wake at the next turn of the event loop from a sleep of %d ms",
    async (none) => {
      let isOver = false;
      const slept = CLOCK.sleep(none).then(() => {
        isOver = true;
      });
      // All that can go on within this turn does so before.
      for (let at = 0; at < 100; at++) await new Promise<void>((resolve) => process.nextTick(resolve));
      expect(isOver).toBe(false);
      await slept;
    },
  );

  it("wake at once from an abort, with its reason, also if it came before", async () => {
    const abort = new AbortController();
    const slept = CLOCK.sleep(3_600_000, abort.signal);
    abort.abort(new Error("enough"));
    await expect(slept).rejects.toThrow("enough");
    await expect(CLOCK.sleep(3_600_000, abort.signal)).rejects.toThrow("enough");
  });
});

describe("a time limit", () => {
  it("gives the work's result, or another value once the time is over, and leaves no sleeper", async () => {
    const clock = new SimulatedClock();
    expect(await within(1000, Promise.resolve("done"), () => "late", { clock })).toBe("done");
    await expect(within(1000, Promise.reject(new Error("no")), () => "late", { clock })).rejects.toThrow(
      "no",
    );
    expect(clock.waiting).toBe(0);
    const late = within(1000, new Promise(() => undefined), () => "late", { clock });
    await clock.pass(1000);
    expect(await late).toBe("late");
    expect(clock.waiting).toBe(0);
  });

  it("may fail with the late value's error", async () => {
    const clock = new SimulatedClock();
    const silent = () => {
      throw new Error("silent");
    };
    const late = within(1000, new Promise(() => undefined), silent, { clock });
    late.catch(() => undefined);
    await clock.pass(1000);
    await expect(late).rejects.toThrow("silent");
  });
});

it("repeats a work after each pause until it is ended", async () => {
  const clock = new SimulatedClock();
  const at: number[] = [];
  const end = every(1000, () => at.push(clock.elapsed()), clock);
  await clock.pass(3500);
  end();
  await clock.pass(3500);
  expect(at).toEqual([1000, 2000, 3000]);
  expect(clock.waiting).toBe(0);
});

describe("the simulated clock", () => {
  it("wakes sleepers in the order of their times, and finishes what they do before time goes on", async () => {
    const clock = new SimulatedClock();
    const seen: string[] = [];
    const walk = async (name: string, step: number) => {
      for (let at = 1; at <= 2; at++) {
        await clock.sleep(step);
        seen.push(`${name} ${clock.elapsed()}`);
      }
    };
    void walk("slow", 300);
    void walk("quick", 200);
    await clock.pass(599);
    expect(seen).toEqual(["quick 200", "slow 300", "quick 400"]);
    await clock.pass(1);
    expect(seen.at(-1)).toBe("slow 600");
    expect(clock.now().toISOString()).toBe("2026-11-20T12:00:00.600Z");
  });

  it("lets time pass by itself if it should, and sets only the wall clock back", async () => {
    const clock = SimulatedClock.thatPasses();
    clock.setBy(-3_600_000);
    await Promise.all([clock.sleep(5000), clock.sleep(60_000)]);
    expect(clock.elapsed()).toBe(60_000);
    expect(clock.now().toISOString()).toBe("2026-11-20T11:01:00.000Z");
  });
});
