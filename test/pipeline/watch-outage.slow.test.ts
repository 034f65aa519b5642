/** A watch whose place is unreachable for a while: how often it tries meanwhile, and how soon it publishes afterwards. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { BuildReport } from "../../src/pipeline/build-report.ts";
import { type WatchFailure, WatchRun } from "../../src/pipeline/watch.ts";
import { isHolderGone, thisHolder } from "../../src/publish/lease.ts";
import type { Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import { createFaultyMemory, expectLive, memoryAt, OPTIONS, portsOf } from "../support/publishing.ts";
import { SimulatedClock } from "../support/simulated-clock.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

const NOTHING = {
  work: "none",
  nextChangeAt: null,
  changedFiles: [] as readonly string[],
  seconds: { extract: 0, render: 0, commit: 0 },
} as BuildReport;
const RULES = { settleSeconds: 0.2, atMostEverySeconds: 1, restFactor: 1 };

/** A watch that never builds; runs until it has failed so often, or has published. */
async function watched(
  publishing: () => Promise<unknown>,
  { failures, stamp = () => "same" }: { failures: number; stamp?: () => string },
  clock = SimulatedClock.thatPasses(),
): Promise<WatchFailure[]> {
  const abort = new AbortController();
  const failed: WatchFailure[] = [];
  const ports = {
    clock,
    stamp,
    ask: async () => null,
    isAsked: () => false,
    countObjects: async () => undefined,
    missed: () => undefined,
    live: () => undefined,
    build: async () => NOTHING,
    publish: async () => {
      await publishing();
      abort.abort();
    },
    built: () => undefined,
    failed: (failure: WatchFailure) => {
      if (failed.push(failure) === failures) abort.abort();
    },
  };
  await new WatchRun(ports, RULES).run(abort.signal);
  return failed;
}

const away = () => Promise.reject(new Error("the place is away"));
const waits = (failures: readonly WatchFailure[]) => failures.map(({ retrySeconds }) => retrySeconds);

describe("a watch whose place is unreachable", () => {
  it("waits twice as long after each try, up to a bound", async () => {
    expect(waits(await watched(away, { failures: 9 }))).toEqual([...[1, 2, 4, 8, 16], ...[30, 30, 30, 30]]);
  });

  it("waits no longer because of changes that come meanwhile", async () => {
    let changes = 0;
    const stamp = () => String(changes++);
    expect(waits(await watched(away, { failures: 20, stamp }))).toEqual(Array(20).fill(1));
  });

  it("waits no longer than that if a try takes long", async () => {
    const clock = SimulatedClock.thatPasses();
    const slowly = () => clock.sleep(100_000).then(away);
    expect(waits(await watched(slowly, { failures: 2 }, clock))).toEqual([1, 2]);
  });
});

describe("a watch whose bucket hangs while it holds the lock", () => {
  const store = createFaultyMemory();
  let shop: TinyShop;
  let snapshot: Snapshot;

  beforeAll(async () => {
    shop = createTinyShop(2);
    snapshot = await shop.build("first");
  });
  afterEach(() => store.reset());
  afterAll(() => shop.close());

  it("publishes with the first try afterwards", async () => {
    const bucket = memoryAt(store, "outage", 8, { callMilliseconds: 100 });
    const ports = portsOf(bucket, { holder: thisHolder(), isGone: isHolderGone });
    store.reset();
    // From the first file on the bucket does not answer: the lock is neither renewed nor released.
    let hangs = false;
    store.fault = (_, { key }) => {
      hangs ||= key.startsWith("outage/api/");
      return hangs ? "hang-before" : null;
    };
    let tries = 0;
    const failures = await watched(
      () => {
        tries += 1;
        if (tries === 2) store.reset();
        return publish(snapshot, { ...OPTIONS, leaseSeconds: 600 }, ports);
      },
      { failures: 3 },
    );
    expect(failures.map(({ error }) => error)).toMatchObject([{ code: "remote_failed" }]);
    await expectLive(store.upstream, "outage", snapshot);
  });

  it("does not take over a publish that is running in its own process", async () => {
    const bucket = memoryAt(store, "two");
    const ports = () => portsOf(bucket, { holder: thisHolder(), isGone: isHolderGone });
    const same = await shop.build("same");
    const both = [snapshot, same].map((one) => publish(one, OPTIONS, ports()));
    const failed = (await Promise.allSettled(both)).filter(({ status }) => status === "rejected");
    expect(failed).toMatchObject([{ reason: { code: "publisher_busy" } }]);
    await expectLive(store.upstream, "two", snapshot);
  });

  it("does not mistake a later process with the same id for itself", async () => {
    const { publisher, ...rest } = thisHolder();
    const attempt = "another's";
    expect(isHolderGone({ attempt, holder: { ...rest, publisher } })).toBe(true);
    expect(isHolderGone({ attempt, holder: { ...rest, publisher: "another" } })).toBe(false);
    expect(isHolderGone({ attempt, holder: { ...rest, publisher: "another", began: "1" } })).toBe(true);
    expect(isHolderGone({ attempt, holder: { ...rest, publisher: "another", began: "" } })).toBe(false);
    const elsewhere = { ...rest, publisher: "another", machine: "elsewhere", began: "1" };
    expect(isHolderGone({ attempt, holder: elsewhere })).toBe(false);
  });
});
