/** When a watch builds and publishes; what it builds from is not here. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import type { BuildReport } from "../../src/build/report.ts";
import { WatchRun } from "../../src/build/watch-run.ts";

const BUILD_MILLISECONDS = 20;

it("publishes what changes during a publish with the next one, all of it", async () => {
  let committed = 0;
  let read = 0;
  const published: number[] = [];
  const abort = new AbortController();
  const run = new WatchRun(
    {
      look: () => String(committed),
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
    { settleSeconds: 0, atMostEverySeconds: 0 },
  );
  await run.run(abort.signal);
  expect(published).toEqual([0, 5]);
});
