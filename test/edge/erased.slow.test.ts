/** Erased records at web servers: a folder's older releases are not served, and nginx's copies are deleted. */
import { execSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PublicConfig } from "../../src/api/config.ts";
import { EMPTY_NGINX } from "../../src/pipeline/erase.ts";
import { POINTER_KEY } from "../../src/publish/bucket.ts";
import { openDirectory } from "../../src/publish/buckets/directory.ts";
import { publish } from "../../src/publish/publish.ts";
import { OPTIONS, portsOf } from "../support/publishing.ts";
import { temporaryFolder } from "../support/shop.ts";
import { createTinyShop, TINY_CONFIG, type TinyShop } from "../support/tiny-shop.ts";
import { type Running, startFallback, startNginx } from "./support/servers.ts";
import { describeWith } from "./support/tools.ts";
import { send, sendMany } from "./support/wire.ts";

const WORD = "quixoticzephyr";
const CONFIG: PublicConfig = {
  ...TINY_CONFIG,
  endpoints: ["store", "products", "product", "reviews"] as PublicConfig["endpoints"],
};
const folder = temporaryFolder();
const place = join(folder, "www");
let shop: TinyShop;
/** Catalogs before and after. */
let catalogs: [string, string];

beforeAll(async () => {
  shop = createTinyShop();
  const publishNow = async (name: string) => {
    const snapshot = await shop.build(name, CONFIG);
    await publish(snapshot, { ...OPTIONS, allowShrink: 1000 }, portsOf(openDirectory(place)));
    snapshot.manifest.close();
    return snapshot.layout.catalog;
  };
  shop.sql(`UPDATE reviews SET product_id = (SELECT id FROM products WHERE slug = '${shop.slugs[0]}'),
    status = 'approved', title = '${WORD}', body = '${WORD}' WHERE id = 1`);
  const before = await publishNow("before");
  shop.sql("UPDATE reviews SET status = 'rejected' WHERE id = 1");
  catalogs = [before, await publishNow("after")];
});
afterAll(() => shop.close());

/** Ways to ask for a file that lies among the served ones. */
function spellings(path: string): string[] {
  return [
    `/${path}`,
    `//${path}`,
    `/../${path}`,
    `/api/v1/../../../${path}`,
    `/api/v1/..%2f..%2f..%2f${path}`,
    `/%2e%2e/${path}`,
    `/widgets/../../${path}`,
    `/api/v1/product?slug=..%2f..%2f..%2f..%2f${path}`,
    `/${path.replace(".vitrine", "%2evitrine")}`,
    `/api/v1/../../${path}`,
  ];
}

function itHidesControlObjects(
  start: (options: { site: string; fallbackPort: number }) => Promise<Running>,
): void {
  it("serves the answers of a folder, and nothing from .vitrine/", async () => {
    const fallback = await startFallback(catalogs[1]);
    const edge = await start({ site: place, fallbackPort: fallback.port });
    try {
      const objects = readdirSync(join(place, ".vitrine"), { recursive: true, encoding: "utf8" })
        .map((name) => `.vitrine/${name}`)
        .map((name) => (statSync(join(place, name)).isDirectory() ? `${name}/` : name));
      expect(objects).toContain(POINTER_KEY);
      const targets = [".vitrine", ".vitrine/", ...objects].flatMap(spellings);
      const requests = ["/api/v1/store", ...targets].map((target, at) => ({
        target,
        headers: { "X-Forwarded-For": `198.51.${Math.floor(at / 100)}.${at % 100}` },
      }));
      const [live, ...replies] = await sendMany({ port: edge.port }, requests);
      expect(live?.status).toBe(200);
      for (const [at, { status, body }] of replies.entries()) {
        expect([400, 404], targets[at]).toContain(status);
        expect(JSON.parse(body), targets[at]).toMatchObject({ success: false });
      }
    } finally {
      await edge.stop();
      await fallback.stop();
    }
  });
}

describeWith(["nginx"], "nginx", () => {
  const options = (name: string) => ({ folder: join(folder, name), trusted: ["127.0.0.1"] });
  itHidesControlObjects((given) => startNginx({ ...options("nginx"), ...given }));

  it("keeps copies of the fallback's answers until they are deleted, for any request", async () => {
    const target = "/api/v1/reviews?per_page=7";
    const first = await startFallback(catalogs[0]);
    const edge = await startNginx({
      ...options("copies"),
      site: place,
      fallbackPort: first.port,
    });
    const ask = () => send({ port: edge.port }, { target });
    try {
      expect((await ask()).body).toContain(WORD);
      await first.stop();
      const second = await startFallback(catalogs[1], { port: first.port });
      // The fallback no longer has it, but nginx does.
      expect((await ask()).body).toContain(WORD);
      execSync(EMPTY_NGINX, { cwd: join(folder, "copies") });
      const after = await ask();
      expect([after.status, after.body.includes(WORD)]).toEqual([200, false]);
      await second.stop();
      execSync(EMPTY_NGINX, { cwd: join(folder, "copies") });
      expect((await ask()).status).toBe(503);
    } finally {
      await edge.stop();
    }
  });
});
