/** When a watch builds and publishes, with fake builds, by a clock whose time passes only here. */
import { afterEach, describe, expect, it } from "vitest";
import { VitrineError } from "../../src/base/error.ts";
import type { BuildReport } from "../../src/pipeline/build-report.ts";
import { type WatchFailure, type WatchPorts, type WatchRules, WatchRun } from "../../src/pipeline/watch.ts";
import { SimulatedClock } from "../support/simulated-clock.ts";

const SECOND = 1000;
const HOUR = 3600 * SECOND;
/** The defaults of `vitrine watch`, for a store on a server. */
const RULES: WatchRules = { settleSeconds: 0.2, atMostEverySeconds: 1, restFactor: 20 };

function reportOf(facts: Partial<BuildReport> = {}): BuildReport {
  const seconds = { extract: 0, render: 0, commit: 0 };
  return { work: "none", nextChangeAt: null, changedFiles: [], seconds, ...facts } as BuildReport;
}

let end: (() => Promise<void>) | undefined;
afterEach(() => end?.());

/** A watch of a store on a server whose row is `1`, and a record of its actions. */
function watched(given: Partial<WatchPorts> = {}, rules: Partial<WatchRules> = {}) {
  const clock = new SimulatedClock();
  const done = {
    clock,
    row: "1" as string | null,
    isAsked: false,
    /** How often it looked at the store: at its stamp, or else at its row. */
    looks: 0,
    builds: 0,
    missed: [] as (readonly string[])[],
    failures: [] as WatchFailure[],
    live: [] as (number | null)[],
  };
  const abort = new AbortController();
  const { stamp = null, ask = async () => done.row } = given;
  const ports: WatchPorts = {
    clock,
    isAsked() {
      const is = done.isAsked;
      done.isAsked = false;
      return is;
    },
    build: async () => reportOf(),
    publish: async () => undefined,
    countObjects: async () => undefined,
    built() {
      done.builds += 1;
    },
    failed: (failure) => done.failures.push(failure),
    missed: (files) => done.missed.push(files),
    live: (freshSeconds) => done.live.push(freshSeconds),
    ...given,
    stamp:
      stamp === null
        ? null
        : () => {
            done.looks += 1;
            return stamp();
          },
    ask: () => {
      if (stamp === null) done.looks += 1;
      return ask();
    },
  };
  // Once the test has this return value.
  const running = clock.sleep(0).then(() => new WatchRun(ports, { ...RULES, ...rules }).run(abort.signal));
  end = async () => {
    abort.abort();
    await running;
  };
  return done;
}

type Watched = ReturnType<typeof watched>;

/** Lets time pass until it has built so often, and not more often. */
async function builds(done: Watched, count: number): Promise<void> {
  await done.clock.passUntil(`${count} builds`, () => done.builds >= count);
  expect(done.builds).toBe(count);
}

/** Lets time pass in which it looks often enough to notice a change. */
async function moreLooks(done: Watched): Promise<void> {
  const before = done.looks;
  await done.clock.pass(5 * SECOND);
  expect(done.looks).toBeGreaterThan(before + 2);
}

it("publishes all changes that come during a publish with the next one", async () => {
  let committed = 0;
  let read = 0;
  const published: number[] = [];
  const { clock } = watched({
    stamp: () => String(committed),
    ask: async () => null,
    build: async () => {
      read = committed;
      return reportOf({ work: "part" });
    },
    publish: async () => {
      // Five changes come one by one during the first release.
      for (; published.length === 0 && committed < 5; committed++) await clock.sleep(10 * SECOND);
      published.push(read);
    },
  });
  await clock.passUntil("the second release", () => published.length === 2);
  await clock.pass(30 * SECOND);
  expect(published).toEqual([0, 5]);
});

it("counts objects after each build, also if it publishes nothing or fails", async () => {
  let looks = 0;
  let isFailing = false;
  const done = watched({
    publish: () => (isFailing ? Promise.reject(new Error("away")) : Promise.resolve()),
    countObjects: async () => void looks++,
    build: async () => reportOf({ work: isFailing ? "part" : "none" }),
  });
  await builds(done, 1);
  expect(looks).toBe(1);
  done.isAsked = true;
  await builds(done, 2);
  expect(looks).toBe(2);
  isFailing = true;
  done.isAsked = true;
  await builds(done, 3);
  expect([looks, done.failures.length]).toEqual([3, 1]);
});

it("reports how long a change took to go live, from its first notice and through failed publishes", async () => {
  const work = { first: "whole", second: "part", third: "none" } as const;
  let failing = false;
  let row: keyof typeof work = "first";
  const done = watched({
    ask: async () => row,
    build: async () => reportOf({ work: work[row] }),
    publish: async () => {
      if (failing) throw new Error("away");
    },
  });
  const { clock } = done;
  await builds(done, 1);
  expect(done.live).toEqual([null]);
  failing = true;
  const changed = clock.elapsed();
  row = "second";
  await clock.passUntil("tries", () => done.failures.length === 5);
  // The row is asked for every second, then the pauses double.
  expect(done.failures.map(({ retrySeconds }) => retrySeconds)).toEqual([1, 2, 4, 8, 16]);
  failing = false;
  await clock.passUntil("the release", () => done.live.length === 2);
  const sinceChange = (clock.elapsed() - changed) / SECOND;
  expect(done.live[1]).toBeLessThanOrEqual(sinceChange);
  expect(done.live[1]).toBeGreaterThan(sinceChange - 1.1);
  expect(sinceChange).toBeGreaterThan(31);
  // Something was noticed but changed nothing: it counts as live.
  row = "third";
  await clock.passUntil("the third build", () => done.live.length === 3);
  expect(done.live[2]).toBeNull();
});

