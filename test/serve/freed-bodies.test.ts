import { once } from "node:events";
import { Agent, request, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, afterEach, expect, it } from "vitest";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { type ApiResponse, answerMiss } from "../../src/serve/answer.ts";
import { createHttpServer, listen } from "../../src/serve/http.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { DEMO_CONFIG } from "../support/shop.ts";
import { until } from "../support/until.ts";

const catalog = openCatalog(join(sharedSnapshot("small"), "catalog.sqlite"));
afterAll(() => catalog.close());

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** A server that keeps each response that it made. */
async function start(
  answer: (target: string) => ApiResponse,
): Promise<{ port: number; made: ApiResponse[] }> {
  const made: ApiResponse[] = [];
  const server = createHttpServer({
    answer: (target) => {
      const response = answer(target);
      made.push(response);
      return response;
    },
    config: () => DEMO_CONFIG,
    limiter: null,
    trustProxy: false,
    access: () => {},
    failed: (error) => expect.fail(String(error)),
  });
  servers.push(server);
  const url = await listen(server, "127.0.0.1", 0);
  return { port: Number(new URL(url).port), made };
}

interface Reply {
  readonly status: number | undefined;
  readonly encoding: string | undefined;
  readonly body: Buffer;
}

async function send(port: number, path: string, options: object = {}): Promise<Reply> {
  const sent = request({ host: "127.0.0.1", port, path, ...options }).end();
  const [response] = await once(sent, "response");
  const body = Buffer.concat(await response.toArray());
  return { status: response.statusCode, encoding: response.headers["content-encoding"], body };
}

function decoded({ encoding, body }: Reply): Buffer {
  if (encoding === "br") return brotliDecompressSync(body);
  return encoding === "gzip" ? gunzipSync(body) : body;
}

const NEEDED: Readonly<Record<string, string>> = { product: "?slug=invoice-kit", search: "?q=invoice" };
const TARGETS = [
  ...ENDPOINTS.map(({ path }) => `/api/v1/${path}${NEEDED[path] ?? ""}`),
  "/api/v1/products?search=kit&per_page=50",
  "/api/v1/products?min_price=20&sort=price_asc",
  "/api/v1/products?page=99",
  "/api/v1/product?slug=missing",
  "/api/v1/nothing",
];

it("an answer's memory is freed once it is sent, whatever of it was sent, and each client gets its bytes", async () => {
  const { port, made } = await start((target) => answerMiss(catalog, target));
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const ask = async (target: string): Promise<void> => {
    const { status, body, headers } = answerMiss(catalog, target);
    for (const coding of ["identity", "gzip", "br"]) {
      const reply = await send(port, target, { agent, headers: { "accept-encoding": coding } });
      expect(reply.status).toBe(status);
      expect(decoded(reply)).toEqual(body);
    }
    expect(await send(port, target, { agent, headers: { range: "bytes=0-9" } })).toMatchObject({ body });
    expect(await send(port, target, { agent, method: "HEAD" })).toMatchObject({ body: Buffer.alloc(0) });
    const known = headers["ETag"];
    if (known === undefined) return;
    const same = await send(port, target, { agent, headers: { "if-none-match": known } });
    expect(same).toMatchObject({ status: 304, body: Buffer.alloc(0) });
    expect(await send(port, target, { agent, headers: { "if-match": '"x"' } })).toMatchObject({
      status: 412,
    });
  };
  await Promise.all(TARGETS.flatMap((target) => [ask(target), ask(target)]));
  agent.destroy();
  const freed = made.filter(({ freesBody }) => freesBody === true);
  expect(freed.length).toBeGreaterThan(made.length / 2);
  await until("all is freed", () => freed.every(({ body }) => body.length === 0));
  // Errors, and answers that are kept for other requests.
  const others = made.filter(({ freesBody }) => freesBody !== true);
  expect(others.filter(({ body }) => body.length === 0)).toEqual([]);
});

/** More than the kernel buffers for a client that does not read. */
const LARGE_BYTES = 24_000_000;

/** Bodies that are as large as their target says, each full of its own byte. */
function numbered(): (target: string) => ApiResponse {
  let count = 0;
  return (target) => {
    count += 1;
    const body = Buffer.allocUnsafeSlow(Number(target.slice(1))).fill(count % 256);
    return { status: 200, headers: {}, body, freesBody: true, key: null, source: "none" };
  };
}

/** Asks for a large body, and reads nothing. */
async function askAndWait(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").pause();
  await once(socket, "connect");
  socket.write(`GET /${LARGE_BYTES} HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n`);
  return socket;
}

/** Sends and frees bodies of many sizes, also of the large one: what is freed too early is soon another's. */
async function freeMany(port: number): Promise<void> {
  for (const size of [...Array(60).keys()].map((at) => (at % 20 === 0 ? LARGE_BYTES : 1000 * at + 1))) {
    const { body } = await send(port, `/${size}`);
    expect(body.length).toBe(size);
    expect(body.equals(Buffer.alloc(size, body[0]))).toBe(true);
  }
}

it("a slow reader gets its own bytes, while those of others are sent and freed, and they are freed after it", async () => {
  const { port, made } = await start(numbered());
  const sockets = [await askAndWait(port), await askAndWait(port)];
  await until("both are answered", () => made.length === 2);
  await freeMany(port);
  await until("the others' are freed", () => made.slice(2).every(({ body }) => body.length === 0));
  expect(made.slice(0, 2).map(({ body }) => body.length)).toEqual([LARGE_BYTES, LARGE_BYTES]);
  const bodies = await Promise.all(
    sockets.map(async (socket) => {
      const all = Buffer.concat(await socket.toArray());
      return all.subarray(all.indexOf("\r\n\r\n") + 4);
    }),
  );
  const own = bodies.map((body) => body[0] ?? 0);
  expect(own.toSorted()).toEqual([1, 2]);
  for (const [at, body] of bodies.entries())
    expect(body.equals(Buffer.alloc(LARGE_BYTES, own[at]))).toBe(true);
  await until("all are freed", () => made.every(({ body }) => body.length === 0));
});

it("clients that leave in the middle of a body harm neither the server nor others' bytes", async () => {
  const { port, made } = await start(numbered());
  for (let round = 0; round < 3; round++) {
    const leaving = await Promise.all(Array.from({ length: 4 }, () => askAndWait(port)));
    const answered = made.length;
    const others = freeMany(port);
    await until("they are answered", () => made.length >= answered + leaving.length);
    for (const [at, socket] of leaving.entries()) {
      if (at % 2 === 0) socket.destroy();
      else socket.resetAndDestroy();
    }
    await others;
  }
});
