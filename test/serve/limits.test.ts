/** How `serve` counts the requests of each client. */
import { describe, expect, it } from "vitest";
import { createRateLimiter } from "../../src/serve/limits.ts";
import { SimulatedClock } from "../support/simulated-clock.ts";

describe("the rate limit of serve", () => {
  it("gives each client a window of its own, which begins with its first request", async () => {
    const clock = new SimulatedClock();
    const limiter = createRateLimiter(() => 2, clock);
    expect([1, 2, 3].map(() => limiter("192.0.2.1"))).toEqual([null, null, 60]);
    await clock.pass(30_000);
    expect([limiter("192.0.2.1"), limiter("192.0.2.2")]).toEqual([30, null]);
    await clock.pass(29_999);
    expect(limiter("192.0.2.1")).toBe(1);
    await clock.pass(1);
    expect([limiter("192.0.2.1"), limiter("192.0.2.2"), limiter("192.0.2.2")]).toEqual([null, null, 30]);
  });

  it("counts on when the clock of the machine is set", async () => {
    const clock = new SimulatedClock();
    const limiter = createRateLimiter(() => 1, clock);
    limiter("192.0.2.1");
    clock.setBy(-3_600_000);
    expect(limiter("192.0.2.1")).toBe(60);
    await clock.pass(60_000);
    expect(limiter("192.0.2.1")).toBe(null);
  });
});
