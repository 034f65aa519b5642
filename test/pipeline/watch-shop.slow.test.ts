/** A watch beside a real shop that changes: it reads, builds and notices in real time, and waits in simulated time. */
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toSqlTime } from "../../src/base/time.ts";
import { runBuild } from "../../src/pipeline/build.ts";
import type { BuildReport } from "../../src/pipeline/build-report.ts";
import { type WatchFailure, type WatchRules, watchStore } from "../../src/pipeline/watch.ts";
import { STORE_QUERIES } from "../store-fixture.ts";
import { SimulatedClock } from "../support/simulated-clock.ts";
import { createTinyShop, SILENT, TINY_CONFIG, type TinyShop } from "../support/tiny-shop.ts";

const SOON = { settleSeconds: 0, atMostEverySeconds: 0 };

let shop: TinyShop;
let clock: SimulatedClock;
let builds: BuildReport[];
let failures: WatchFailure[];
let end: () => Promise<void>;

beforeEach(() => {
  shop = createTinyShop(2);
  clock = new SimulatedClock();
  builds = [];
  failures = [];
});
afterEach(async () => {
  await end();
  shop.close();
});

function start(
  rules: Pick<WatchRules, "settleSeconds" | "atMostEverySeconds"> = SOON,
  queries = STORE_QUERIES,
) {
  const inputs = {
    store: shop.store,
    queries,
    config: TINY_CONFIG,
    out: join(shop.folder, "out"),
    maxLeftOut: 0,
    allowShrink: 1000,
    force: false,
    full: false,
    waitSeconds: 0,
  };
  const abort = new AbortController();
  const ports = {
    clock,
    isAsked: () => false,
    build: (now: Date) => runBuild({ ...inputs, now: toSqlTime(now) }, SILENT, abort.signal),
    publish: async () => undefined,
    countObjects: async () => undefined,
    built: (report: BuildReport) => void builds.push(report),
    failed: (failure: WatchFailure) => void failures.push(failure),
    live: () => undefined,
    missed: () => undefined,
  };
  const running = watchStore(inputs, ports, { ...rules, to: undefined, allowLocal: undefined }, abort.signal);
  end = async () => {
    abort.abort();
    await running;
  };
}

const untilBuilds = (count: number) => clock.passUntil(`${count} builds`, () => builds.length >= count);

function setPrice(minor: number): void {
  shop.sql(`UPDATE products SET regular_price_minor = ${minor} WHERE slug = '${shop.slugs[0]}'`);
}

const answerFile = (name: string) => join(shop.folder, `out/site/api/v1/${name}.json`);
const fileOf = (slug: string | undefined) => answerFile(`product/slug=${slug}`);

function price(): number {
  return (JSON.parse(readFileSync(fileOf(shop.slugs[0]), "utf8")) as { data: { price: number } }).data.price;
}

it("builds once for several changes within the settle time", async () => {
  start({ settleSeconds: 2, atMostEverySeconds: 0 });
  await untilBuilds(1);
  setPrice(1000);
  // Noticed by now.
  await clock.pass(1500);
  setPrice(2000);
  await clock.pass(400);
  setPrice(3000);
  await untilBuilds(2);
  expect(price()).toBe(30);
  setPrice(4000);
  await untilBuilds(3);
  await clock.pass(60_000);
  expect([price(), ...builds.map(({ work }) => work)]).toEqual([40, "whole", "part", "part"]);
});

it("builds at the moment at which the clock alone changes an answer", async () => {
  const hidden = fileOf(shop.slugs[1]);
  const at = new Date(clock.now().getTime() + 90_000);
  shop.sql(`UPDATE products SET published_at = '${toSqlTime(at)}' WHERE slug = '${shop.slugs[1]}'`);
  start();
  await untilBuilds(1);
  expect([existsSync(hidden), Date.parse(builds[0]?.nextChangeAt ?? "")]).toEqual([false, at.getTime()]);
  await clock.pass(89_000);
  expect([existsSync(hidden), builds.length]).toEqual([false, 1]);
  await untilBuilds(2);
  expect([existsSync(hidden), clock.now().getTime() - at.getTime() < 100]).toEqual([true, true]);
});

describe("a moment within the second of the build", () => {
  it.each([
    ["0.9 s into it", ".900", ">"],
    ["its beginning", "", ">="],
  ])("is built for once more: %s", async (_, fraction, after) => {
    shop.sql("CREATE TABLE opening (moment TEXT)");
    shop.sql("INSERT INTO opening VALUES ('2000-01-01 00:00:00')");
    const queries = join(shop.folder, "queries");
    cpSync(STORE_QUERIES, queries, { recursive: true });
    // It does not know of the table.
    rmSync(join(queries, "changed.sql"));
    const opened = "(SELECT 'Open since ' || moment FROM opening WHERE moment <= :now)";
    const storeSql = readFileSync(join(queries, "store.sql"), "utf8");
    writeFileSync(
      join(queries, "store.sql"),
      storeSql.replace("s.name AS", `COALESCE(${opened}, 'Closed') AS`),
    );
    const next = `SELECT (SELECT moment FROM opening WHERE moment ${after} :now) AS next_change_at`;
    writeFileSync(join(queries, "next_change.sql"), next);
    start(SOON, queries);
    await untilBuilds(1);
    await clock.pass(1000 - (clock.now().getTime() % 1000) + 300);
    const second = Math.floor(clock.now().getTime() / 1000) * 1000;
    const moment = toSqlTime(new Date(second)) + fraction;
    shop.sql(`UPDATE opening SET moment = '${moment}'`);
    await untilBuilds(2);
    expect(Date.parse(builds[1]?.nextChangeAt ?? "")).toBe(second + 1000);
    await untilBuilds(3);
    expect(clock.now().getTime() - second - 1000).toBeLessThan(100);
    await clock.pass(60_000);
    expect(builds.slice(2)).toEqual([expect.objectContaining({ nextChangeAt: null })]);
    expect(readFileSync(answerFile("store"), "utf8")).toContain(`Open since ${moment}`);
    expect(failures).toEqual([]);
  });
});

it("survives a missing store and a failing build: it reports them, waits longer each time, and continues", async () => {
  const away = `${shop.store}.away`;
  renameSync(shop.store, away);
  start();
  const untilFailures = (count: number) =>
    clock.passUntil(`${count} failures`, () => failures.length >= count);
  await untilFailures(3);
  expect(failures).toMatchObject(
    [1, 2, 4].map((retrySeconds) => ({ error: { code: "store_unreadable" }, retrySeconds })),
  );
  renameSync(away, shop.store);
  await untilBuilds(1);
  expect(builds[0]?.work).toBe("whole");
  const before = price();
  failures.length = 0;
  shop.sql(`BEGIN; UPDATE products SET regular_price_minor = 4321 WHERE slug = '${shop.slugs[0]}';
    UPDATE products SET slug = 'Not A Slug!' WHERE slug = '${shop.slugs[1]}'; COMMIT`);
  await untilFailures(3);
  const refused = { code: "rows_invalid", message: expect.stringContaining("Not A Slug!") };
  expect(failures).toMatchObject(
    [1, 2, 4].map((retrySeconds) => ({ step: "build", error: refused, retrySeconds })),
  );
  expect(price()).toBe(before);
  shop.sql("UPDATE products SET slug = 'a-slug' WHERE slug = 'Not A Slug!'");
  await untilBuilds(2);
  expect(price()).toBe(43.21);
});
