/** A remote that never answers a request, or stops in the middle: everything that waits for it ends. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SILENT } from "../../src/base/log.ts";
import type { RetryPolicy } from "../../src/base/retries.ts";
import { type Bucket, JOURNAL_KEY, OBJECT_HEADERS } from "../../src/publish/bucket.ts";
import { withDeadline } from "../../src/publish/calls.ts";
import type { Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import { createCloudFront, openCdn } from "../../src/publish/purge.ts";
import { fetchOlderRelease } from "../../src/publish/rollback.ts";
import { checkServed, readPublic } from "../../src/publish/served.ts";
import { layoutOf } from "../../src/site/layout.ts";
import type { Fault } from "../support/faults.ts";
import { followBucket } from "../support/following.ts";
import {
  bucketAt,
  createFaultyMemory,
  expectLive,
  hastyFor,
  holdsCatalog,
  OPTIONS,
  portsOf,
} from "../support/publishing.ts";
import { HastyClock, SimulatedClock } from "../support/simulated-clock.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";
import { until } from "../support/until.ts";

const HANGS: readonly Fault[] = ["hang-before", "hang-after", "hang-midway"];
/** Longer than any of the requests takes, however busy the machine is: nothing waits for it. */
const PATIENCE = 20_000;
const RETRIES = {
  attempts: 6,
  baseMilliseconds: 1,
  maxMilliseconds: 5,
  callMilliseconds: PATIENCE,
  budgetMilliseconds: 300_000,
};

