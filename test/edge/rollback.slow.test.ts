/** nginx serves the folder that is published to: a rollback reaches its readers, both files and fallback. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PublicConfig } from "../../src/api/config.ts";
import { openDirectory } from "../../src/publish/buckets/directory.ts";
import { publish } from "../../src/publish/publish.ts";
import { runVitrine, type Running as Server, startServer } from "../support/command.ts";
import { OPTIONS, portsOf } from "../support/publishing.ts";
import { temporaryFolder } from "../support/shop.ts";
import { createTinyShop, TINY_CONFIG, type TinyShop } from "../support/tiny-shop.ts";
import { until } from "../support/until.ts";
import { type Running, startNginx } from "./support/servers.ts";
import { describeWith } from "./support/tools.ts";
import { send } from "./support/wire.ts";

const CONFIG: PublicConfig = {
  ...TINY_CONFIG,
  endpoints: ["store", "products", "product", "reviews"] as PublicConfig["endpoints"],
};
const folder = temporaryFolder();
const place = join(folder, "www");
let shop: TinyShop;
let fallback: Server & { readonly url: string };
let edge: Running;

describeWith(["nginx"], "nginx on a published folder", () => {
  beforeAll(async () => {
    shop = createTinyShop();
    for (const [name, title] of [
      ["one", "Title before"],
      ["two", "Title after"],
    ] as const) {
      shop.sql(`UPDATE reviews SET product_id = (SELECT id FROM products WHERE slug = '${shop.slugs[0]}'),
        status = 'approved', title = '${title}' WHERE id = 1`);
      const snapshot = await shop.build(name, CONFIG);
      await publish(snapshot, OPTIONS, portsOf(openDirectory(place)));
      snapshot.manifest.close();
    }
    fallback = await startServer(["fallback", "--to", `file://${place}`, "--quiet"]);
    const fallbackPort = Number(new URL(fallback.url).port);
    const options = { folder: join(folder, "nginx"), site: place, fallbackPort, config: CONFIG };
    edge = await startNginx({ ...options, exempt: ["127.0.0.0/8"] });
  });
  afterAll(async () => {
    await edge.stop();
    fallback.child.kill("SIGKILL");
    shop.close();
  });

  it("serves the previous release, and nothing from .vitrine/", async () => {
    const target = "/api/v1/reviews";
    const ask = async (asked: string) => (await send({ port: edge.port }, { target: asked })).body;
    expect(await ask(target)).toContain("Title after");
    const { code } = await runVitrine(["rollback", "--to", `file://${place}`]);
    expect(code).toBe(0);
    expect(await ask(target)).toContain("Title before");
    // Each request is new, so nginx has no copy of its answer.
    let perPage = 30;
    await until("the fallback followed", async () => {
      perPage += 1;
      return (await ask(`/api/v1/reviews?per_page=${perPage}`)).includes("Title before");
    });
    const hidden = await send({ port: edge.port }, { target: "/.vitrine/current.json" });
    expect([hidden.status, JSON.parse(hidden.body)]).toMatchObject([
      404,
      { error: { code: "unknown_endpoint" } },
    ]);
  });
});