it("builds when a sale begins, by the wall clock, and every hour whatever that clock does", async () => {
  const done = watched({
    build: async () => reportOf({ nextChangeAt: done.builds === 0 ? "2026-11-20T12:30:00+00:00" : null }),
  });
  const { clock } = done;
  await builds(done, 1);
  await clock.pass(600 * SECOND);
  // NTP corrects it: the sale begins 10 minutes earlier.
  clock.setBy(600 * SECOND);
  await clock.pass(599 * SECOND);
  expect(done.builds).toBe(1);
  await clock.pass(5 * SECOND);
  expect(done.builds).toBe(2);
  clock.setBy(-24 * HOUR);
  await clock.pass(HOUR - 10 * SECOND);
  expect(done.builds).toBe(2);
  await clock.pass(20 * SECOND);
  expect(done.builds).toBe(3);
});

describe("a watch of a store with changed.sql", () => {
  it("builds if its row differs, and only then", async () => {
    const done = watched();
    await builds(done, 1);
    await moreLooks(done);
    expect(done.builds).toBe(1);
    done.row = "2";
    await builds(done, 2);
    await moreLooks(done);
    expect(done.builds).toBe(2);
  });

  it("asks for the row of a file only if the file's stamp differs", async () => {
    let stamp = "a";
    let asked = 0;
    const done = watched({
      stamp: () => stamp,
      ask: async () => {
        asked += 1;
        return done.row;
      },
    });
    await builds(done, 1);
    done.row = "2";
    await moreLooks(done);
    expect([asked, done.builds]).toEqual([1, 1]);
    done.row = "1";
    stamp = "b";
    await moreLooks(done);
    expect([asked, done.builds]).toEqual([2, 1]);
    done.row = "2";
    stamp = "c";
    await builds(done, 2);
  });

  it("without it, builds at each change of a file's stamp, and at each interval for a server's store", async () => {
    let stamp = "a";
    const file = watched({ stamp: () => stamp, ask: async () => null });
    await builds(file, 1);
    stamp = "b";
    await builds(file, 2);
    await end?.();
    const server = watched({ ask: async () => null });
    await builds(server, 1);
    await server.clock.pass(29 * SECOND);
    expect(server.builds).toBe(1);
    await server.clock.pass(60 * SECOND);
    expect(server.builds).toBe(3);
  });

  it("builds at once on request, also during the pause after a failure", async () => {
    const done = watched({
      build: async () => {
        if (done.builds === 1 && done.failures.length === 0) throw new Error("away");
        return reportOf({ seconds: { extract: 60, render: 0, commit: 0 } });
      },
    });
    await builds(done, 1);
    const before = done.clock.elapsed();
    done.isAsked = true;
    await done.clock.passUntil("the failure", () => done.failures.length === 1);
    done.isAsked = true;
    await builds(done, 2);
    expect(done.clock.elapsed() - before).toBeLessThan(2 * SECOND);
  });

  it("rests a multiple of what the last reading took", async () => {
    const built: number[] = [];
    const done = watched(
      {
        build: async () => {
          built.push(done.clock.elapsed());
          return reportOf({ seconds: { extract: 5, render: 0, commit: 0 } });
        },
      },
      { restFactor: 10 },
    );
    await builds(done, 1);
    done.row = "2";
    await builds(done, 2);
    const [first = 0, second = 0] = built;
    expect(second - first).toBeGreaterThanOrEqual(50 * SECOND);
    expect(second - first).toBeLessThan(53 * SECOND);
  });

  it("names files with changed rows that it did not show", async () => {
    let read = (): void => undefined;
    const done = watched({
      build: async (_, saw) => {
        read();
        saw(String(done.row));
        return reportOf({ changedFiles: ["reviews.sql"] });
      },
    });
    await builds(done, 1);
    // First a changed row, then one that changes between the look and the reading, which needs no other build.
    done.row = "2";
    await builds(done, 2);
    read = () => {
      done.row = "3";
      read = () => undefined;
    };
    done.isAsked = true;
    await builds(done, 3);
    await moreLooks(done);
    expect([done.builds, done.missed]).toEqual([3, []]);
    done.isAsked = true;
    await builds(done, 4);
    expect(done.missed).toEqual([["reviews.sql"]]);
  });

  it("builds again until a reading has seen the row that was asked, as with a replica that lags behind", async () => {
    let replica = "1";
    const read: string[] = [];
    const done = watched({
      build: async (_, saw) => {
        read.push(replica);
        saw(replica);
        return reportOf();
      },
    });
    await builds(done, 1);
    done.row = "2";
    await builds(done, 2);
    replica = "2";
    await builds(done, 3);
    await moreLooks(done);
    expect([read, done.builds]).toEqual([["1", "1", "2"], 3]);
  });

  it("reports once that it cannot be asked, and continues", async () => {
    let error: Error | null = new VitrineError("allow_list_invalid", "changed.sql gives no row.");
    const done = watched({
      ask: async () => {
        if (error !== null) throw error;
        return done.row;
      },
    });
    await builds(done, 1);
    done.isAsked = true;
    await builds(done, 2);
    expect(done.failures).toMatchObject([{ step: "look", error, retrySeconds: 30 }]);
    error = null;
    done.isAsked = true;
    await builds(done, 3);
    done.row = "2";
    await builds(done, 4);
    expect(done.failures).toHaveLength(1);
  });
});