describe("a service that hangs", () => {
  const store = createFaultyMemory();
  let shop: TinyShop;
  let folder: string;
  let first: Snapshot;
  let second: Snapshot;
  const clock = hastyFor(store);
  const bucket = () => bucketAt(store, "hang", 8, { clock });
  const hangAt = (fault: Fault, at: number) => {
    store.reset();
    store.fault = (n) => (n === at ? fault : null);
  };

  beforeAll(async () => {
    shop = createTinyShop(2);
    folder = mkdtempSync(join(tmpdir(), "vitrine-hang-"));
    first = await shop.build("first");
    shop.sql(`UPDATE products SET name = 'Renamed' WHERE slug = '${shop.slugs[0]}'`);
    second = await shop.build("second");
    for (const one of [first, second]) await publish(one, OPTIONS, portsOf(bucketAt(store, "hang")));
  });
  afterEach(() => store.reset());
  afterAll(() => {
    shop.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(HANGS)("does not block a poll for a new release: %s", async (fault) => {
    // The pointer, then the catalog; each look with a separate folder, so that there is always one to fetch.
    for (const at of [0, 1]) {
      hangAt(fault, at);
      const followed = await followBucket(bucket(), join(folder, `${fault}-${at}`));
      await until(`the catalog: ${fault} at ${at}`, () => followed.file() !== "");
      await followed.stop();
      expect(holdsCatalog(followed.file(), second), `${fault} at ${at}`).toBe(true);
      expect(store.seen.length).toBeGreaterThan(2);
    }
  });

  it("is polled again after it hung for long", async () => {
    const home = join(folder, "long");
    await (await followBucket(bucket(), home)).stop();
    const mark = join(home, "present.json");
    writeFileSync(mark, readFileSync(mark, "utf8").replace(/"id":"[^"]+"/, '"id":"00000001-older"'));
    const heard: string[] = [];
    store.reset();
    store.fault = () => "hang-after";
    const log = { info: () => undefined, warn: (text: string) => heard.push(text) };
    const followed = await followBucket(bucket(), home, { log, everyMilliseconds: 10 });
    await expect.poll(() => heard).toEqual([expect.stringMatching(/is served on: .*no response/)]);
    store.reset();
    await expect.poll(() => followed.look()).toBe(false);
    expect(readFileSync(mark, "utf8")).toContain('"id":"00000002-');
    await followed.stop();
  });

  it.each(HANGS)("does not block a rollback: %s", async (fault) => {
    // The pointer, the catalog, the manifest; the puts that follow are a publish's, see faults.slow.test.ts.
    for (const at of [0, 1, 2]) {
      hangAt(fault, at);
      const own = join(folder, `rollback-${fault}-${at}`);
      const layout = layoutOf(join(own, "out"));
      const from = mkdtempSync(join(folder, "older-"));
      const { record, manifest } = await fetchOlderRelease(bucket(), undefined, layout, from);
      expect(record.id).toMatch(/^00000001-/);
      expect(manifest.totals()).toEqual(first.manifest.totals());
      manifest.close();
    }
  });

  it.each(HANGS)("does not block a check of what it serves: %s", async (fault) => {
    const entries = [...second.manifest.entries()].slice(0, 3);
    // A GET for each.
    for (let at = 0; at < entries.length; at++) {
      hangAt(fault, at);
      expect(await checkServed(entries, { read: bucket().get }, () => undefined)).toEqual([]);
      expect(store.seen.length).toBeGreaterThan(entries.length);
    }
  });

  it("ends a publish as a failure of the store, if it never answers", async () => {
    store.reset();
    store.fault = () => "hang-after";
    await expect(publish(first, OPTIONS, portsOf(bucket()))).rejects.toMatchObject({
      code: "remote_failed",
      message: expect.stringMatching(/no response.* No response came in time/),
      hint: expect.stringContaining("try again when the service answers"),
    });
    expect(store.seen.length).toBeLessThanOrEqual(10);
  });

  it.each(HANGS)("does not block a large download: %s", async (fault) => {
    const body = Buffer.alloc(3_000_000, randomUUID());
    // Only the download hangs: a megabyte of an upload may be in buffers, for which it gets a minute.
    await bucket().put("large", body, OBJECT_HEADERS);
    hangAt(fault, 0);
    expect((await bucket().get("large"))?.body.equals(body)).toBe(true);
  });

  it("is awaited if it is slow, while the lock is renewed", async () => {
    const prefix = `slow-${randomUUID()}`;
    const quick = bucketAt(store, prefix, 1, { clock });
    const renewedAt: number[] = [];
    const slow: Bucket = {
      ...quick,
      async put(...args) {
        await clock.sleep(400);
        await quick.put(...args);
      },
      async putIf(...args) {
        if (args[0] === JOURNAL_KEY) renewedAt.push(clock.elapsed());
        return quick.putIf(...args);
      },
      concurrency: 1,
    };
    const options = { ...OPTIONS, leaseSeconds: 4 };
    const uptimeSeconds = () => clock.elapsed() / 1000;
    await publish(first, options, portsOf(slow, { clock, uptimeSeconds }));
    await expectLive(store.upstream, prefix, first);
    const pauses = renewedAt.slice(1).map((at, before) => at - (renewedAt[before] ?? 0));
    expect(pauses.length).toBeGreaterThan(8);
    // With three quarters of the lease over, a write would wait for a renewal.
    expect(Math.max(...pauses)).toBeLessThan(3000);
  });
});

describe("other remotes that hang", () => {
  let server: Server;
  let requests = 0;
  let url = "";
  let clock: HastyClock;
  let retries: RetryPolicy;
  const hangs = () => clock.skip(PATIENCE);
  beforeEach(async () => {
    requests = 0;
    clock = new HastyClock();
    retries = { ...RETRIES, clock };
    server = createServer((request, response) => {
      requests += 1;
      // The first answer stops in the middle, the second never comes, the third is complete.
      if (requests === 1) response.writeHead(200, { "Content-Length": 100 }).write("half", hangs);
      else if (requests < 3) hangs();
      if (requests >= 3) request.resume().on("end", () => response.end("whole"));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  });
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  it("a public address is asked again", async () => {
    const served = await readPublic(url, retries)("api/v1/store.json");
    expect(served?.body.toString()).toBe("whole");
    expect(requests).toBe(3);
  });

  it("a check reads as fast as the rate limit allows", async () => {
    let allowed = 3;
    let refusedAt = Number.POSITIVE_INFINITY;
    let refused = 0;
    const limited = createServer((_, response) => {
      // The window of this server begins again with the first refusal.
      if (clock.elapsed() - refusedAt >= 1000) {
        allowed = 3;
        refusedAt = Number.POSITIVE_INFINITY;
      }
      allowed -= 1;
      if (allowed >= 0) return void response.end("{}");
      refusedAt = Math.min(refusedAt, clock.elapsed());
      refused += 1;
      response.writeHead(429, { "Retry-After": "1" }).end();
    });
    await new Promise<void>((resolve) => limited.listen(0, "127.0.0.1", resolve));
    const address = limited.address();
    const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    const said: string[] = [];
    const log = { ...SILENT, warn: (text: string) => void said.push(text) };
    const read = readPublic(origin, retries, log);
    const keys = Array.from({ length: 8 }, (_, at) => `api/v1/product/id=${at}.json`);
    const served = await Promise.all(keys.map(read)).finally(() => limited.close());
    expect(served.map((one) => one?.body.toString())).toEqual(keys.map(() => "{}"));
    // At most all that are under way are refused at each of two limits.
    expect(refused).toBeLessThanOrEqual(2 * keys.length);
    expect(said).toEqual([`${origin} limits requests: reading as fast as it allows`]);
  });

  it.each([
    [3, "3", true],
    [3, "2", false],
    [3, "10, 10;w=60", false],
  ])(
    "a check of which request %i is refused, at a limit of %s, says that the limit is shared: %s",
    async (nth, limit, isSaid) => {
      let count = 0;
      const limited = createServer((_, response) => {
        count += 1;
        if (count !== nth) return void response.end("{}");
        response.writeHead(429, { "Retry-After": "1", "X-RateLimit-Limit": limit }).end();
      });
      await new Promise<void>((resolve) => limited.listen(0, "127.0.0.1", resolve));
      const address = limited.address();
      const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
      const said: string[] = [];
      const read = readPublic(origin, retries, { ...SILENT, warn: (text) => void said.push(text) });
      for (let at = 0; at < 4; at++) await read(`api/v1/product/id=${at}.json`);
      limited.close();
      expect(said.filter((text) => /refused request 3 .* each client 3\..*--trust/.test(text))).toHaveLength(
        isSaid ? 1 : 0,
      );
    },
  );

  it.each([-3_600_000, 3_600_000])(
    "a check waits as long if the clock is set by %i ms meanwhile",
    async (step) => {
      let isRefused = false;
      const limited = createServer((_, response) => {
        if (isRefused) return void response.end("{}");
        isRefused = true;
        clock.setBy(step);
        response.writeHead(429, { "Retry-After": "1" }).end();
      });
      await new Promise<void>((resolve) => limited.listen(0, "127.0.0.1", resolve));
      const address = limited.address();
      const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
      const served = await readPublic(origin, retries)("api/v1/store.json").finally(() => limited.close());
      expect(served?.body.toString()).toBe("{}");
      expect(clock.pauses.map((pause) => Math.round(pause / 100) / 10)).toEqual([1]);
    },
  );

  it("a check gives up after many failures in a row", async () => {
    requests = -1_000_000;
    const entries = Array.from({ length: 500 }, (_, at) => ({
      key: `api/v1/product/id=${at}.json`,
      digest: "",
      etag: "",
    }));
    const read = readPublic(url, { ...retries, attempts: 1 });
    await expect(checkServed(entries, { read }, () => undefined)).rejects.toMatchObject({
      code: "remote_failed",
      message: expect.stringMatching(/16 requests in a row failed/),
    });
    expect(requests).toBeLessThan(-1_000_000 + 50);
  });

  it("a webhook is called again", async () => {
    const webhook = openCdn(`webhook:${url}`, { origin: "https://shop.example", env: {}, retries });
    await webhook.purge({ kind: "everything" }, "r");
    expect(requests).toBe(3);
  });

  it("CloudFront's API is asked a limited number of times", async () => {
    requests = -1_000_000;
    const client = { endpoint: url, credentials: { accessKeyId: "a", secretAccessKey: "b" } };
    const cdn = createCloudFront({ distribution: "E1", tags: false, client, retries });
    await expect(cdn.purge({ kind: "everything" }, "r")).rejects.toMatchObject({ code: "purge_failed" });
    expect(requests).toBeLessThanOrEqual(-1_000_000 + RETRIES.attempts);
  });
});

describe("a deadline", () => {
  const inPieces = async (clock: SimulatedClock, moved: (bytes: number) => void, bytes: number) => {
    for (let at = 0; at < 10; at++) {
      await clock.sleep(50);
      moved(bytes);
    }
    return "done";
  };
  const within = (bytes: number, clock = new SimulatedClock()) => ({
    clock,
    work: withDeadline({ callMilliseconds: 200, clock }, ({ moved }) => inPieces(clock, moved, bytes)),
  });

  it("is extended by progress, and ends work that trickles or ignores it", async () => {
    const steady = within(1024 * 1024);
    await steady.clock.pass(500);
    expect(await steady.work).toBe("done");
    const trickling = within(1);
    const refused = expect(trickling.work).rejects.toMatchObject({ name: "TimeoutError" });
    await trickling.clock.pass(300);
    await refused;
    const clock = new SimulatedClock();
    const ignored = withDeadline({ callMilliseconds: 50, clock }, () => new Promise(() => undefined));
    const ended = expect(ignored).rejects.toThrow(/within 0.1 s/);
    await clock.pass(50);
    await ended;
  });
});
