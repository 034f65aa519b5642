/** A server before another one that counts what it is asked. */

import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface CountingProxy {
  readonly url: string;
  /** Requests by method, and bytes of their bodies. */
  readonly seen: { requests: Record<string, number>; bytes: number };
  close(): void;
}

export async function startCountingProxy(endpoint: string): Promise<CountingProxy> {
  const seen: CountingProxy["seen"] = { requests: {}, bytes: 0 };
  const server = createServer((incoming, outgoing) => {
    const { method = "", url: path = "", headers } = incoming;
    seen.requests[method] = (seen.requests[method] ?? 0) + 1;
    incoming.on("data", (bytes: Buffer) => {
      seen.bytes += bytes.length;
    });
    // Its signature covers the host that the client named.
    const onward = request(endpoint, { method, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
