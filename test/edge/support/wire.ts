/** Requests as bytes on a socket, so that nothing between the test and the edge rewrites a target. */
import { connect, type Socket } from "node:net";

export interface Reply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Request {
  readonly target: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Endpoint {
  readonly port: number;
  readonly host?: string;
  /** The address to connect from, for example 127.0.0.2. */
  readonly from?: string;
}

function requestBytes({ target, method = "GET", headers = {} }: Request, last: boolean): Buffer {
  const fields = { Host: "shop.example", ...headers, ...(last ? { Connection: "close" } : {}) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1");
}

function readHead(text: string): Pick<Reply, "status" | "headers"> {
  const [first = "", ...lines] = text.split("\r\n");
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status: Number(first.split(" ")[1]), headers: Object.fromEntries(pairs) };
}

/** A chunked body's bytes and where it ends, or null while it is incomplete. */
function readChunks(bytes: Buffer, from: number): { body: Buffer; end: number } | null {
  const chunks: Buffer[] = [];
  for (let at = from; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    const start = lineEnd + 2;
    if (Number.isNaN(size)) throw new Error("a chunk without a size");
    if (bytes.length < start + size + 2) return null;
    if (size === 0) return { body: Buffer.concat(chunks), end: start + 2 };
    chunks.push(bytes.subarray(start, start + size));
    at = start + size + 2;
  }
}

/** The first reply in the bytes, or null while it is incomplete. */
function readReply(bytes: Buffer, method: string): { reply: Reply; end: number } | null {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return null;
  const head = readHead(bytes.toString("latin1", 0, headEnd));
  const start = headEnd + 4;
  if (method === "HEAD" || head.status === 204 || head.status === 304)
    return { reply: { ...head, body: "" }, end: start };
  if (head.headers["transfer-encoding"] === "chunked") {
    const chunked = readChunks(bytes, start);
    return chunked === null
      ? null
      : { reply: { ...head, body: chunked.body.toString("utf8") }, end: chunked.end };
  }
  const end = start + Number(head.headers["content-length"] ?? 0);
  if (Number.isNaN(end)) throw new Error("a length that is no number");
  return bytes.length < end ? null : { reply: { ...head, body: bytes.toString("utf8", start, end) }, end };
}

function open({ port, host = "127.0.0.1", from }: Endpoint): Socket {
  return connect({ port, host, ...(from === undefined ? {} : { localAddress: from }) });
}

/** Sends pipelined requests on one connection; returns the replies in order. */
export function sendAll(to: Endpoint, requests: readonly Request[]): Promise<Reply[]> {
  return new Promise((resolve, reject) => {
    const socket = open(to);
    const replies: Reply[] = [];
    let bytes: Buffer = Buffer.alloc(0);
    socket.on("error", reject);
    socket.setTimeout(120_000, () =>
      socket.destroy(new Error(`no reply: ${bytes.toString("latin1").slice(0, 500)}`)),
    );
    socket.on("connect", () => {
      socket.write(
        Buffer.concat(requests.map((request, at) => requestBytes(request, at === requests.length - 1))),
      );
    });
    socket.on("data", (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (;;) {
        const asked = requests[replies.length];
        if (asked === undefined) return;
        const next = readReply(bytes, asked.method ?? "GET");
        if (next === null) return;
        replies.push(next.reply);
        bytes = bytes.subarray(next.end);
        // Not every server closes the connection when asked to.
        if (replies.length === requests.length) socket.destroy();
      }
    });
    socket.on("close", () => {
      if (replies.length === requests.length) resolve(replies);
      else
        reject(
          new Error(
            `${replies.length} replies to ${requests.length} requests; then: ${bytes.toString("latin1").slice(0, 200)}`,
          ),
        );
    });
  });
}

/** Sends one request on a separate connection. */
export async function send(to: Endpoint, request: Request): Promise<Reply> {
  const [reply] = await sendAll(to, [request]);
  if (reply === undefined) throw new Error("no reply");
  return reply;
}

/** Sends many requests over several persistent connections; returns the replies in order. */
export async function sendMany(
  to: Endpoint,
  requests: readonly Request[],
  connections = 8,
): Promise<Reply[]> {
  const replies: Reply[] = new Array<Reply>(requests.length);
  let next = 0;
  const work = async () => {
    for (let at = next++; at < requests.length; at = next++) {
      const request = requests[at];
      if (request !== undefined) replies[at] = await send(to, request);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return replies;
}
