import { once } from "node:events";
import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { ApiResponse } from "../../src/serve/answer.ts";
import { type AccessRecord, createHttpServer, listen, type ServerLimits } from "../../src/serve/http.ts";
import { RequestQueue } from "../../src/serve/queue.ts";
import { DEMO_CONFIG } from "../support/shop.ts";

interface Counted {
  readonly server: Server;
  readonly port: number;
  /** Targets that an answer was made for, in order. */
  readonly made: string[];
  /** The server's ends of its connections. */
  readonly sockets: Socket[];
  readonly records: AccessRecord[];
}

/** A queue that is full when it is told so. */
class Gate extends RequestQueue {
  isClosed = false;
  refused = 0;

  constructor() {
    super({ shed: () => {}, length: () => {} });
  }

  override get isFull(): boolean {
    return this.isClosed;
  }

  override countRefusal(): void {
    this.refused += 1;
  }
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** More than the kernel keeps for a client that never reads. */
const LARGE = Buffer.alloc(48_000_000, "x");

/** A server whose answers are counted as they are made: a large one at /large, else the target itself. */
async function startCounted(limits: Partial<ServerLimits> = {}, queue?: RequestQueue): Promise<Counted> {
  const made: string[] = [];
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
      ...(queue === undefined ? {} : { queue, urgent: ["/readyz"] }),
    },
    limits,
  );
  server.on("connection", (socket) => sockets.push(socket));
  servers.push(server);
  const url = await listen(server, "127.0.0.1", 0);
  return { server, port: Number(new URL(url).port), made, sockets, records };
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

