import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { Arrivals } from "../../src/serve/arrivals.ts";
import { createHttpServer, listen } from "../../src/serve/http.ts";
import { RequestQueue, type WaitingRequest } from "../../src/serve/queue.ts";
import { DEMO_CONFIG } from "../support/shop.ts";

/** Paused connections, and which of them were resumed. */
function pausedSockets() {
  const arrivals = new Arrivals();
  const resumed: number[] = [];
  return { resumed, come: (name: number) => arrivals.add({ resume: () => resumed.push(name) as never }) };
}

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

it("reads from new connections when no other comes", async () => {
  const { come, resumed } = pausedSockets();
  for (let name = 0; name < 3; name++) {
    come(name);
    await turn();
    expect(resumed).toEqual([]);
  }
  await turn();
  expect(resumed).toEqual([0, 1, 2]);
  come(3);
  await turn();
  await turn();
  expect(resumed).toEqual([0, 1, 2, 3]);
});

it("lets no connection wait for ever, however many come", async () => {
  const { come, resumed } = pausedSockets();
  const deadline = performance.now() + 20_000;
  for (let name = 0; resumed.length === 0 && performance.now() < deadline; name++) {
    come(name);
    await turn();
  }
  expect(resumed[0]).toBe(0);
});

it("takes all who connect in one moment before it reads the first one's request", async () => {
  /** How many connections there were when each request was read. */
  const read: number[] = [];
  let connections = 0;
  class Noting extends RequestQueue {
    override add(request: WaitingRequest): void {
      read.push(connections);
      super.add(request);
    }
  }
  const server = createHttpServer({
    answer: () => ({ status: 204, headers: {}, body: Buffer.alloc(0), key: null, source: "none" }),
    config: () => DEMO_CONFIG,
    limiter: null,
    trustProxy: false,
    queue: new Noting({ shed: () => {}, length: () => {} }),
    access: () => {},
    failed: () => {},
  });
  server.on("connection", () => {
    connections += 1;
  });
  const port = Number(new URL(await listen(server, "127.0.0.1", 0)).port);
  const sockets = Array.from({ length: 20 }, () => connect(port, "127.0.0.1"));
  for (const socket of sockets) socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await Promise.all(sockets.map((socket) => once(socket, "data")));
  for (const socket of sockets) socket.destroy();
  server.close();
  expect(read).toEqual(Array(20).fill(20));
});
