/** `vitrine fallback --workers 2`: processes that answer on one address, of which each is a whole fallback. */
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { Agent, get } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseSamples } from "../../src/base/metrics.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { answerTarget } from "../../src/serve/answer.ts";
import { layoutOf } from "../../src/snapshot/layout.ts";
import { type Running, startServer, until, vitrine } from "../support/command.ts";
import { buildQuietly, DEMO_CONFIG, demoInputs, seedDemo, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const config = { ...DEMO_CONFIG, grid: { depth: 0, maxFiles: 250_000 } };
const layout = layoutOf(join(folder, "out"));
const API = "/api/v1";
const TARGETS = [
  `${API}/products?min_price=5&sort=price_asc&page=2`,
  `${API}/products?category=scripts&max_price=50&sort=title_desc`,
  `${API}/product?slug=invoice-kit`,
  `${API}/reviews?min_rating=4&page=3`,
  `${API}/search?q=invoice`,
  `${API}/products?search=kit&per_page=3`,
  `${API}/blog`,
  `${API}/products?categroy=x`,
];
let store = "";
let server: Running & { url: string };

beforeAll(async () => {
  store = seedDemo(folder);
  await buildQuietly(demoInputs(store, join(folder, "out"), { config }));
  const flags = ["--catalog", layout.catalog, "--workers", "2", "--metrics", "0", "--cache", folder];
  server = await startServer(["fallback", ...flags]);
}, 60_000);
afterAll(() => {
  server.child.kill("SIGKILL");
});

/** Asks on a connection of its own, so that any worker may answer. */
function ask(
  target: string,
  agent: Agent | false = false,
): Promise<{ status: number; body: string; isLast: boolean }> {
  return new Promise((resolve, reject) => {
    const request = get(
      server.url + target,
      { agent, headers: agent === false ? { Connection: "close" } : {} },
      (response) => {
        let body = "";
        response.on("data", (chunk: Buffer) => {
          body += chunk.toString();
        });
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            body,
            isLast: response.headers.connection === "close",
          }),
        );
      },
    );
    request.on("error", reject);
  });
}

/** Every worker answers as the catalog does in one process. */
async function expectOneAnswer(file = layout.catalog): Promise<void> {
  const catalog = openCatalog(file);
  const wanted = TARGETS.map((target) => answerTarget(catalog, target));
  catalog.close();
  for (let round = 0; round < 4; round++) {
    const replies = await Promise.all(TARGETS.map((target) => ask(target)));
    expect(replies.map(({ status, body }) => [status, body])).toEqual(
      wanted.map(({ status, body }) => [status, body.toString()]),
    );
  }
}

