/** What must not go live in silence, whichever way it comes: each policy with each way to build or to publish. */
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { type BuildReport, build, publish, VitrineError, watch } from "../../src/index.ts";
import { stampOf } from "../../src/store/sqlite-stamp.ts";
import { runVitrine } from "../support/command.ts";
import { makePlainStore } from "../support/plain-store.ts";
import { readTree, temporaryFolder } from "../support/shop.ts";
import { until } from "../support/until.ts";
import { startWarmServer } from "../support/warm-server.ts";

const folder = temporaryFolder();
const PLAIN = makePlainStore(folder, 10);
/** A store that was just written is never known to be untouched. */
beforeAll(() => until("a store that has been left alone", () => stampOf(PLAIN.store) !== null));

interface Shop {
  readonly configFile: string;
  readonly out: string;
  /** The folder that it is published to. */
  readonly live: string;
  to: string;
  /** Further flags, and the same as options of the library. */
  flags: readonly string[];
  options: { readonly allowShrink?: number; readonly force?: boolean; readonly allowLocal?: boolean };
  sql(text: string): void;
  /** Writes a file of the allow-list. */
  query(file: string, sql: string): void;
  queried(file: string): string;
  configure(change: object): void;
}

let shops = 0;

function makeShop(): Shop {
  const home = join(folder, String(++shops));
  mkdirSync(home);
  const at = (name: string) => join(home, name);
  const [configFile, out, live, queries] = [at("config.json"), at("out"), at("live"), at("queries")];
  cpSync(PLAIN.queries, queries, { recursive: true });
  let config: object = {
    store: PLAIN.store,
    queries,
    out,
    baseUrl: "https://shop.example/api/v1",
    siteUrl: "https://shop.example",
    grid: { depth: 0, maxFiles: 1000 },
    pages: false,
  };
  const configure = (change: object) => {
    config = { ...config, ...change };
    writeFileSync(configFile, JSON.stringify(config));
  };
  configure({});
  return {
    configFile,
    out,
    live,
    to: `file://${live}`,
    flags: [],
    options: {},
    sql(text) {
      const own = at("own.sqlite");
      if (!existsSync(own)) copyFileSync(PLAIN.store, own);
      configure({ store: own });
      new Database(own).exec(text).close();
    },
    query: (file, sql) => writeFileSync(join(queries, file), sql),
    queried: (file) => readFileSync(join(queries, file), "utf8"),
    configure,
  };
}

/** The code of the error that ends a way; null if it succeeds. */
type Way = (shop: Shop) => Promise<string | null>;

async function ran(args: readonly string[]): Promise<string | null> {
  const { code, err } = await runVitrine(args);
  return code === 0 ? null : (/^error: (\w+):/m.exec(err)?.[1] ?? err);
}

/** The code of the first failure of a watch; null if it publishes. */
async function watched({ configFile, to, flags }: Shop): Promise<string | null> {
  const { child, said, ended } = startWarmServer(
    ["watch", "--config", configFile, "--to", to, "--json", ...flags],
    ".",
  );
  const heard = (pattern: RegExp) => pattern.exec(said())?.[1];
  let isEnded = false;
  void ended.then(() => {
    isEnded = true;
  });
  await until("an outcome", () => isEnded || heard(/"event":"(failed|publish)"/));
  if (!isEnded) child.kill();
  await ended;
  return heard(/"event":"failed".*?"code":"(\w+)"/) ?? heard(/^error: (\w+):/m) ?? null;
}

const codeOf = (error: unknown) => (error instanceof VitrineError ? error.code : String(error));

const given = ({ configFile, options: { allowShrink, force } }: Shop) => ({ configFile, allowShrink, force });
const publishing = ({ configFile, to, options }: Shop) => ({ configFile, to, ...options });

