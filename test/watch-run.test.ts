/** When a watch builds, and what each build may leave to a later one; what it builds from is not here. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import type { BuildReport } from "../src/build-report.ts";
import { WatchRun } from "../src/watch-run.ts";

const BUILD_MILLISECONDS = 20;

/** A watch of a shop that changes before each of so many builds, until it built so often; whether each was quick. */
async function watchedBuilds(
  changes: number,
  builds: number,
  {
    fails = () => false,
    mayBeQuick = true,
  }: { fails?: (build: number) => boolean; mayBeQuick?: boolean } = {},
) {
  const isQuick: boolean[] = [];
  const abort = new AbortController();
  const report = { work: "none", nextChangeAt: null } as BuildReport;
  const run = new WatchRun(
    {
      look: () => String(Math.min(changes, isQuick.length)),
      prepare: () => {},
      build: async (_, quick) => {
        isQuick.push(quick);
        if (isQuick.length === builds) abort.abort();
        await sleep(BUILD_MILLISECONDS);
        if (fails(isQuick.length)) throw new Error("the store is away");
        return report;
      },
      publish: async () => undefined,
      built: () => undefined,
      failed: () => undefined,
    },
    { settleSeconds: 0, atMostEverySeconds: 0, mayBeQuick },
  );
  await run.run(abort.signal);
  return isQuick;
}

it("lets a change that comes alone not wait for the clock, and asks for that moment next", async () => {
  expect(await watchedBuilds(1, 3)).toEqual([false, true, false]);
});

it("asks now and then while changes come without an end", async () => {
  const isQuick = await watchedBuilds(Number.POSITIVE_INFINITY, 60);
  expect(isQuick[0]).toBe(false);
  expect(isQuick.slice(1).filter((quick) => quick).length).toBeGreaterThan(20);
  expect(isQuick.slice(1)).toContain(false);
});

it("leaves nothing to later after a build that failed", async () => {
  expect((await watchedBuilds(4, 4, { fails: (build) => build === 2 })).slice(0, 4)).toEqual([
    false,
    true,
    false,
    true,
  ]);
});

it("leaves nothing to later where each build may read everything", async () => {
  expect(await watchedBuilds(2, 3, { mayBeQuick: false })).toEqual([false, false, false]);
});

it("publishes what changes during a publish with the next one, all of it", async () => {
  let committed = 0;
  let read = 0;
  const published: number[] = [];
  const abort = new AbortController();
  const run = new WatchRun(
    {
      look: () => String(committed),
      prepare: () => {},
      build: async () => {
        read = committed;
        return { work: "delta", nextChangeAt: null } as BuildReport;
      },
      publish: async () => {
        // Five changes come while the first release is under way, one by one.
        for (; published.length === 0 && committed < 5; committed++) await sleep(BUILD_MILLISECONDS);
        published.push(read);
        if (read === 5) abort.abort();
      },
      built: () => undefined,
      failed: () => undefined,
    },
    { settleSeconds: 0, atMostEverySeconds: 0, mayBeQuick: true },
  );
  await run.run(abort.signal);
  expect(published).toEqual([0, 5]);
});
