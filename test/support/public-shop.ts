/** A shop's files at an address of this machine, with limits, faults and lies as a test wants them. */
import { hash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

/** True if it has answered. */
type Answer = (key: string, request: IncomingMessage, response: ServerResponse) => boolean;

export interface PublicShop {
  readonly base: string;
  /** Keys in the order in which they were asked for. */
  readonly asked: string[];
  /** The current files. */
  files: Map<string, Buffer>;
  /** Answers instead of the files. */
  answer: Answer | null;
}

export function shortDigestOf(bytes: Buffer): string {
  return hash("sha256", bytes, "hex").slice(0, 32);
}

export async function openPublicShop(modified = "Fri, 20 Nov 2026 12:00:00 GMT"): Promise<PublicShop> {
  const server = createServer((request, response) => {
    const key = (request.url ?? "").slice(1);
    shop.asked.push(key);
    if (shop.answer?.(key, request, response) === true) return;
    const bytes = shop.files.get(key);
    const etag = bytes && `W/"${shortDigestOf(bytes)}"`;
    if (etag === undefined) response.writeHead(404).end();
    else if (request.headers["if-none-match"] === etag) response.writeHead(304).end();
    else response.writeHead(200, { ETag: etag, "Last-Modified": modified }).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const shop: PublicShop = { base: `http://127.0.0.1:${port}`, asked: [], files: new Map(), answer: null };
  return shop;
}
