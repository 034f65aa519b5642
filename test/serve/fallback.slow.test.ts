import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { parseSamples } from "../../src/base/metrics.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { createFallback } from "../../src/serve/fallback.ts";
import { listen, stop } from "../../src/serve/http.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { type Running, startServer, vitrine } from "../support/command.ts";
import { buildQuietly, DEMO_CONFIG, demoInputs, seedSmall, temporaryFolder } from "../support/shop.ts";
import { until } from "../support/until.ts";

const folder = temporaryFolder();
const config = { ...DEMO_CONFIG, grid: { depth: 0, maxFiles: 250_000 } };
const catalogs = { first: "", second: "" };
const live = join(folder, "live.sqlite");
const running: Running[] = [];

beforeAll(async () => {
  const store = seedSmall(folder);
  const outs = { first: join(folder, "first"), second: join(folder, "second") };
  await buildQuietly(demoInputs(store, outs.first, { config }));
  const db = new Database(store);
  db.exec("UPDATE products SET name = 'Renamed Kit' WHERE slug = 'invoice-kit'");
  db.close();
  await buildQuietly(demoInputs(store, outs.second, { config, now: "2026-11-20 13:00:00" }));
  catalogs.first = layoutOf(outs.first).catalog;
  catalogs.second = layoutOf(outs.second).catalog;
});

// Those that are left running would take up each new catalog of the next tests.
afterEach(() => {
  for (const { child } of running.splice(0)) child.kill("SIGKILL");
});

/** Replaces the live catalog as a publisher does: writes it beside the old one, then renames it. */
function replaceWith(source: string): void {
  copyFileSync(source, `${live}.next`);
  renameSync(`${live}.next`, live);
}

async function start(...flags: string[]): Promise<Running & { url: string }> {
  replaceWith(catalogs.first);
  const server = await startServer(["fallback", "--catalog", live, ...flags]);
  running.push(server);
  return server;
}

