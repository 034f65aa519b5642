/** When a watch builds and publishes, with fake builds. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { VitrineError } from "../../src/base/error.ts";
import type { BuildReport } from "../../src/pipeline/build-report.ts";
import { type WatchFailure, type WatchPorts, type WatchRules, WatchRun } from "../../src/pipeline/watch.ts";
import { until } from "../support/until.ts";

const BUILD_MILLISECONDS = 20;

function reportOf(facts: Partial<BuildReport> = {}): BuildReport {
  const seconds = { extract: 0, render: 0, commit: 0 };
  return { work: "none", nextChangeAt: null, changedFiles: [], seconds, ...facts } as BuildReport;
}

let end: (() => Promise<void>) | undefined;
afterEach(() => end?.());

/** A watch of a store on a server whose row is `1`, and a record of its actions. */
function watched(given: Partial<WatchPorts> = {}, rules: Partial<WatchRules> = {}) {
  const done = {
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
  const quick = { settleSeconds: 0, atMostEverySeconds: 0, everySeconds: 0.01, restFactor: 20 };
  // Set once the test has this return value.
  const running = sleep(0).then(() => new WatchRun(ports, { ...quick, ...rules }).run(abort.signal));
  end = async () => {
    abort.abort();
    await running;
  };
  return done;
}

const builds = (done: { readonly builds: number }, count: number) =>
  expect.poll(() => done.builds, { interval: 5 }).toBe(count);

/** Waits until it has looked often enough to have noticed a change before. */
function moreLooks(done: { readonly looks: number }): Promise<true> {
  const wanted = done.looks + 3;
  return until("three more looks", () => done.looks >= wanted);
}

it("publishes all changes that come during a publish with the next one", async () => {
  let committed = 0;
  let read = 0;
  const published: number[] = [];
  watched({
    stamp: () => String(committed),
    ask: async () => null,
    build: async () => {
      read = committed;
      return reportOf({ work: "part" });
    },
    publish: async () => {
      // Five changes come one by one during the first release.
      for (; published.length === 0 && committed < 5; committed++) await sleep(BUILD_MILLISECONDS);
      published.push(read);
    },
  });
  await expect.poll(() => published).toEqual([0, 5]);
});

it("counts objects after each build, also if it publishes nothing or fails", async () => {
  let looks = 0;
  let isFailing = false;
  const done = watched(
    {
      build: async () => reportOf({ work: "none" }),
      publish: () => (isFailing ? Promise.reject(new Error("away")) : Promise.resolve()),
      countObjects: async () => void looks++,
    },
    { retry: { firstSeconds: 0.01, mostSeconds: 0.01 } },
  );
  await expect.poll(() => looks).toBe(1);
  done.isAsked = true;
  await expect.poll(() => looks).toBe(2);
  isFailing = true;
  done.isAsked = true;
  await expect.poll(() => looks).toBeGreaterThan(2);
});

it("reports how long a change took to go live, from its first notice and through failed publishes", async () => {
  const work = { first: "whole", second: "part", third: "none" } as const;
  let failing = false;
  let secondBuild: number | undefined;
  const done = watched(
    {
      build: async () => {
        if (done.row === "second") secondBuild ??= performance.now();
        return reportOf({ work: work[done.row as keyof typeof work] });
      },
      publish: async () => {
        if (failing) throw new Error("away");
      },
    },
    { retry: { firstSeconds: 0.01, mostSeconds: 0.01 } },
  );
  done.row = "first";
  await expect.poll(() => done.live).toEqual([null]);
  failing = true;
  const changed = performance.now();
  done.row = "second";
  await expect.poll(() => done.failures.length).toBeGreaterThan(3);
  const failed = performance.now();
  failing = false;
  await expect.poll(() => done.live.length).toBe(2);
  // It was noticed after the change and before the first build of it.
  expect(done.live[1]).toBeGreaterThan((failed - (secondBuild ?? 0)) / 1000);
  expect(done.live[1]).toBeLessThan((performance.now() - changed) / 1000);
  // Something was noticed but changed nothing: it counts as live.
  done.row = "third";
  await expect.poll(() => done.live.length).toBe(3);
  expect(done.live[2]).toBeNull();
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
    await expect.poll(() => asked).toBe(2);
    await moreLooks(done);
    expect([asked, done.builds]).toEqual([2, 1]);
    done.row = "2";
    stamp = "c";
    await builds(done, 2);
  });

  it("without it, builds at each change of a file's stamp, and at each interval for a server's store", async () => {
    let stamp = "a";
    const file = watched({ stamp: () => stamp, ask: async () => null }, { everySeconds: 60 });
    await builds(file, 1);
    stamp = "b";
    await builds(file, 2);
    await end?.();
    const server = watched({ ask: async () => null });
    await expect.poll(() => server.builds).toBeGreaterThan(3);
  });

  it("builds at once on request, also during the pause after a failure", async () => {
    const done = watched({
      build: async () => {
        if (done.builds === 1 && done.failures.length === 0) throw new Error("away");
        return reportOf({ seconds: { extract: 60, render: 0, commit: 0 } });
      },
    });
    await builds(done, 1);
    done.isAsked = true;
    await expect.poll(() => done.failures.length).toBe(1);
    done.isAsked = true;
    await builds(done, 2);
  });

  it("rests a multiple of what the last reading took", async () => {
    const built: number[] = [];
    const done = watched(
      {
        build: async () => {
          built.push(performance.now());
          return reportOf({ seconds: { extract: 0.05, render: 0, commit: 0 } });
        },
      },
      { restFactor: 10 },
    );
    await builds(done, 1);
    done.row = "2";
    await builds(done, 2);
    const [first = 0, second = 0] = built;
    expect(second - first).toBeGreaterThanOrEqual(500);
  });

  it("names files with changed rows that it did not show", async () => {
    let read = (): void => undefined;
    const done = watched({
      build: async () => {
        read();
        return reportOf({ changedFiles: ["reviews.sql"] });
      },
    });
    await builds(done, 1);
    // First a changed row, then one that changes while the rows are read.
    done.row = "2";
    await builds(done, 2);
    read = () => {
      done.row = "3";
      read = () => undefined;
    };
    done.isAsked = true;
    await builds(done, 4);
    expect(done.missed).toEqual([]);
    done.isAsked = true;
    await builds(done, 5);
    expect(done.missed).toEqual([["reviews.sql"]]);
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
