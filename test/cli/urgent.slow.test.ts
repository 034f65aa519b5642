/** Commands for an emergency beside a `watch` that builds and publishes without a pause: they get their turn, and it goes on. */
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Running, runVitrine, startVitrine } from "../support/command.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault-proxy.ts";
import { createMemoryStore } from "../support/memory-bucket.ts";
import { RGW_ENV } from "../support/rgw.ts";
import { createTinyShop, TINY_CONFIG, type TinyShop } from "../support/tiny-shop.ts";
import { until } from "../support/until.ts";

interface Event {
  readonly event: string;
  readonly code?: string;
}

/** How long a request to the place takes. */
const LATENCY_MILLISECONDS = 5;

describe("next to a busy watch", () => {
  const memory = createMemoryStore();
  let proxy: FaultProxy;
  let shop: TinyShop;
  let config = "";
  beforeAll(async () => {
    Object.assign(process.env, RGW_ENV);
    const pause = () => new Promise((done) => setTimeout(done, LATENCY_MILLISECONDS));
    proxy = await startFaultProxy({ ...memory, ask: (request) => pause().then(() => memory.ask(request)) });
    shop = createTinyShop();
    config = join(shop.folder, "config.json");
    writeFileSync(config, JSON.stringify({ ...TINY_CONFIG, queries: resolve("templates/queries") }));
  });
  afterAll(async () => {
    await proxy.close();
    shop.close();
  });

  const eventsOf = (watch: Running) => {
    const lines = watch.said().split("\n").slice(0, -1);
    return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as Event);
  };
  const publishes = (watch: Running) => eventsOf(watch).filter(({ event }) => event === "publish").length;

  it.each(["folder", "bucket"])(
    "each command gets its turn at a %s, also from another machine",
    async (kind) => {
      const place =
        kind === "folder"
          ? ["--to", `file://${join(shop.folder, "www")}`]
          : ["--to", "s3://shop/urgent", "--endpoint", proxy.url];
      const remote = ["--to", ...place.slice(1)];
      const inputs = ["--store", shop.store, "--config", config];
      const [here, elsewhere] = [`here-${kind}`, `elsewhere-${kind}`].map((name) => [
        "--out",
        join(shop.folder, name),
      ]);
      if (here === undefined || elsewhere === undefined) throw new Error("two folders");
      let prices = 0;
      const changing = setInterval(() => {
        prices += 1;
        shop.sql(
          `UPDATE products SET regular_price_minor = ${1000 + prices} WHERE slug = '${shop.slugs[0]}'`,
        );
      }, 100);
      const watch = startVitrine([
        "watch",
        ...inputs,
        ...here,
        ...place,
        "--settle",
        "0",
        "--at-most-every",
        "0",
        "--json",
      ]);
      try {
        await until("it is busy", () => publishes(watch) > 2);
        const commands = [
          ["rollback", "--list", ...place],
          ["rollback", ...place],
          ["publish", "--resume", ...place, ...here],
          ["publish", "--repair", ...place, ...here],
          ["check", "--repair", ...remote, ...here],
          ["erase", "--text", "Never Shown", ...inputs, ...here, ...place],
          ["build", ...inputs, ...here],
          ["build", ...inputs, ...elsewhere],
          // The watch has read the store later by now.
          ["publish", "--repair", "--allow-older", ...place, ...elsewhere],
          ["publish", "--allow-older", ...place, ...elsewhere],
        ];
        for (const command of commands) {
          const before = publishes(watch);
          const ran = await runVitrine(command);
          expect(ran.code, `${command.join(" ")}: ${ran.err}`).toBe(0);
          if (command[0] !== "rollback")
            await until(
              `watch goes on after ${command.slice(0, 2).join(" ")}`,
              () => publishes(watch) > before,
            );
        }
        const failed = eventsOf(watch).filter(({ event }) => event === "failed");
        expect(failed.filter(({ code }) => code !== "release_held")).toEqual([]);
      } finally {
        clearInterval(changing);
        watch.child.kill("SIGTERM");
        await watch.ended;
      }
    },
  );
});