/** The ways to build, all but the first and the last two of which publish. */
const BUILDS: Readonly<Record<string, Way>> = {
  "vitrine build": ({ configFile, flags }) => ran(["build", "--config", configFile, ...flags]),
  "vitrine watch --once": ({ configFile, to, flags }) =>
    ran(["watch", "--once", "--config", configFile, "--to", to, ...flags]),
  "vitrine watch": watched,
  "the library's build": (shop) => build(given(shop)).then(() => null, codeOf),
  "the library's watch": async (shop) => {
    const end = new AbortController();
    let outcome: string | null | undefined;
    const settle = (said: string | null) => {
      if (outcome === undefined) outcome = said;
      end.abort();
    };
    await watch({
      ...given(shop),
      signal: end.signal,
      publish: async () => void (await publish(publishing(shop)).then(() => settle(null))),
      failed: ({ error }) => settle(codeOf(error)),
    });
    return outcome ?? null;
  },
};

/** The ways that make a snapshot live that is there already. */
const PUBLISHES: Readonly<Record<string, Way>> = {
  "vitrine publish": ({ configFile, to, flags }) =>
    ran(["publish", "--config", configFile, "--to", to, ...flags]),
  "the library's publish": (shop) => publish(publishing(shop)).then(() => null, codeOf),
  "vitrine erase": ({ configFile, to, flags }) =>
    ran(["erase", "product", "999", "--config", configFile, "--to", to, ...flags]),
};

interface Policy {
  /** Makes the situation. */
  readonly when: (shop: Shop) => void | Promise<void>;
  readonly code: string;
  /** What lets it pass. */
  readonly unless?: Pick<Shop, "flags" | "options">;
  /** True if a watch reports it and goes on. */
  readonly isSurvived?: boolean;
}

const LEFT_OUT = "SELECT id, title, 'without a price' AS reason FROM products";
const CLOSED = "SELECT 'it is in maintenance' AS reason";
const FORCE = { flags: ["--force"], options: { force: true } };
const LOCAL = { baseUrl: "http://127.0.0.1:9/api/v1", siteUrl: "http://127.0.0.1:9" };
const ALLOW_SHRINK = { flags: ["--allow-shrink", "1000"], options: { allowShrink: 1000 } };
const FORCE_AND_SHRINK = {
  flags: [...FORCE.flags, ...ALLOW_SHRINK.flags],
  options: { ...FORCE.options, ...ALLOW_SHRINK.options },
};

function hideProducts({ query, queried }: Shop): void {
  query("products.sql", `SELECT * FROM (\n${queried("products.sql")}\n) AS p WHERE 1 = 0`);
}

/** Builds and publishes the shop as it is. */
async function goLive(shop: Shop): Promise<void> {
  await build(given(shop));
  await publish(publishing(shop));
}