async function titleOf(url: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/product?slug=invoice-kit`);
  return ((await response.json()) as { data: { title: string } }).data.title;
}

/** Between a client's requests: eight clients without it would need a core for themselves and one for the server. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 100));
}

describe("vitrine fallback", () => {
  it("reports its health", async () => {
    const { url } = await start();
    const response = await fetch(`${url}/healthz`);
    expect(response.headers.get("cache-control")).toBe("no-store");
    // Nothing more: the start of the next sale is private.
    const about = {
      status: "ok",
      release: expect.stringMatching(/^[0-9a-f]{12}$/),
      catalog_generated_at: "2026-11-20T12:00:00+00:00",
    };
    expect(await response.json()).toEqual(about);
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, ready.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await ready.json()).toEqual({ ...about, poll_age_seconds: expect.any(Number) });
  });

  it("takes up a new catalog without dropping a request, and keeps the old one when the new one is damaged", async () => {
    const { url, said } = await start();
    let asking = true;
    const seen = new Set<string>();
    const asked = Promise.all(
      Array.from({ length: 8 }, async () => {
        for (; asking; await pause()) seen.add(await titleOf(url));
      }),
    );
    writeFileSync(`${live}.next`, "This is no catalog.");
    renameSync(`${live}.next`, live);
    await until("a look at the damaged one", () => said().includes("the old catalog is served on"));
    expect(await titleOf(url)).toBe("Invoice Kit");
    replaceWith(catalogs.second);
    await until("an answer from the new one", () => seen.has("Renamed Kit"));
    asking = false;
    await asked;
    expect([...seen].sort()).toEqual(["Invoice Kit", "Renamed Kit"]);
    const health = (await (await fetch(`${url}/healthz`)).json()) as { catalog_generated_at: string };
    expect(health.catalog_generated_at).toBe("2026-11-20T13:00:00+00:00");
  });

  it("fails no request while its file is overwritten: by a copy, in pieces, by garbage", async () => {
    const { url, said } = await start();
    const refused = () => said().split("the old catalog is served on").length - 1;
    /** Overwrites the file, and waits until the server says why it does not take it up. */
    const overwrite = async (bytes: Buffer) => {
      const before = refused();
      writeFileSync(live, bytes);
      await until("the server says why it keeps the old one", () => refused() > before);
    };
    let asking = true;
    let asked = 0;
    const failures: string[] = [];
    const clients = Array.from({ length: 8 }, async () => {
      for (; asking; asked++, await pause()) {
        for (const target of [
          "/api/v1/product?slug=invoice-kit",
          "/api/v1/products?search=kit",
          "/healthz",
        ]) {
          const response = await fetch(url + target);
          if (response.status !== 200) failures.push(`${target} ${response.status}`);
          await response.arrayBuffer();
        }
      }
    });
    const inode = statSync(live).ino;
    execFileSync("cp", [catalogs.second, live]);
    await until("the second catalog", async () => (await titleOf(url)) === "Renamed Kit");
    const bytes = readFileSync(catalogs.first);
    // Writing pauses in the middle for so long that the file looks complete.
    await overwrite(bytes.subarray(0, bytes.length / 2));
    await overwrite(randomBytes(bytes.length));
    // Looks like a catalog, but has garbage in the middle.
    randomBytes(200_000).copy(bytes, bytes.length / 2);
    await overwrite(bytes);
    expect(await titleOf(url)).toBe("Renamed Kit");
    execFileSync("cp", [catalogs.first, live]);
    await until("the first catalog again", async () => (await titleOf(url)) === "Invoice Kit");
    asking = false;
    await Promise.all(clients);
    expect(statSync(live).ino).toBe(inode);
    expect(failures).toEqual([]);
    expect(asked).toBeGreaterThan(10);
  });

  it("answers 503 at /readyz when requests should go elsewhere: an outdated source, no catalog, a stop", async () => {
    const catalog = openCatalog(catalogs.first);
    let pollAgeSeconds = 10;
    const ports = { access: () => {}, failed: () => {}, pollAgeSeconds: () => pollAgeSeconds };
    const server = createFallback(() => catalog, { ...ports, mostPollAgeSeconds: 60 });
    const url = await listen(server, "127.0.0.1", 0);
    const ready = async () => {
      const response = await fetch(`${url}/readyz`);
      expect(response.headers.get("cache-control")).toBe("no-store");
      return [response.status, ((await response.json()) as { status: string }).status];
    };
    expect(await ready()).toEqual([200, "ok"]);
    pollAgeSeconds = 61;
    expect(await ready()).toEqual([503, "poll_too_old"]);
    pollAgeSeconds = 10;
    catalog.close();
    expect(await ready()).toEqual([503, "catalog_unreadable"]);
    void stop(server, 60_000);
    expect(await ready()).toEqual([503, "draining"]);
    // It is still alive: a process manager should not kill it.
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    server.close().closeAllConnections();
  });

  it("shares no copy with another process that has the same --cache", async () => {
    const [bucket, cache] = [join(folder, "bucket"), join(folder, "cache")];
    expect(vitrine(["publish", "--out", join(folder, "second"), "--to", `file://${bucket}`]).status).toBe(0);
    const args = ["fallback", "--to", `file://${bucket}`, "--cache", cache];
    const first = await startServer(args);
    const second = await startServer(args);
    running.push(first, second);
    expect(await Promise.all([first, second].map(({ url }) => titleOf(url)))).toEqual(
      Array(2).fill("Renamed Kit"),
    );
    const kept = expect.stringMatching(/^catalog-/);
    expect(readdirSync(cache).sort()).toEqual([kept, expect.stringMatching(/^vitrine-tmp-/)]);
    for (const { child, ended } of [first, second]) {
      child.kill("SIGTERM");
      expect(await ended).toBe(0);
    }
    expect(first.said()).not.toContain("another process follows");
    expect(second.said()).toContain("another process follows");
    expect(readdirSync(cache)).toEqual([kept]);
  });

  it("makes a --cache that is missing, and goes without one that cannot be a folder", async () => {
    const missing = join(folder, "new/cache");
    expect(await titleOf((await start("--cache", missing)).url)).toBe("Invoice Kit");
    expect(readdirSync(missing)).toEqual([expect.stringMatching(/^vitrine-tmp-/)]);
    const file = join(folder, "a-file");
    writeFileSync(file, "");
    const { url, said } = await start("--cache", join(file, "cache"));
    expect(await titleOf(url)).toBe("Invoice Kit");
    expect(said()).toContain("cannot be kept in");
  });

  it("loses no request of clients with open connections when it is stopped", async () => {
    // Long enough for all of it on a busy machine.
    const { url, said, child, ended } = await start("--metrics", "0", "--drain", "10");
    const agent = new Agent({ keepAlive: true });
    let isStopping = false;
    let answered = 0;
    const failures: string[] = [];
    const ask = () =>
      new Promise<string | undefined>((resolve) => {
        const request = get(`${url}/api/v1/store`, { agent }, (response) => {
          if (response.statusCode !== 200) failures.push(`${response.statusCode}`);
          response.resume().on("end", () => resolve(response.headers.connection));
        });
        request.on("error", (error) => {
          failures.push(error.message);
          resolve("close");
        });
      });
    // Each client continues until it was asked to close its connection, opened another, and was asked again.
    const clients = Array.from({ length: 30 }, async () => {
      for (let closed = 0; closed < 2; ) {
        if ((await ask()) === "close") closed += isStopping ? 1 : 2;
        answered += 1;
        await pause();
      }
    });
    await until("answers to all clients", () => answered > 60);
    isStopping = true;
    child.kill("SIGTERM");
    await Promise.all(clients);
    agent.destroy();
    expect(failures).toEqual([]);
    // Metrics are available until the end.
    const [address = ""] = /http:[^ ]+\/metrics/.exec(said()) ?? [];
    const metrics = parseSamples(await (await fetch(address)).text());
    const answeredSeries = 'vitrine_requests_total{source="fallback",code="200"}';
    expect(metrics.get(answeredSeries)).toBeGreaterThanOrEqual(answered);
    expect(metrics.get('vitrine_last_success_timestamp_seconds{step="poll"}')).toBeGreaterThan(0);
    expect(metrics.get("vitrine_catalog_generated_timestamp_seconds")).toBe(
      Date.parse("2026-11-20T12:00:00Z") / 1000,
    );
    expect(await ended).toBe(0);
  });

  it("when it is stopped, accepts no more connections, finishes running requests and exits with 0", async () => {
    const { url, child, ended } = await start();
    const { hostname, port } = new URL(url);
    // A request whose head is only half sent when the signal comes.
    const socket = connect(Number(port), hostname);
    await new Promise((resolve) => socket.once("connect", resolve));
    socket.write("GET /api/v1/store HTTP/1.1\r\nHost: x\r\n");
    await titleOf(url);
    child.kill("SIGTERM");
    await until("a server that accepts no more connections", () =>
      fetch(`${url}/healthz`).then(
        (response) => response.arrayBuffer().then(() => false),
        () => true,
      ),
    );
    const said = new Promise<string>((resolve) => {
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk.toString();
      });
      socket.on("close", () => resolve(text));
    });
    // Without "Connection: close": a client that would keep the connection must not keep the server alive.
    socket.write("\r\n");
    expect(await said).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(await ended).toBe(0);
    await expect(fetch(`${url}/api/v1/store`)).rejects.toThrow();
  });

  it("logs each request as one line of JSON, including the last ones", async () => {
    const server = await start();
    await fetch(`${server.url}/api/v1/products?category=scripts`);
    await fetch(`${server.url}/api/v1/products?categry=scripts`);
    server.child.kill("SIGTERM");
    await server.ended;
    const lines = server
      .said()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line["msg"] === "request");
    expect(lines).toMatchObject([
      { method: "GET", target: "/api/v1/products?category=scripts", status: 200, source: "fallback" },
      { method: "GET", target: "/api/v1/products?categry=scripts", status: 400, source: "none" },
    ]);
    for (const line of lines)
      expect(line).toMatchObject({ sizeBytes: expect.any(Number), milliseconds: expect.any(Number) });
  });

  it("marks each line with its level, and leaves out only requests with --quiet", async () => {
    const place = join(folder, "levels");
    const publish = (name: string) =>
      expect(vitrine(["publish", "--out", join(folder, name), "--to", `file://${place}`]).status).toBe(0);
    publish("first");
    const server = await startServer(["fallback", "--to", `file://${place}`, "--metrics", "0", "--quiet"]);
    running.push(server);
    await fetch(`${server.url}/api/v1/store`);
    publish("second");
    await until("the second release", async () => (await titleOf(server.url)) === "Renamed Kit");
    writeFileSync(join(place, ".vitrine/current.json"), "a file that somebody put there");
    await until("a warning", () => server.said().includes("the old catalog is served on"));
    server.child.kill("SIGTERM");
    await server.ended;
    const lines = server.said().trim().split("\n");
    const said = lines.map((line) => JSON.parse(line) as { level: number; msg: string });
    const words = said.map(({ level, msg }) => [level, /^(?:the old )?\w+/.exec(msg)?.[0]]);
    expect(words).toEqual([
      [30, "release"],
      [30, "metrics"],
      [30, "listening"],
      [30, "release"],
      [30, "catalog"],
      [40, "the old catalog"],
    ]);
  });

  it("keeps a connection open for the next request", async () => {
    const { url } = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sockets = new Set<unknown>();
    for (let count = 0; count < 3; count++) {
      await new Promise<void>((resolve, reject) => {
        const request = get(`${url}/api/v1/store`, { agent }, (response) => {
          sockets.add(response.socket);
          response.resume().on("end", resolve);
        });
        request.on("error", reject);
      });
    }
    agent.destroy();
    expect(sockets.size).toBe(1);
  });
});