async function metrics(): Promise<Map<string, number>> {
  const [address = ""] = [...server.said().matchAll(/http:[^ "]+\/metrics/g)].at(-1) ?? [];
  return parseSamples(await (await fetch(address)).text());
}

/** Clients that keep their connections, or close them, and ask on and on; what failed. */
function clients(count: number): { end(): Promise<string[]>; answered(): number } {
  const failures: string[] = [];
  let isAsking = true;
  let answered = 0;
  const agent = new Agent({ keepAlive: true });
  const asked = Array.from({ length: count }, async (_, at) => {
    while (isAsking) {
      const { status } = await ask(
        `${API}/products?min_price=${(at % 9) + 1}`,
        at % 2 === 0 ? agent : false,
      ).catch((error: Error) => ({ status: error.message }));
      if (status !== 200) failures.push(`${status}`);
      answered += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
  return {
    answered: () => answered,
    async end() {
      isAsking = false;
      await Promise.all(asked);
      agent.destroy();
      return failures;
    },
  };
}

function rename(name: string): void {
  const db = new Database(store);
  db.prepare("UPDATE products SET name = ? WHERE slug = 'invoice-kit'").run(name);
  db.close();
}

/** The processes that answer, by the process that was started: Linux says whose they are. */
function workerPids(): number[] {
  const { pid } = server.child;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return children === "" ? [] : children.split(" ").map(Number);
}

it("answers as one process does, and counts what all have answered", async () => {
  await expectOneAnswer();
  const found = await metrics();
  expect(found.get('vitrine_requests_total{source="fallback",code="200"}')).toBe(28);
  expect(found.get('vitrine_requests_total{source="none",code="400"}')).toBe(4);
});

it("takes up a release by its delta, in each worker", async () => {
  const load = clients(8);
  rename("Renamed Kit");
  await buildQuietly(demoInputs(store, join(folder, "out"), { config, now: "2026-11-20 13:00:00" }));
  await until("the delta", () => server.said().split("taken up by delta").length === 3);
  expect(await load.end()).toEqual([]);
  await expectOneAnswer();
});

it("takes up a file that no delta leads to", async () => {
  rename("Another Kit");
  await buildQuietly(demoInputs(store, join(folder, "other"), { config, now: "2026-11-20 14:00:00" }));
  copyFileSync(layoutOf(join(folder, "other")).catalog, `${layout.catalog}.next`);
  renameSync(`${layout.catalog}.next`, layout.catalog);
  await until("the file", () => server.said().split(" reloaded").length === 3);
  await expectOneAnswer();
});

it("starts anew on SIGHUP without losing a request, or the count of one", async () => {
  const series = 'vitrine_requests_total{source="fallback",code="200"}';
  const former = workerPids();
  const before = await metrics();
  const load = clients(12);
  server.child.kill("SIGHUP");
  await until("other processes", () => server.said().includes("started anew"));
  expect(await load.end()).toEqual([]);
  expect(workerPids()).toHaveLength(2);
  expect(workerPids().filter((pid) => former.includes(pid))).toEqual([]);
  const after = await metrics();
  expect(after.get(series)).toBe((before.get(series) ?? 0) + load.answered());
  expect(after.get("vitrine_workers_replaced_total")).toBe(0);
  await expectOneAnswer();
}, 90_000);

it("takes in hundreds who connect while no worker has time for them", async () => {
  const pids = workerPids();
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  const { hostname, port } = new URL(server.url);
  const sockets = Array.from({ length: 600 }, () => connect(Number(port), hostname));
  try {
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    expect((await metrics()).get("process_start_time_seconds")).toBeGreaterThan(0);
  } finally {
    for (const socket of sockets) socket.destroy();
    for (const pid of pids) process.kill(pid, "SIGCONT");
  }
  await expectOneAnswer();
});

it("has another worker follow one that was killed, and forgets nothing that it counted", async () => {
  const series = 'vitrine_requests_total{source="fallback",code="200"}';
  const before = await metrics();
  const [killed = 0] = workerPids();
  process.kill(killed, "SIGKILL");
  await until("its end", () => server.said().includes("a worker ended with SIGKILL"));
  // The other one goes on.
  expect((await ask(`${API}/store`)).status).toBe(200);
  await expect.poll(async () => (await metrics()).get("vitrine_workers"), { timeout: 30_000 }).toBe(2);
  expect(workerPids()).not.toContain(killed);
  const after = await metrics();
  expect(after.get(series)).toBeGreaterThanOrEqual((before.get(series) ?? 0) + 1);
  expect(after.get("vitrine_workers_replaced_total")).toBe(1);
  expect(after.get("process_start_time_seconds")).toBe(before.get("process_start_time_seconds"));
  await expectOneAnswer();
}, 60_000);

it("stops without losing a request of clients that keep their connections", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 10 });
  const kept = async () => {
    for (;;) if ((await ask(`${API}/store`, agent)).isLast) return;
  };
  const asking = Promise.all(Array.from({ length: 10 }, kept));
  server.child.kill("SIGTERM");
  await asking;
  agent.destroy();
  expect(await server.ended).toBe(0);
  // The copies go with their processes; that of the one that was killed went when the next one was made.
  expect(readdirSync(folder).filter((name) => name.startsWith("vitrine-tmp-"))).toEqual([]);
});

it("follow a bucket by what one process fetches, each by the delta", async () => {
  const bucket = join(folder, "bucket");
  const out = join(folder, "published");
  const publish = async (now: string) => {
    await buildQuietly(demoInputs(store, out, { config, now }));
    expect(vitrine(["publish", "--out", out, "--to", `file://${bucket}`]).status).toBe(0);
  };
  await publish("2026-11-20 15:00:00");
  const cache = mkdtempSync(join(folder, "cache-"));
  server = await startServer([
    ...["fallback", "--catalog", `file://${bucket}`, "--workers", "2", "--metrics", "0", "--cache", cache],
  ]);
  const found = await metrics();
  expect(found.get('vitrine_last_success_timestamp_seconds{step="poll"}')).toBeGreaterThan(0);
  rename("Published Kit");
  await publish("2026-11-20 16:00:00");
  await until("the release", () => server.said().split("taken up by delta").length === 3);
  await expect.poll(() => server.said().match(/release \S+ fetched/g), { timeout: 20_000 }).toHaveLength(2);
  expect(server.said()).not.toContain(" reloaded");
  await expectOneAnswer(layoutOf(out).catalog);
  server.child.kill("SIGTERM");
  expect(await server.ended).toBe(0);
  expect(readdirSync(cache).filter((name) => name.startsWith("vitrine-tmp-"))).toEqual([]);
}, 90_000);