const OF_BUILDS: Readonly<Record<string, Policy>> = {
  "all products that the shop shows are left out": {
    when(shop) {
      hideProducts(shop);
      shop.query("products.left-out.sql", LEFT_OUT);
    },
    code: "rows_invalid",
    unless: FORCE,
  },
  "no product is public, and nobody says why": {
    when: (shop) => shop.sql("DELETE FROM products"),
    code: "rows_invalid",
    unless: FORCE,
  },
  "the last product leaves a shop that is live, and files may vanish": {
    async when(shop) {
      await goLive(shop);
      shop.sql("DELETE FROM products");
      Object.assign(shop, ALLOW_SHRINK);
    },
    code: "rows_invalid",
    unless: FORCE_AND_SHRINK,
  },
  "a shop without products was built by force, and nothing changed since": {
    async when(shop) {
      hideProducts(shop);
      await build({ ...given(shop), force: true });
    },
    code: "rows_invalid",
    unless: FORCE,
  },
  "most products leave a shop that is live": {
    async when(shop) {
      await goLive(shop);
      shop.sql("DELETE FROM products WHERE id > 1; DELETE FROM reviews; DELETE FROM releases");
    },
    code: "guard_refused",
    unless: ALLOW_SHRINK,
  },
  "too many rows are wrong": {
    when: (shop) => shop.sql("UPDATE products SET slug = 'No Slug!' WHERE id < 5"),
    code: "rows_invalid",
  },
  "products.left-out.sql fails": {
    when: ({ query }) => query("products.left-out.sql", "SELECT id, title, reason FROM nowhere"),
    code: "allow_list_invalid",
  },
  "products.left-out.sql fails since it was edited, and nothing else changed": {
    async when(shop) {
      await build(given(shop));
      shop.query("products.left-out.sql", "SELECT id, title, reason FROM nowhere");
    },
    code: "allow_list_invalid",
  },
  "changed.sql fails": {
    when: ({ query }) => query("changed.sql", "SELECT id FROM products"),
    code: "allow_list_invalid",
    isSurvived: true,
  },
  "changed.sql fails since it was edited, and nothing else changed": {
    async when(shop) {
      await build(given(shop));
      shop.query("changed.sql", "SELECT id FROM products");
    },
    code: "allow_list_invalid",
    isSurvived: true,
  },
  "the shop is closed": {
    when: ({ query }) => query("closed.sql", CLOSED),
    code: "shop_closed",
    unless: FORCE,
  },
  "the shop is closed since its last build, as closed.sql says, and nothing else changed": {
    async when(shop) {
      await build(given(shop));
      shop.query("closed.sql", CLOSED);
    },
    code: "shop_closed",
    unless: FORCE,
  },
  "the shop was built by force while it was closed, and nothing changed since": {
    async when(shop) {
      shop.query("closed.sql", CLOSED);
      await build({ ...given(shop), force: true });
    },
    code: "shop_closed",
    unless: FORCE,
  },
  "the shop closes by the clock": {
    async when(shop) {
      shop.query("closed.sql", `${CLOSED} WHERE :now > '2026-11-20 12:00:00'`);
      await build({ ...given(shop), now: new Date("2026-11-20T11:00:00Z") });
    },
    code: "shop_closed",
    unless: FORCE,
  },
};

const OF_PUBLISHES: Readonly<Record<string, Policy>> = {
  "a snapshot has no product": {
    async when(shop) {
      await goLive(shop);
      shop.sql("DELETE FROM products");
      await build({ ...given(shop), ...FORCE_AND_SHRINK.options });
    },
    code: "guard_refused",
    unless: FORCE_AND_SHRINK,
  },
};

const OF_PLACES: Readonly<Record<string, Policy>> = {
  "addresses that only this machine can open go to a bucket": {
    async when(shop) {
      shop.configure(LOCAL);
      shop.to = "s3://shop";
      await build(given(shop));
    },
    code: "guard_refused",
  },
};

function table(policies: Readonly<Record<string, Policy>>, ways: Readonly<Record<string, Way>>) {
  return Object.entries(policies).flatMap(([situation, policy]) =>
    Object.entries(ways).map(([way, go]) => ({ situation, way, go, policy })),
  );
}

const liveTree = ({ live }: Shop) => (existsSync(live) ? readTree(live) : new Map());

const ALL = [
  ...table(OF_BUILDS, BUILDS),
  ...table(OF_PUBLISHES, PUBLISHES),
  ...table(OF_PLACES, {
    ...PUBLISHES,
    ...Object.fromEntries(Object.entries(BUILDS).filter(([way]) => /watch/.test(way))),
  }),
];

describe("nothing goes live in silence", () => {
  it.each(ALL)("if $situation: $way refuses", async ({ go, policy }) => {
    const shop = makeShop();
    await policy.when(shop);
    const before = liveTree(shop);
    expect(await go(shop)).toBe(policy.code);
    if (policy.isSurvived !== true) expect(liveTree(shop)).toEqual(before);
  });

  it.each(ALL.filter(({ policy }) => policy.unless !== undefined))(
    "if $situation: $way does it if it is told to",
    async ({ go, policy }) => {
      const shop = makeShop();
      await policy.when(shop);
      Object.assign(shop, policy.unless);
      expect(await go(shop)).toBe(null);
    },
  );
});

