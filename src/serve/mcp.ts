/** Agents over HTTP: the ports and the bounds of the library of the Model Context Protocol, and its response as data. */
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { MCP_PATH } from "../api/endpoints.ts";
import { JSON_TYPE, standardError } from "../api/responses.ts";
import type { CatalogView } from "../catalog/view.ts";
import type { McpPorts } from "../mcp/server.ts";
import { type ApiResponse, answerTarget, withoutSource } from "./answer.ts";

/** Answers tools from the current catalog. */
export function mcpPorts(current: () => CatalogView, version: string, failed: McpPorts["failed"]): McpPorts {
  return {
    version,
    endpoints: () => current().config.endpoints,
    ask(target) {
      const { status, body } = answerTarget(current(), target);
      return { status, body: body.toString("utf8") };
    },
    failed,
  };
}

const NO_STORE = "no-store";

/** Longest time of one exchange, even if the client is still sending. */
const EXCHANGE_MILLISECONDS = 10_000;

/** The answer to methods other than POST: there are no sessions to listen to or to end. */
const METHOD_NOT_ALLOWED: ApiResponse = {
  status: 405,
  headers: { Allow: "POST", "Content-Type": JSON_TYPE, "Cache-Control": NO_STORE },
  body: Buffer.from(
    JSON.stringify({ jsonrpc: "2.0", error: { code: -32_000, message: "Method not allowed." }, id: null }),
  ),
  key: null,
  source: "none",
};

/** Answers one request, which `made` gives with the signal of its end. Answers are complete, never streamed. */
export async function answerAgent(
  method: string | undefined,
  made: (signal: AbortSignal) => Request,
  fetch: (request: Request) => Promise<Response>,
): Promise<ApiResponse> {
  if (method !== "POST") return METHOD_NOT_ALLOWED;
  const signal = AbortSignal.timeout(EXCHANGE_MILLISECONDS);
  const late = new Promise<null>((resolve) => {
    signal.addEventListener("abort", () => resolve(null));
  });
  // Reading a body may ignore the signal.
  const response = await Promise.race([fetch(made(signal)), late]);
  if (response === null) return withoutSource(standardError("request_timeout", NO_STORE));
  return {
    status: response.status,
    headers: { ...Object.fromEntries(response.headers), "Cache-Control": NO_STORE },
    body: Buffer.from(await response.arrayBuffer()),
    key: null,
    source: "fallback",
  };
}

/** A POST of Node's server for {@link answerAgent}. */
export function agentRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  return new Request(`http://localhost${MCP_PATH}`, {
    method: "POST",
    headers: Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]),
    signal,
    body: Readable.toWeb(incoming),
    duplex: "half",
  });
}
