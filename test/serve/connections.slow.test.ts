import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { ApiResponse } from "../../src/serve/answer.ts";
import { type AccessRecord, createHttpServer, listen, type ServerLimits } from "../../src/serve/http.ts";
import { DEMO_CONFIG } from "../support/shop.ts";
import { until } from "../support/until.ts";

interface Counted {
  readonly server: Server;
  readonly port: number;
  /** Targets that were answered, in order. */
  readonly made: string[];
  /** The server's ends of its connections. */
  readonly sockets: Socket[];
  readonly records: AccessRecord[];
  /** Why connections were closed. */
  readonly closed: string[];
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Soon over, and longer than a busy machine lets a request wait. */
const IDLE_MILLISECONDS = 1000;

/** More than the kernel buffers for a client that never reads. */
const LARGE = Buffer.alloc(48_000_000, "x");

/** A server that counts its answers as they are made: a large one at /large, otherwise the target itself. */
async function startCounted(limits: Partial<ServerLimits> = {}): Promise<Counted> {
  const made: string[] = [];
  const closed: string[] = [];
  const records: AccessRecord[] = [];
  const sockets: Socket[] = [];
  const server = createHttpServer(
    {
      answer: (target): ApiResponse => {
        made.push(target);
        const body = target.startsWith("/large") ? LARGE : Buffer.from(`<${target}>`);
        return { status: 200, headers: {}, body, key: null, source: "none" };
      },
      config: () => DEMO_CONFIG,
      limiter: null,
      trustProxy: false,
      access: (record) => records.push(record),
      failed: (error) => expect.fail(String(error)),
      closed: (reason) => closed.push(reason),
    },
    limits,
  );
  server.on("connection", (socket) => sockets.push(socket));
  servers.push(server);
  const url = await listen(server, "127.0.0.1", 0);
  return { server, port: Number(new URL(url).port), made, sockets, records, closed };
}

function get(target: string, headers = ""): string {
  return `GET ${target} HTTP/1.1\r\nHost: shop.example\r\n${headers}\r\n`;
}

/** Sends bytes and reads until the server ends the connection, which it must do. */
async function sendRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let said = "";
  socket.on("data", (chunk) => {
    said += chunk.toString("latin1");
  });
  socket.write(text);
  await once(socket, "close");
  return said;
}

