/**
 * Stands in front of a real S3 store, counts requests and spoils chosen ones in the ways that networks and stores do.
 * It keeps a shadow of what the store holds and shows it after each change, so that a test sees what a reader could see.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { DeleteObjectsCommand, type S3Client } from "@aws-sdk/client-s3";

export type Fault =
  /** The store does it and says 500. */
  | "500-after"
  /** The store does it and the connection breaks. */
  | "drop-after"
  /** The connection breaks before the store saw it: after all of it was sent, or in the middle of its body. */
  | "drop-before"
  | "drop-midway"
  /** Nothing is answered, and the connection stays: before the store saw it, after it did it, after half an answer. */
  | "hang-before"
  | "hang-after"
  | "hang-midway"
  | "slow-down"
  /** Of a DeleteObjects, half is done; the answer is 200 and names the others. Other requests go through. */
  | "partial-delete"
  /** The publisher's machine dies: this request and all that follow never arrive. */
  | "dead";

interface SeenRequest {
  readonly method: string;
  /** Below the bucket; `?delete` for DeleteObjects. */
  readonly key: string;
}

export interface FaultProxy {
  readonly url: string;
  readonly seen: SeenRequest[];
  /** What to do to the n-th request (from 0) since the last reset. */
  fault: (n: number, request: SeenRequest) => Fault | null;
  /** Called with the shadow after each change. */
  changed: (shadow: ReadonlyMap<string, Buffer>) => void;
  readonly shadow: Map<string, Buffer>;
  reset(): void;
  count(method: string): number;
  close(): Promise<void>;
}

interface Upstream {
  readonly endpoint: string;
  readonly bucket: string;
  readonly client: S3Client;
}

const ERROR = (code: string) =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}

/** Sends a request on as it is: its signature covers the host that the client named. */
function forward(upstream: Upstream, message: IncomingMessage, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      upstream.endpoint,
      { method: message.method, path: message.url, headers: message.headers },
      (answer) => {
        readAll(answer).then(
          (bytes) => resolve({ status: answer.statusCode ?? 500, headers: answer.headers, body: bytes }),
          reject,
        );
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function keysOfDelete(body: Buffer): string[] {
  return [...body.toString("utf8").matchAll(/<Key>([^<]*)<\/Key>/g)].map((match) => match[1] ?? "");
}

async function deleteHalf(upstream: Upstream, keys: readonly string[]): Promise<Answer> {
  const half = keys.slice(Math.ceil(keys.length / 2));
  if (half.length > 0) {
    await upstream.client.send(
      new DeleteObjectsCommand({
        Bucket: upstream.bucket,
        Delete: { Objects: half.map((Key) => ({ Key })) },
      }),
    );
  }
  const errors = keys
    .slice(0, Math.ceil(keys.length / 2))
    .map((key) => `<Error><Key>${key}</Key><Code>InternalError</Code><Message>try again</Message></Error>`);
  const body = `<?xml version="1.0"?><DeleteResult>${errors.join("")}</DeleteResult>`;
  return { status: 200, headers: { "content-type": "application/xml" }, body: Buffer.from(body) };
}

/** Begins an answer and never ends it: half of its body, or half of its headers where it has none. */
function answerHalf(response: ServerResponse, { status, headers, body }: Answer): void {
  if (body.length === 0) {
    response.socket?.write(`HTTP/1.1 ${status} OK\r\nx-amz-request-id: `);
    return;
  }
  response.writeHead(status, headers);
  response.write(body.subarray(0, Math.floor(body.length / 2)));
}

/** Over TLS where a certificate is given, both PEM. */
export async function startFaultProxy(
  upstream: Upstream,
  tls?: { readonly key: Buffer; readonly cert: Buffer },
): Promise<FaultProxy> {
  let n = 0;
  let dead = false;
  const handle = async (message: IncomingMessage, response: ServerResponse) => {
    const [path = "", query = ""] = (message.url ?? "").split("?");
    const isDelete = message.method === "POST" && /(^|&)delete/.test(query);
    const key = isDelete ? "?delete" : decodeURIComponent(path.slice(upstream.bucket.length + 2));
    const seen: SeenRequest = { method: message.method ?? "", key };
    const fault = dead ? "dead" : proxy.fault(n, seen);
    n += 1;
    proxy.seen.push(seen);
    if (fault === "dead") dead = true;
    if (fault === "drop-midway") {
      message.once("data", () => response.destroy());
      return;
    }
    const body = await readAll(message);
    if (fault === "dead" || fault === "drop-before") return response.destroy();
    if (fault === "hang-before") return;
    if (fault === "slow-down") return response.writeHead(503).end(ERROR("SlowDown"));
    const deleted = isDelete ? keysOfDelete(body) : [];
    const partial = isDelete && fault === "partial-delete";
    const answer = partial ? await deleteHalf(upstream, deleted) : await forward(upstream, message, body);
    if (answer.status < 300 && message.method === "PUT") proxy.shadow.set(key, body);
    for (const gone of partial ? deleted.slice(Math.ceil(deleted.length / 2)) : deleted)
      proxy.shadow.delete(gone);
    if (message.method !== "GET" && message.method !== "HEAD") proxy.changed(proxy.shadow);
    if (fault === "500-after") return response.writeHead(500).end(ERROR("InternalError"));
    if (fault === "drop-after") return response.destroy();
    if (fault === "hang-after") return;
    if (fault === "hang-midway") return answerHalf(response, answer);
    return response.writeHead(answer.status, answer.headers).end(answer.body);
  };
  const listen = (message: IncomingMessage, response: ServerResponse) => {
    handle(message, response).catch(() => response.destroy());
  };
  const server = tls === undefined ? createServer(listen) : createTlsServer(tls, listen);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const proxy: FaultProxy = {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    seen: [],
    fault: () => null,
    changed: () => undefined,
    shadow: new Map(),
    reset() {
      n = 0;
      dead = false;
      proxy.seen.length = 0;
      proxy.fault = () => null;
    },
    count: (method) => proxy.seen.filter((one) => one.method === method).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}
