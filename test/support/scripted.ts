/** Servers on this machine that answer what a test says. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

export type Reply = (request: IncomingMessage, response: ServerResponse) => void;

/** The first request gets the first reply and so on, and all others the last one. It ends after the test file. */
export async function scripted(...replies: Reply[]) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const reply = replies[Math.min(asked.length, replies.length - 1)];
    asked.push(request.url ?? "");
    if (reply === undefined) response.end();
    else reply(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  /** `asked`: the targets of all requests so far. */
  return { origin, base: `${origin}/api/v1`, asked };
}
