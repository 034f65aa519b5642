/** Agents over HTTP: a Node request as the Model Context Protocol's library wants it, and its response as data. */
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { MCP_PATH } from "../api/endpoints.ts";
import { JSON_TYPE, standardError } from "../api/responses.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { McpPorts } from "../mcp/server.ts";
import { TOOL_VERSION } from "../package.ts";
import { type ApiResponse, answerTarget, withoutSource } from "./answer.ts";

/** What tools ask of whatever catalog is current. */
export function mcpPorts(current: () => Catalog, failed: McpPorts["failed"]): McpPorts {
  return {
    version: TOOL_VERSION,
    endpoints: () => current().config.endpoints,
    ask(target) {
      const { status, body } = answerTarget(current(), target);
      return { status, body: body.toString("utf8") };
    },
    failed,
  };
}

const NO_STORE = "no-store";

/** How long one exchange may take, whatever the client still sends. */
const EXCHANGE_MILLISECONDS = 10_000;

/** What a request gets that is no call: there is no session to listen to or to end. */
const METHOD_NOT_ALLOWED: ApiResponse = {
  status: 405,
  headers: { Allow: "POST", "Content-Type": JSON_TYPE, "Cache-Control": NO_STORE },
  body: Buffer.from(
    JSON.stringify({ jsonrpc: "2.0", error: { code: -32_000, message: "Method not allowed." }, id: null }),
  ),
  key: null,
  source: "none",
};

/** Answers one request. Every answer comes whole: nothing is streamed. */
export async function answerAgent(
  incoming: IncomingMessage,
  fetch: (request: Request) => Promise<Response>,
): Promise<ApiResponse> {
  const { method, headers } = incoming;
  if (method !== "POST") return METHOD_NOT_ALLOWED;
  const signal = AbortSignal.timeout(EXCHANGE_MILLISECONDS);
  const late = new Promise<null>((resolve) => {
    signal.addEventListener("abort", () => resolve(null));
  });
  const request = new Request(`http://localhost${MCP_PATH}`, {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    signal,
    body: Readable.toWeb(incoming),
    duplex: "half",
  });
  // Who reads a body need not look at the signal.
  const response = await Promise.race([fetch(request), late]);
  if (response === null) return withoutSource(standardError("request_timeout", NO_STORE));
  return {
    status: response.status,
    headers: { ...Object.fromEntries(response.headers), "Cache-Control": NO_STORE },
    body: Buffer.from(await response.arrayBuffer()),
    key: null,
    source: "fallback",
  };
}
