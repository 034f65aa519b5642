/** A faulty store as a server, for what speaks HTTP: commands, TLS, and the real store behind it. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { DeleteObjectsCommand } from "@aws-sdk/client-s3";
import {
  createFaultyStore,
  type FaultyStore,
  type Upstream,
  type UpstreamRequest,
  type UpstreamResponse,
} from "./faults.ts";
import type { Rgw } from "./rgw.ts";

export interface FaultProxy extends FaultyStore {
  readonly url: string;
  close(): Promise<void>;
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

/** Sends a request on as it is: its signature covers the host that the client named. */
function forward(endpoint: string, { method, path, headers, body }: UpstreamRequest) {
  return new Promise<UpstreamResponse>((resolve, reject) => {
    const outgoing = request(endpoint, { method, path, headers }, (response) => {
      readAll(response).then(
        (bytes) => resolve({ status: response.statusCode ?? 500, headers: response.headers, body: bytes }),
        reject,
      );
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** The real store of a run. */
export function upstreamOf({ endpoint, bucket, client }: Rgw): Upstream {
  return {
    bucket,
    ask: (message) => forward(endpoint, message),
    async remove(keys) {
      if (keys.length === 0) return;
      const Delete = { Objects: keys.map((Key) => ({ Key })) };
      await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete }));
    },
  };
}

/** Begins a response and never ends it: half of its body, or half of its headers where it has none. */
function sendHalf(
  response: ServerResponse,
  { status, headers, body }: UpstreamResponse,
  sent: () => void,
): void {
  if (body.length === 0) {
    response.socket?.write(`HTTP/1.1 ${status} OK\r\nx-amz-request-id: `, sent);
    return;
  }
  response.writeHead(status, headers);
  response.write(body.subarray(0, Math.floor(body.length / 2)), sent);
}

/** Over TLS where a certificate is given, both PEM. */
export async function startFaultProxy(
  upstream: Upstream,
  tls?: { readonly key: Buffer; readonly cert: Buffer },
): Promise<FaultProxy> {
  const store = createFaultyStore(upstream);
  const handle = async (message: IncomingMessage, response: ServerResponse) => {
    const { method = "", url: path = "", headers } = message;
    const begun = store.begin(method, path);
    if (begun.fault === "drop-midway") {
      message.once("data", () => response.destroy());
      message.once("end", () => response.destroy());
      return;
    }
    const fate = await store.finish(begun, { method, path, headers, body: await readAll(message) });
    if (fate.kind === "broken") response.destroy();
    else if (fate.kind === "answered")
      response.writeHead(fate.response.status, fate.response.headers).end(fate.response.body);
    else if (fate.half !== undefined) sendHalf(response, fate.half, store.hung);
    else store.hung();
  };
  const listen = (message: IncomingMessage, response: ServerResponse) => {
    handle(message, response).catch(() => response.destroy());
  };
  const server = tls === undefined ? createServer(listen) : createTlsServer(tls, listen);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return Object.assign(store, {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