const reportOf = async (args: readonly string[]): Promise<unknown> => {
  const { out } = await runVitrine(args);
  const events = out.split("\n").filter((line) => line.startsWith("{"));
  return (JSON.parse(events[0] ?? "{}") as { readonly notPublic?: unknown }).notPublic;
};

/** What each way reports of the products that the shop shows and the files leave out. */
const REPORTS: Readonly<Record<string, (shop: Shop) => Promise<unknown>>> = {
  "vitrine build": ({ configFile }) => reportOf(["build", "--config", configFile, "--json"]),
  "vitrine plan": ({ configFile }) => reportOf(["plan", "--config", configFile, "--json"]),
  "vitrine watch --once": ({ configFile }) => reportOf(["watch", "--once", "--config", configFile, "--json"]),
  "the library's build": async (shop) => (await build(given(shop))).notPublic,
  "the library's watch": async (shop) => {
    const end = new AbortController();
    let notPublic: unknown;
    const built = (report: BuildReport) => {
      notPublic = report.notPublic;
      end.abort();
    };
    await watch({ ...given(shop), built, signal: end.signal });
    return notPublic;
  },
};

describe("what the files leave out of the shop", () => {
  const some = (condition: string) =>
    `SELECT id, title, CASE id WHEN 1 THEN 'in no public category' ELSE 'without a price' END AS reason FROM products WHERE ${condition}`;

  it.each(Object.entries(REPORTS))("is reported by %s, also if nothing changed since", async (_, report) => {
    const shop = makeShop();
    shop.query("products.left-out.sql", some("id < 4"));
    for (let round = 0; round < 2; round++)
      expect(await report(shop)).toEqual({ "without a price": 2, "in no public category": 1 });
  });

  it("is reported again once it changes, also if no answer does", async () => {
    const shop = makeShop();
    for (const [condition, notPublic] of [
      ["id < 2", { "in no public category": 1 }],
      ["id = 3", { "without a price": 1 }],
      ["1 = 0", {}],
    ] as const) {
      shop.query("products.left-out.sql", some(condition));
      expect(await build(given(shop))).toMatchObject({ notPublic });
    }
  });

  it("is said by a scheduled run as by a build, and first if it is most of the shop", async () => {
    const shop = makeShop();
    shop.query("products.sql", `SELECT * FROM (\n${shop.queried("products.sql")}\n) AS p WHERE id = 1`);
    shop.query("products.left-out.sql", some("id > 1"));
    const { out } = await runVitrine(["watch", "--once", "--config", shop.configFile]);
    const lines = out.split("\n");
    expect([lines[0], ...lines.filter((line) => line.includes("are left out:"))]).toEqual([
      "only 1 of 10 products that the shop shows become public",
      "9 products that the shop shows are left out: 9 without a price. vitrine doctor --left-out lists them",
    ]);
  });
});

it("vitrine plan --explain counts the reading of what is left out", async () => {
  const shop = makeShop();
  shop.query("products.left-out.sql", LEFT_OUT);
  const { out } = await runVitrine(["plan", "--explain", "--config", shop.configFile]);
  expect(out).toMatch(/^products\.left-out\.sql: 10 rows in /m);
});

it("vitrine plan says what a build would refuse", async () => {
  const shop = makeShop();
  hideProducts(shop);
  shop.query("products.left-out.sql", LEFT_OUT);
  shop.query("closed.sql", CLOSED);
  const { code, out } = await runVitrine(["plan", "--config", shop.configFile]);
  expect([code, out.split("\n").slice(0, 2)]).toEqual([
    0,
    [
      expect.stringMatching(
        /^a build would be refused: The shop is closed to visitors: it is in maintenance\./,
      ),
      expect.stringMatching(/^a build would be refused: None of the 10 products .*: 10 without a price\./),
    ],
  ]);
});