/** Sends bytes and never reads; resolves once the server has closed the connection. */
async function flood(server: Counted, text: string): Promise<Socket> {
  const socket = connect(server.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.pause();
  await once(socket, "connect");
  socket.write(text);
  const isClosed = () => server.sockets.length > 0 && server.sockets.every((open) => open.destroyed);
  await until("the server closes the connection", isClosed);
  socket.destroy();
  return server.sockets[0] as Socket;
}

async function stillAnswers({ port }: Counted): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/after`);
  expect(await response.text()).toBe("</after>");
}

describe("a server whose port is taken", () => {
  it("says so in words", async () => {
    const { port } = await startCounted();
    await expect(listen(createServer(), "127.0.0.1", port)).rejects.toThrow(
      `Cannot listen on 127.0.0.1:${port}: another program listens there`,
    );
  });
});

describe("requests in a row on one connection", () => {
  it("are answered in order, also those with bodies", async () => {
    const server = await startCounted();
    const targets = Array.from({ length: 6 }, (_, at) => `/${at}`);
    const post = "GET /with-body HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello";
    const last = get("/last", "Connection: close\r\n");
    const said = await sendRaw(server.port, targets.map((target) => get(target)).join("") + post + last);
    expect(said.match(/<[^>]+>/g)).toEqual(
      [...targets, "/with-body", "/last"].map((target) => `<${target}>`),
    );
  });

  it("continue when a client that was slow to read has caught up", async () => {
    const server = await startCounted();
    const socket = connect(server.port, "127.0.0.1");
    socket.pause();
    socket.write(get("/large/1") + get("/large/2") + get("/3"));
    await until("the first answer", () => server.made.length > 0);
    socket.write(get("/4") + get("/5", "Connection: close\r\n"));
    let tail = "";
    socket.on("data", (chunk) => {
      tail = (tail + chunk.toString("latin1")).slice(-1000);
    });
    socket.resume();
    await once(socket, "close");
    expect(server.made).toEqual(["/large/1", "/large/2", "/3", "/4", "/5"]);
    expect(tail.match(/<[^>]+>/g)).toEqual(["</3>", "</4>", "</5>"]);
  });

  it("cost one answer if the client does not read, and the connection is closed", async () => {
    const server = await startCounted({ idleMilliseconds: IDLE_MILLISECONDS });
    await flood(server, get("/large").repeat(8));
    expect(server.made).toEqual(["/large"]);
    expect(server.closed).toEqual([]);
    await stillAnswers(server);
  });

  it("close the connection if there are many, at once and after at most one answer", async () => {
    const server = await startCounted();
    await flood(server, get("/large").repeat(1163));
    // None, if the close comes before the first answer begins.
    expect(server.made.length).toBeLessThanOrEqual(1);
    expect(server.closed).toEqual(["pipelined"]);
    await stillAnswers(server);
  });

  it("from fifty clients that never read do not affect other clients, twice", async () => {
    const server = await startCounted();
    const statuses = new Set<number>();
    for (let wave = 1; wave <= 2; wave++) {
      const sockets = Array.from({ length: 50 }, () => connect(server.port, "127.0.0.1").pause());
      for (const socket of sockets) {
        socket.on("error", () => {});
        socket.write(get("/large").repeat(300));
      }
      for (let count = 0; count < 20; count++)
        statuses.add((await fetch(`http://127.0.0.1:${server.port}/other`)).status);
      await expect.poll(() => server.closed.length).toBe(50 * wave);
      for (const socket of sockets) socket.destroy();
    }
    expect([...statuses]).toEqual([200]);
    expect(new Set(server.closed)).toEqual(new Set(["pipelined"]));
    expect(server.made.filter((target) => target === "/large").length).toBeLessThanOrEqual(100);
  });

  it("are not read while one waits for its client to read", async () => {
    const server = await startCounted({ idleMilliseconds: IDLE_MILLISECONDS });
    const socket = connect(server.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.pause();
    socket.write(get("/large/1") + get("/2"));
    await until("the first answer", () => server.made.length > 0);
    socket.write(get("/3").repeat(400_000));
    const [ours] = server.sockets as [Socket];
    await once(ours, "close");
    socket.destroy();
    expect(server.made).toEqual(["/large/1"]);
    // Of ten megabytes, only what was in the buffers of one or two reads.
    expect(ours.bytesRead).toBeLessThan(1_000_000);
  });

  it("end with the answer to an unreadable one, after all others", async () => {
    const server = await startCounted();
    const said = await sendRaw(server.port, `${get("/1")}${get("/2")}NONSENSE\r\n\r\n`);
    expect(said.match(/HTTP\/1.1 [0-9]+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 400"]);
    expect(said.indexOf("</2>")).toBeLessThan(said.indexOf("invalid_parameter"));
  });
});

function parse(said: string): { status: number; head: string; error: { code: string; message: string } } {
  const at = said.indexOf("\r\n\r\n");
  const body = JSON.parse(said.slice(at + 4)) as {
    success: boolean;
    error: { code: string; message: string };
  };
  expect(body.success).toBe(false);
  return { status: Number(said.slice(9, 12)), head: said.slice(0, at), error: body.error };
}

describe("an invalid request", () => {
  const cases: readonly (readonly [what: string, text: string, status: number, code: string])[] = [
    ["Expect: foo", get("/", "Expect: foo\r\nConnection: close\r\n"), 400, "invalid_parameter"],
    ["CONNECT", "CONNECT shop.example:443 HTTP/1.1\r\nHost: shop.example\r\n\r\n", 405, "method_not_allowed"],
    ["no Host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "invalid_parameter"],
    ["two Hosts", get("/", "Host: other.example\r\nConnection: close\r\n"), 400, "invalid_parameter"],
    [
      "the same Host twice",
      get("/", "host: shop.example\r\nConnection: close\r\n"),
      400,
      "invalid_parameter",
    ],
    ["an unknown coding", get("/", "Transfer-Encoding: xchunked\r\n"), 400, "invalid_parameter"],
    [
      "an unknown coding, then a known one",
      get("/", "Transfer-Encoding: gzip, chunked\r\nConnection: close\r\n").concat("0\r\n\r\n"),
      400,
      "invalid_parameter",
    ],
    [
      "a coding and a length",
      get("/", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n").concat("0\r\n\r\n"),
      400,
      "invalid_parameter",
    ],
    ["two lengths", get("/", "Content-Length: 5\r\nContent-Length: 6\r\n"), 400, "invalid_parameter"],
    ["a header without a name", get("/", ": x\r\n"), 400, "invalid_parameter"],
    ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "invalid_parameter"],
    ["broken HTTP", "GET / HTTP/9\r\n\r\n", 400, "invalid_parameter"],
    ["another protocol", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400, "invalid_parameter"],
    ["a head too large", get("/", `X: ${"x".repeat(40_000)}\r\n`), 400, "invalid_parameter"],
    ["a target too long", get(`/${"x".repeat(40_000)}`), 414, "uri_too_long"],
    ["a head that never ends", "GET / HTTP/1.1\r\nHost: shop.example\r\nX-A: ", 408, "request_timeout"],
    ["a client that says nothing", "", 408, "request_timeout"],
  ];
  it.each(cases)("%s gets the error envelope", async (_what, text, status, code) => {
    const server = await startCounted(status === 408 ? { headMilliseconds: 200 } : {});
    const reply = parse(await sendRaw(server.port, text));
    expect([reply.status, reply.error.code]).toEqual([status, code]);
    expect(reply.head).toMatch(/content-type: application\/json; charset=utf-8/i);
    expect(reply.head).toMatch(/access-control-allow-origin: \*/i);
    if (status === 405) expect(reply.head).toMatch(/allow: GET, HEAD, OPTIONS/i);
    expect(server.made).toEqual([]);
    await stillAnswers(server);
  });

  it("is not answered twice if its body never ends", async () => {
    const server = await startCounted({ headMilliseconds: 600 });
    const post = "POST / HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 10\r\n\r\nhell";
    const said = await sendRaw(server.port, post);
    expect(said.match(/HTTP\/1.1 [0-9]+/g)).toEqual(["HTTP/1.1 405"]);
  });

  it("may ask for 100-continue or another protocol, and is answered like any other", async () => {
    const server = await startCounted();
    const headers = "Connection: close\r\nExpect: 100-continue\r\n";
    expect(await sendRaw(server.port, get("/a", headers))).toMatch(
      /^HTTP\/1.1 100 .*HTTP\/1.1 200 .*<\/a>$/s,
    );
    const upgrade = "Connection: upgrade, close\r\nUpgrade: websocket\r\n";
    expect(await sendRaw(server.port, get("/b", upgrade))).toMatch(/^HTTP\/1.1 200 .*<\/b>$/s);
  });

  it("does not end the server when its client has gone away", async () => {
    const server = await startCounted();
    for (let count = 0; count < 20; count++) {
      const socket = connect(server.port, "127.0.0.1");
      await once(socket, "connect");
      socket.write("CONNECT shop.example:443 HTTP/1.1\r\nHost: shop.example\r\n\r\n");
      socket.resetAndDestroy();
    }
    await stillAnswers(server);
  });
});

describe("connections", () => {
  /** Opens connections at once; each is idle until something is written to it. */
  async function open(server: Counted, count: number, localAddress = "127.0.0.1"): Promise<Socket[]> {
    const before = server.sockets.length;
    const sockets = Array.from({ length: count }, () => {
      const socket = connect({ port: server.port, host: "127.0.0.1", localAddress });
      socket.on("error", () => {});
      return socket;
    });
    await expect.poll(() => server.sockets.length - before).toBe(count);
    return sockets;
  }

  const openCount = ({ sockets }: Counted) => sockets.filter((socket) => !socket.destroyed).length;

  it("are limited: the one that has been idle the longest makes room for another", async () => {
    const server = await startCounted({ connections: 2 });
    const [first, second] = (await open(server, 2)) as [Socket, Socket];
    const answered = once(first, "data");
    first.write(get("/first"));
    await answered;
    const closed = once(second, "close");
    await stillAnswers(server);
    await closed;
    const again = once(first, "data");
    first.write(get("/again"));
    expect(String((await again)[0])).toContain("</again>");
    expect(server.closed).toEqual(["full"]);
    first.destroy();
  });

  it("of one address, however many, do not use up the room of another's", async () => {
    const server = await startCounted({ connections: 20 });
    const [kept] = (await open(server, 1, "127.0.0.2")) as [Socket];
    const idle = await open(server, 60);
    await expect.poll(() => openCount(server)).toBe(20);
    const said = once(kept, "data");
    kept.write(get("/kept"));
    expect(String((await said)[0])).toContain("</kept>");
    for (const socket of [kept, ...idle]) socket.destroy();
  });

  it("of clients that do not read make room for another address, but not for their own", async () => {
    const server = await startCounted({ connections: 10 });
    const stalled = await open(server, 10);
    for (const socket of stalled) socket.pause().write(get("/large"));
    await expect.poll(() => server.made.length).toBe(10);
    await expect(fetch(`http://127.0.0.1:${server.port}/more`)).rejects.toThrow();
    expect(openCount(server)).toBe(10);
    const [other] = (await open(server, 1, "127.0.0.2")) as [Socket];
    const said = once(other, "data");
    other.write(get("/other"));
    expect(String((await said)[0])).toContain("</other>");
    expect(openCount(server)).toBe(10);
    for (const socket of [other, ...stalled]) socket.destroy();
  });
});

describe("an overloaded server", () => {
  const BURST = 200;

  /** A server that needs 10 ms for each answer. */
  async function startSlow() {
    const records: AccessRecord[] = [];
    const counts = { taken: 0, shed: 0 };
    const server = createHttpServer({
      answer: (target): ApiResponse => {
        if (target !== "/readyz") for (const until = performance.now() + 10; performance.now() < until; );
        return { status: 200, headers: {}, body: Buffer.from(target), key: null, source: "fallback" };
      },
      config: () => DEMO_CONFIG,
      limiter: null,
      trustProxy: false,
      urgent: ["/readyz"],
      access: (record) => records.push(record),
      shed: () => {
        counts.shed += 1;
      },
      failed: (error) => expect.fail(String(error)),
    });
    servers.push(server);
    const port = Number(new URL(await listen(server, "127.0.0.1", 0)).port);
    server.on("connection", () => {
      counts.taken += 1;
    });
    const connectMany = (count: number) => Array.from({ length: count }, () => connect(port, "127.0.0.1"));
    return { port, records, counts, connectMany };
  }

  async function statusOf(socket: Socket, target: string): Promise<number> {
    const said = once(socket, "data");
    socket.write(get(target));
    return Number(String((await said)[0]).slice(9, 12));
  }

  const numbered = (sockets: readonly Socket[]) =>
    Promise.all(sockets.map((socket, at) => statusOf(socket, at === BURST - 1 ? "/readyz" : `/${at}`)));

  it.each(["new", "open"])(
    "refuses most of a burst on %s connections at once, and answers the next request",
    async (kind) => {
      const { port, records, counts, connectMany } = await startSlow();
      const sockets = connectMany(BURST);
      // Requests on new connections are written before the server has accepted the second one.
      if (kind === "open") await expect.poll(() => counts.taken).toBe(BURST);
      const statuses = await numbered(sockets);
      const refused = statuses.filter((status) => status === 503).length;
      expect(statuses.filter((status) => status === 200).length + refused).toBe(BURST);
      expect(refused).toBeGreaterThanOrEqual(BURST / 2);
      expect(refused).toBeLessThan(BURST - 64);
      expect(counts.shed).toBe(refused);
      const probed = records.findIndex(({ target }) => target === "/readyz");
      expect(records[probed]?.status).toBe(200);
      expect(records.slice(0, probed).filter(({ status }) => status === 200).length).toBeLessThan(32);
      expect(await (await fetch(`http://127.0.0.1:${port}/after`)).text()).toBe("/after");
      for (const socket of sockets) socket.destroy();
    },
  );

  it("refuses none of 60 slow requests that come at once", async () => {
    const { counts, connectMany } = await startSlow();
    const sockets = connectMany(60);
    expect(new Set(await numbered(sockets))).toEqual(new Set([200]));
    expect(counts.shed).toBe(0);
    for (const socket of sockets) socket.destroy();
  });

  it("does not work for clients that have gone", async () => {
    const { port, records, counts, connectMany } = await startSlow();
    const sockets = connectMany(60);
    await expect.poll(() => counts.taken).toBe(60);
    for (const [at, socket] of sockets.entries()) socket.end(get(`/${at}`), () => socket.destroy());
    expect(await (await fetch(`http://127.0.0.1:${port}/after`)).text()).toBe("/after");
    expect(records.length).toBeLessThan(40);
  });
});
