/** What a process that builds for months must not gather. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterEach, expect, it, vi } from "vitest";
import type { BuildReport } from "../../src/pipeline/build-report.ts";
import { watchStore } from "../../src/pipeline/watch.ts";
import { ChangedRow } from "../../src/store/probe.ts";
import { STORE_QUERIES } from "../store-fixture.ts";
import { SimulatedClock } from "../support/simulated-clock.ts";
import { createTinyShop, TINY_CONFIG } from "../support/tiny-shop.ts";

afterEach(() => vi.restoreAllMocks());

it("compiles no schema of its own for each build: ajv keeps all that it has seen", async () => {
  const compile = vi.spyOn(Ajv2020.prototype, "compile");
  const shop = createTinyShop();
  const seen = async (name: string) => {
    compile.mockClear();
    shop.sql(`UPDATE products SET name = '${name}'`);
    await shop.build("shop");
    return compile.mock.calls.map(([schema]) => schema);
  };
  try {
    const first = await seen("One");
    const second = await seen("Two");
    expect(second.length).toBeGreaterThan(0);
    expect(second.filter((schema) => !first.includes(schema))).toEqual([]);
  } finally {
    shop.close();
  }
});

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

const UNCHANGED = { work: "none", seconds: { extract: 0 }, nextChangeAt: null, changedFiles: [] };

it("keeps no row of changed.sql but the last ones: of a server it is asked every second", async () => {
  const rows: WeakRef<WeakKey>[] = [];
  const ask = vi.spyOn(ChangedRow.prototype, "ask").mockImplementation(async () => {
    // A text in its place could not be looked for. Each is another one, so each looks like a change.
    const row = {};
    rows.push(new WeakRef(row));
    return row as unknown as string;
  });
  const abort = new AbortController();
  const ports = {
    clock: SimulatedClock.thatPasses(),
    isAsked: () => false,
    build: async () => UNCHANGED as unknown as BuildReport,
    publish: async () => undefined,
    built: () => undefined,
    failed: () => undefined,
    live: () => undefined,
    missed: () => undefined,
    async countObjects() {
      if (rows.length < 100) return;
      ask.mockClear();
      // What a promise has just resolved to is held until this turn ends.
      await new Promise((resolve) => setImmediate(resolve));
      collectGarbage();
      abort.abort();
    },
  };
  const inputs = { store: "postgres://reader@db.example/shop", queries: STORE_QUERIES, config: TINY_CONFIG };
  const rules = { settleSeconds: 0, atMostEverySeconds: 0, to: undefined, allowLocal: undefined };
  await watchStore(inputs, ports, rules, abort.signal);
  expect(rows.filter((row) => row.deref() !== undefined).length).toBeLessThan(5);
});
