/** `vitrine fallback --workers 2`: threads that share lists, behind one socket that outlives the process that answers. */
import { once } from "node:events";
import { copyFileSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { Agent, get } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseSamples } from "../../src/base/metrics.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { answerTarget } from "../../src/serve/answer.ts";
import { layoutOf } from "../../src/snapshot/layout.ts";
import { type Running, startServer, until } from "../support/command.ts";
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

/** Asks on a connection of its own, so that any thread may answer. */
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

/** Every thread answers as the catalog does in one. */
async function expectOneAnswer(): Promise<void> {
  const catalog = openCatalog(layout.catalog);
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

/** The process that answers. */
function answererPid(): number {
  const said = server.said().split("starting anew").at(-1) ?? "";
  return Number(/"pid":(\d+)[^}]*listening on/.exec(said)?.[1]);
}

it.runIf(process.platform === "linux")("answers in the thread that follows too, so two take one more", () => {
  const tasks = `/proc/${answererPid()}/task`;
  const names = readdirSync(tasks).map((id) => readFileSync(join(tasks, id, "comm"), "utf8").trim());
  expect(names.filter((name) => name === "WorkerThread")).toHaveLength(1);
});

it("answers as one thread does, and counts what all have answered", async () => {
  await expectOneAnswer();
  const found = await metrics();
  expect(found.get('vitrine_requests_total{source="fallback",code="200"}')).toBe(28);
  expect(found.get('vitrine_requests_total{source="none",code="400"}')).toBe(4);
});

it("takes up a release once, by its delta, for all threads", async () => {
  const load = clients(8);
  rename("Renamed Kit");
  await buildQuietly(demoInputs(store, join(folder, "out"), { config, now: "2026-11-20 13:00:00" }));
  await until("the delta", () => server.said().includes("taken up by delta"));
  expect(await load.end()).toEqual([]);
  await expectOneAnswer();
  expect(server.said().split("taken up by delta").length).toBe(2);
  // One copy for all, and it forgets what was deleted: nobody holds its log back.
  const [copy = ""] = readdirSync(folder).filter((name) => name.startsWith("vitrine-tmp-"));
  await until("an empty log", () => readFileSync(join(folder, copy, "catalog.sqlite-wal")).length === 0);
});

it("takes up a file that no delta leads to", async () => {
  rename("Another Kit");
  await buildQuietly(demoInputs(store, join(folder, "other"), { config, now: "2026-11-20 14:00:00" }));
  copyFileSync(layoutOf(join(folder, "other")).catalog, `${layout.catalog}.next`);
  renameSync(`${layout.catalog}.next`, layout.catalog);
  await until("the file", () => server.said().includes(" reloaded"));
  await expectOneAnswer();
});

it("starts anew on SIGHUP without losing a request", async () => {
  const before = (await metrics()).get("process_start_time_seconds") ?? 0;
  const load = clients(12);
  server.child.kill("SIGHUP");
  await until("another process", () => server.said().includes("started anew"), 60_000);
  expect(await load.end()).toEqual([]);
  expect((await metrics()).get("process_start_time_seconds")).toBeGreaterThan(before);
  await expectOneAnswer();
}, 90_000);

it("has room in its socket for hundreds who connect while it is busy", async () => {
  const pid = answererPid();
  process.kill(pid, "SIGSTOP");
  const { hostname, port } = new URL(server.url);
  const sockets = Array.from({ length: 600 }, () => connect(Number(port), hostname));
  try {
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
  } finally {
    for (const socket of sockets) socket.destroy();
    process.kill(pid, "SIGCONT");
  }
});

it("follows a process that was killed by another one, while clients wait", async () => {
  process.kill(answererPid(), "SIGKILL");
  await until("its end", () => server.said().includes("another one follows"));
  expect((await ask(`${API}/store`)).status).toBe(200);
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
  // Nothing is left: the copy goes with the process.
  expect(readdirSync(folder).filter((name) => name.startsWith("vitrine-tmp-"))).toEqual([]);
});