/** Sends bytes and never reads; resolves once the server has let go of the connection. */
async function flood(server: Counted, text: string): Promise<Socket> {
  const socket = connect(server.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.pause();
  await once(socket, "connect");
  socket.write(text);
  const deadline = performance.now() + 20_000;
  while (server.sockets.length === 0 || server.sockets.some((open) => !open.destroyed)) {
    if (performance.now() > deadline) throw new Error("the server still holds the connection");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  socket.destroy();
  return server.sockets[0] as Socket;
}

async function stillAnswers({ port }: Counted): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/after`);
  expect(await response.text()).toBe("</after>");
}

describe("requests in a row on one connection", () => {
  it("are answered in their order, those with bodies too", async () => {
    const server = await startCounted();
    const targets = Array.from({ length: 60 }, (_, at) => `/${at}`);
    const post = "GET /with-body HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello";
    const last = get("/last", "Connection: close\r\n");
    const said = await sendRaw(server.port, targets.map((target) => get(target)).join("") + post + last);
    expect(said.match(/<[^>]+>/g)).toEqual(
      [...targets, "/with-body", "/last"].map((target) => `<${target}>`),
    );
  });

  it("go on when a client that was slow to read has caught up", async () => {
    const server = await startCounted();
    const socket = connect(server.port, "127.0.0.1");
    socket.pause();
    socket.write(get("/large/1") + get("/large/2") + get("/3"));
    while (server.made.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
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

  it("cost one answer where the client never reads, however many it sends, and it is let go", async () => {
    const server = await startCounted({ idleMilliseconds: 300 });
    await flood(server, get("/large").repeat(1163));
    expect(server.made).toEqual(["/large"]);
    await stillAnswers(server);
  });

  it("are not read on while one waits", async () => {
    const server = await startCounted({ idleMilliseconds: 500 });
    const socket = connect(server.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.pause();
    socket.write(get("/large/1") + get("/2"));
    while (server.made.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    socket.write(get("/3").repeat(400_000));
    const [ours] = server.sockets as [Socket];
    await once(ours, "close");
    socket.destroy();
    expect(server.made).toEqual(["/large/1"]);
    // Of ten megabytes, what lay in the buffers of one or two reads.
    expect(ours.bytesRead).toBeLessThan(1_000_000);
  });

  it("are parsed one at a time, wherever packets end", async () => {
    const server = await startCounted({ idleMilliseconds: 300 });
    let heads = 0;
    server.server.prependListener("request", () => {
      heads += 1;
    });
    const socket = connect({ port: server.port, host: "127.0.0.1", noDelay: true });
    socket.on("error", () => {});
    socket.pause();
    await once(socket, "connect");
    const text = get("/large").repeat(5);
    for (let at = 0; at < text.length; at += 7) {
      socket.write(text.slice(at, at + 7));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await once(server.sockets[0] as Socket, "close");
    socket.destroy();
    expect([heads, server.made]).toEqual([1, ["/large"]]);
    await stillAnswers(server);
  });

  it("end in the answer to what can't be read, after all others", async () => {
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

describe("a request that is none", () => {
  const cases: readonly (readonly [what: string, text: string, status: number, code: string])[] = [
    ["Expect: foo", get("/", "Expect: foo\r\nConnection: close\r\n"), 400, "invalid_parameter"],
    ["CONNECT", "CONNECT shop.example:443 HTTP/1.1\r\nHost: shop.example\r\n\r\n", 405, "method_not_allowed"],
    ["no Host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "invalid_parameter"],
    ["broken HTTP", "GET / HTTP/9\r\n\r\n", 400, "invalid_parameter"],
    ["another protocol", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400, "invalid_parameter"],
    ["a head too large", get("/", `X: ${"x".repeat(40_000)}\r\n`), 400, "invalid_parameter"],
    ["a target too long", get(`/${"x".repeat(40_000)}`), 414, "uri_too_long"],
    ["a head that never ends", "GET / HTTP/1.1\r\nHost: shop.example\r\nX-A: ", 408, "request_timeout"],
    ["a client that says nothing", "", 408, "request_timeout"],
  ];
  it.each(cases)("%s gets the error envelope", async (_what, text, status, code) => {
    const server = await startCounted({ headMilliseconds: 200 });
    const reply = parse(await sendRaw(server.port, text));
    expect([reply.status, reply.error.code]).toEqual([status, code]);
    expect(reply.head).toMatch(/content-type: application\/json; charset=utf-8/i);
    expect(reply.head).toMatch(/access-control-allow-origin: \*/i);
    if (status === 405) expect(reply.head).toMatch(/allow: GET, HEAD, OPTIONS/i);
    expect(server.made).toEqual([]);
    await stillAnswers(server);
  });

  it("is not answered twice where its body never ends", async () => {
    const server = await startCounted({ headMilliseconds: 200 });
    const post = "POST / HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 10\r\n\r\nhell";
    const said = await sendRaw(server.port, post);
    expect(said.match(/HTTP\/1.1 [0-9]+/g)).toEqual(["HTTP/1.1 405"]);
  });

  it("may ask for 100-continue or another protocol, and is answered as any other", async () => {
    const server = await startCounted();
    const headers = "Connection: close\r\nExpect: 100-continue\r\n";
    expect(await sendRaw(server.port, get("/a", headers))).toMatch(
      /^HTTP\/1.1 100 .*HTTP\/1.1 200 .*<\/a>$/s,
    );
    const upgrade = "Connection: upgrade, close\r\nUpgrade: websocket\r\n";
    expect(await sendRaw(server.port, get("/b", upgrade))).toMatch(/^HTTP\/1.1 200 .*<\/b>$/s);
  });

  it("does not end the server when its client is gone", async () => {
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

describe("a connection whose requests are refused", () => {
  /** Opens a connection; its function sends bytes and resolves to all that came when `count` responses have. */
  function converse(port: number) {
    const socket = connect(port, "127.0.0.1");
    let said = "";
    socket.on("data", (chunk) => {
      said += chunk.toString("latin1");
    });
    const say = async (text: string, count: number): Promise<string> => {
      said = "";
      socket.write(text);
      await expect.poll(() => said.match(/HTTP\/1\.1 /g)?.length, { timeout: 20_000 }).toBe(count);
      return said;
    };
    return { say, socket };
  }

  it("gets a 503 for each without a parser's work, and answers as soon as there is room", async () => {
    const gate = new Gate();
    const server = await startCounted({}, gate);
    const { say, socket } = converse(server.port);
    await say(get("/1"), 1);
    let parsed = 0;
    server.server.prependListener("request", () => {
      parsed += 1;
    });
    gate.isClosed = true;
    const refused = await say(get("/2") + get("/3"), 2);
    expect(refused.match(/HTTP\/1\.1 503 Service Unavailable\r\n/g)).toHaveLength(2);
    expect(refused.match(/Retry-After: \d/g)).toHaveLength(2);
    expect(parsed).toBe(0);
    expect(await say(get("/readyz"), 1)).toContain("</readyz>");
    gate.isClosed = false;
    expect(await say(get("/4"), 1)).toContain("</4>");
    expect(server.made).toEqual(["/1", "/readyz", "/4"]);
    expect(server.records.map(({ target, status }) => [target, status])).toEqual([
      ["/1", 200],
      ["/2", 503],
      ["/3", 503],
      ["/readyz", 200],
      ["/4", 200],
    ]);
    expect(gate.refused).toBe(2);
    socket.destroy();
  });

  it("is not parsed at all where its first request is refused, and ends only where a head does not", async () => {
    const gate = new Gate();
    const server = await startCounted({ headMilliseconds: 200 }, gate);
    gate.isClosed = true;
    const { say, socket } = converse(server.port);
    expect(await say(get("/1"), 1)).toMatch(/^HTTP\/1\.1 503 /);
    // Node looks for connections without a request every 100 ms: another one that says nothing is ended.
    await sendRaw(server.port, "");
    expect(await say(get("/2"), 1)).toMatch(/^HTTP\/1\.1 503 /);
    gate.isClosed = false;
    expect(await say(get("/3"), 1)).toContain("</3>");
    expect(await say("GET /4 HTTP/1.1\r\nHost: ", 1)).toMatch(/^HTTP\/1\.1 408 /);
    expect(server.made).toEqual(["/3"]);
    socket.destroy();
  });

  it("is let go where it says nothing after that, though no parser waits for it", async () => {
    const gate = new Gate();
    const server = await startCounted({ headMilliseconds: 100, idleMilliseconds: 300 }, gate);
    gate.isClosed = true;
    const { say, socket } = converse(server.port);
    expect(await say(get("/1"), 1)).toMatch(/^HTTP\/1\.1 503 /);
    await once(socket, "close");
    expect(server.made).toEqual([]);
  });

  it("is idle then: a server that stops closes it, but not one that may be about to ask", async () => {
    const gate = new Gate();
    const server = await startCounted({}, gate);
    gate.isClosed = true;
    const refused = converse(server.port);
    await refused.say(get("/1"), 1);
    const silent = converse(server.port);
    await expect.poll(() => server.sockets.length).toBe(2);
    const closed = once(refused.socket, "close");
    server.server.closeIdleConnections();
    await closed;
    gate.isClosed = false;
    expect(await silent.say(get("/2"), 1)).toContain("</2>");
    silent.socket.destroy();
  });

  it("never takes a body for a request, and leaves what is not plain to the parser", async () => {
    const gate = new Gate();
    const server = await startCounted({}, gate);
    const { say, socket } = converse(server.port);
    await say(get("/1"), 1);
    gate.isClosed = true;
    const inner = get("/inner");
    const post = `GET /outer HTTP/1.1\r\nHost: x\r\nContent-Length: ${inner.length}\r\n\r\n`;
    // In two packets: the body comes as what could be a head.
    const first = await say(post, 1);
    socket.write(inner);
    expect(first).toMatch(/^HTTP\/1\.1 503 /);
    expect(await say(get("/2"), 1)).toMatch(/^HTTP\/1\.1 503 /);
    const head = await say("HEAD /3 HTTP/1.1\r\nHost: x\r\n\r\n", 1);
    expect(head).toMatch(/^HTTP\/1\.1 503 .*\r\n\r\n$/s);
    expect(await say("GET /4 HTTP/1.1\r\n\r\n", 1)).toMatch(/^HTTP\/1\.1 503 /);
    const closed = once(socket, "close");
    expect(await say(get("/5", "Connection: close\r\n"), 1)).toMatch(/^HTTP\/1\.1 503 .*Connection: close/s);
    await closed;
    expect(server.records.map(({ target }) => target)).toEqual(["/1", "/outer", "/2", "/3", "/4", "/5"]);
    expect(server.made).toEqual(["/1"]);
  });
});

describe("connections", () => {
  it("are bounded: one too many is closed, and there is room again when another ends", async () => {
    const server = await startCounted({ connections: 2 });
    const open = [connect(server.port, "127.0.0.1"), connect(server.port, "127.0.0.1")];
    await Promise.all(open.map((socket) => once(socket, "connect")));
    while (server.sockets.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    await expect(fetch(`http://127.0.0.1:${server.port}/more`)).rejects.toThrow();
    const closed = once(server.sockets[0] as Socket, "close");
    for (const socket of open) socket.destroy();
    await closed;
    await expect
      .poll(
        () =>
          stillAnswers(server).then(
            () => true,
            () => false,
          ),
        { timeout: 20_000 },
      )
      .toBe(true);
  });
});
