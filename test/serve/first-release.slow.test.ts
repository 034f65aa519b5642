/** A fallback that is started before the first release: it waits, says so, and takes up the first release. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseSamples } from "../../src/base/metrics.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { type Running, startServer, startVitrine, vitrine } from "../support/command.ts";
import { openPublicShop } from "../support/public-shop.ts";
import {
  buildQuietly,
  DEMO_CONFIG,
  demoInputs,
  readTree,
  seedDemo,
  temporaryFolder,
} from "../support/shop.ts";

const folder = temporaryFolder();
const out = join(folder, "out");
const running: Running[] = [];

beforeAll(async () => {
  const config = { ...DEMO_CONFIG, grid: { depth: 0, maxFiles: 250_000, pages: 1 }, feeds: { bulk: true } };
  await buildQuietly(demoInputs(seedDemo(folder), out, { config }));
});
afterAll(() => {
  for (const { child } of running) child.kill("SIGKILL");
});

async function start(...flags: string[]): Promise<Running & { readonly url: string }> {
  const server = await startServer(["fallback", "--quiet", ...flags]);
  running.push(server);
  return server;
}

async function readiness(url: string): Promise<unknown[]> {
  const response = await fetch(`${url}/readyz`);
  const { status, reason } = (await response.json()) as { status: string; reason?: string };
  return [response.status, status, reason];
}

/** What clients get meanwhile: it is alive, not ready, and refuses as the API's contract says. */
async function expectWaiting(url: string, reason: unknown): Promise<void> {
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(await readiness(url)).toEqual([503, "no_release", reason]);
  for (const target of ["/api/v1/products?search=kit", "/api/v1/nothing", "/"]) {
    const response = await fetch(url + target, { redirect: "manual" });
    expect([target, response.status, response.headers.get("retry-after")]).toEqual([target, 503, "5"]);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toMatchObject({ success: false, error: { code: "service_unavailable" } });
  }
}

async function expectAnswers(url: string): Promise<void> {
  await expect.poll(() => readiness(url)).toEqual([200, "ok", undefined]);
  const response = await fetch(`${url}/api/v1/product?slug=invoice-kit`);
  expect([response.status, await response.json()]).toMatchObject([200, { data: { title: "Invoice Kit" } }]);
}

describe("a fallback before the first release", () => {
  it("waits for a folder, also while the folder has something else, and ends when it is stopped", async () => {
    const place = join(folder, "place");
    const args = ["--to", `file://${place}`, "--metrics", "0", "--mcp"];
    const { url, said } = await start(...args);
    await expectWaiting(url, "remote_failed");
    expect(said()).toContain("there is no catalog yet: Nothing was published to ");
    const agent = await fetch(`${url}/mcp`, { method: "POST", body: "{}" });
    expect([agent.status, await agent.json()]).toMatchObject([
      503,
      { error: { code: "service_unavailable" } },
    ]);
    const [address = ""] = /http:[^ "]+\/metrics/.exec(said()) ?? [];
    const metrics = async () => parseSamples(await (await fetch(address)).text());
    const before = await metrics();
    expect(before.get('vitrine_last_success_timestamp_seconds{step="poll"}')).toBe(0);
    expect([...before.keys()].filter((name) => name.startsWith("vitrine_catalog"))).toEqual([]);
    mkdirSync(join(place, ".vitrine"), { recursive: true });
    writeFileSync(join(place, ".vitrine/current.json"), "a file that somebody put there");
    await expect.poll(() => readiness(url)).toEqual([503, "no_release", "remote_invalid"]);
    rmSync(place, { recursive: true });
    expect(vitrine(["publish", "--out", out, "--to", `file://${place}`]).status).toBe(0);
    await expectAnswers(url);
    expect([...(await metrics()).keys()].some((name) => name.startsWith("vitrine_catalog_info"))).toBe(true);
    const other = await start("--to", `file://${join(folder, "never")}`);
    other.child.kill("SIGTERM");
    expect(await other.ended).toBe(0);
  });

  it("waits for an output folder's first build, also while the file is incomplete", async () => {
    const live = join(mkdtempSync(join(folder, "out-")), "out/catalog.sqlite");
    const { url, said } = await start("--catalog", live);
    await expectWaiting(url, "catalog_unreadable");
    const bytes = readFileSync(layoutOf(out).catalog);
    mkdirSync(join(live, ".."));
    writeFileSync(live, bytes.subarray(0, bytes.length / 2));
    await expect.poll(said).toMatch(/malformed|cannot be used/);
    await expectWaiting(url, "catalog_unreadable");
    writeFileSync(live, bytes);
    await expectAnswers(url);
  });

  it("waits for a shop's address that answers 503, also one that asks for more patience than the start has", async () => {
    const shop = await openPublicShop();
    let isAway = true;
    shop.answer = (_key, _request, response) => {
      if (isAway) response.writeHead(503, { "Retry-After": "7" }).end();
      return isAway;
    };
    const { url, said } = await start("--from", shop.base);
    await expectWaiting(url, null);
    expect(said()).toContain("there is no catalog yet: no answer within 5 s");
    shop.files = new Map([...readTree(layoutOf(out).site)].filter(([key]) => key.startsWith("bulk/")));
    isAway = false;
    await expectAnswers(url);
  });

  it("waits for a bucket that refuses its credentials: the permissions may change", async () => {
    const denied = "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>";
    const server = createServer((_, response) => response.writeHead(403).end(denied));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const env = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", AWS_REGION: "eu-west-1" };
    const args = ["fallback", "--to", "s3://shop-api", "--endpoint", `http://127.0.0.1:${port}`];
    const waiting = startVitrine([...args, "--port", "0"], env);
    running.push(waiting);
    await expect.poll(waiting.said).toMatch(/listening on/);
    const [url = ""] = /http:\/\/127\.0\.0\.1:\d+(?=")/.exec(waiting.said()) ?? [];
    await expectWaiting(url, "remote_failed");
    expect(waiting.said()).toContain("Access");
    server.close().closeAllConnections();
  });

  it.each([
    ["an impossible place", ["--to", "ftp://shop.example"]],
    ["an impossible address", ["--from", "shop.example"]],
    ["an address that others could change on the way", ["--from", "http://api.shop.example"]],
    ["a configuration that is missing", ["--config", "no-such-file.json"]],
  ])("ends at once at %s", (_, flags) => {
    const { status, stderr } = vitrine(["fallback", "--port", "0", ...flags]);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^error: (usage|config_invalid): /)]);
  });
});
