/** The thin shell: a socket's request into data, the answer as data onto the socket. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { messageOf } from "../base/error.ts";
import type { PublicConfig } from "../contract/config.ts";
import { MAX_TARGET_BYTES } from "../contract/endpoints.ts";
import { TARGET_HEADER } from "../contract/http.ts";
import { type Answer, errorAnswer, methodAnswer, rateLimitedAnswer } from "./answer.ts";
import { fitAnswer } from "./conditional.ts";
import { clientAddress, type RateLimiter } from "./rate-limit.ts";

/** What a finished request was, for the access log. */
interface AccessRecord {
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly source: Answer["source"];
  readonly sizeBytes: number;
  readonly milliseconds: number;
  readonly address: string;
}

export interface ServerPorts {
  /** Answers a GET or HEAD of a raw request target. */
  readonly answer: (target: string) => Answer;
  readonly config: () => PublicConfig;
  /** Null: no limit. */
  readonly limiter: RateLimiter | null;
  readonly trustProxy: boolean;
  /** Answer the target in {@link TARGET_HEADER}. Only behind an edge that always sets it: a client's own would poison caches. */
  readonly targetHeader?: boolean;
  readonly access: (record: AccessRecord) => void;
  /** A bug of ours, which the client sees as a 500 without detail. */
  readonly failed: (error: unknown, target: string) => void;
}

const MAX_HEADER_BYTES = 32 * 1024;

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

function answerRequest(request: IncomingMessage, ports: ServerPorts): Answer {
  const config = ports.config();
  const target =
    (ports.targetHeader === true ? header(request, TARGET_HEADER) : undefined) ?? request.url ?? "/";
  if (target.length > MAX_TARGET_BYTES) {
    return errorAnswer(config, "uri_too_long", `The address is longer than ${MAX_TARGET_BYTES} bytes.`);
  }
  return methodAnswer(config, request.method ?? "GET") ?? ports.answer(target);
}

/** Whatever fails in making an answer is a bug of ours: told to the log, and to the client without detail. */
function answerOrFail(request: IncomingMessage, ports: ServerPorts): Answer {
  try {
    return answerRequest(request, ports);
  } catch (error) {
    ports.failed(error, request.url ?? "");
    return errorAnswer(ports.config(), "internal_error", "The server failed. Please try again later.");
  }
}

function handle(request: IncomingMessage, response: ServerResponse, ports: ServerPorts): void {
  const started = performance.now();
  const forwarded = ports.trustProxy ? header(request, "x-forwarded-for") : undefined;
  const address = clientAddress(request.socket.remoteAddress ?? "", forwarded, ports.trustProxy);
  if (ports.limiter === null) {
    finish(request, response, ports, answerOrFail(request, ports), { started, address });
    return;
  }
  // Every request counts, before anything else is asked of it.
  void ports.limiter(address).then((wait) => {
    const answer = wait === null ? answerOrFail(request, ports) : rateLimitedAnswer(ports.config(), wait);
    finish(request, response, ports, answer, { started, address });
  });
}

function finish(
  request: IncomingMessage,
  response: ServerResponse,
  ports: ServerPorts,
  answer: Answer,
  { started, address }: { started: number; address: string },
): void {
  const method = request.method ?? "GET";
  const fitted = fitAnswer(answer, {
    ifNoneMatch: header(request, "if-none-match"),
    acceptEncoding: header(request, "accept-encoding"),
  });
  send(response, fitted, method);
  ports.access({
    method,
    target: request.url ?? "",
    status: fitted.status,
    source: fitted.source,
    sizeBytes: method === "HEAD" ? 0 : fitted.body.length,
    milliseconds: performance.now() - started,
    address,
  });
}

function send(response: ServerResponse, answer: Answer, method: string): void {
  const headers: string[] = [];
  for (const name in answer.headers) headers.push(name, answer.headers[name] ?? "");
  if (answer.status !== 204 && answer.status !== 304)
    headers.push("Content-Length", String(answer.body.length));
  // One flat list: Node writes it as it is, without a table of headers in between.
  response.writeHead(answer.status, headers);
  response.end(method === "HEAD" || answer.body.length === 0 ? undefined : answer.body);
}

/** Makes a server that answers by the ports; it does not listen yet. Time-outs keep slow clients from holding it. */
export function createHttpServer(ports: ServerPorts): Server {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5_000,
    },
    // A body means nothing here: once the answer is sent, Node reads away what nobody asked for.
    (request, response) => handle(request, response, ports),
  );
  server.on("clientError", (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
    if (!socket.writable) return;
    const answer = brokenRequestAnswer(ports.config(), error);
    const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const reason = answer.status === 414 ? "URI Too Long" : "Bad Request";
    socket.end(
      `HTTP/1.1 ${answer.status} ${reason}\r\n${lines.join("")}Content-Length: ${answer.body.length}\r\n` +
        `Connection: close\r\n\r\n${answer.body.toString()}`,
    );
  });
  return server;
}

/** What a request that could not even be read gets: 414 where its first line alone is too long, else 400. */
function brokenRequestAnswer(
  config: PublicConfig,
  error: NodeJS.ErrnoException & { rawPacket?: Buffer },
): Answer {
  const packet = error.rawPacket ?? Buffer.alloc(0);
  const lineEnd = packet.indexOf("\r\n");
  const longLine = (lineEnd < 0 ? packet.length : lineEnd) > MAX_TARGET_BYTES;
  if (error.code === "HPE_HEADER_OVERFLOW" && longLine) {
    return errorAnswer(config, "uri_too_long", `The address is longer than ${MAX_TARGET_BYTES} bytes.`);
  }
  return errorAnswer(config, "invalid_parameter", "The request is not HTTP that this server can read.");
}

/** Listens; resolves to the address it is reached at. */
export function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(new Error(`Cannot listen on ${host}:${port}: ${messageOf(error)}`)),
    );
    server.listen(port, host, () => {
      const address = server.address();
      const actual = typeof address === "object" && address !== null ? address.port : port;
      resolve(`http://${host.includes(":") ? `[${host}]` : host}:${actual}`);
    });
  });
}

/** How long a request in flight may still take once the server is told to stop. */
const GRACE_MILLISECONDS = 10_000;

/** Takes no more connections, lets requests in flight finish, and resolves when all are gone. */
export function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A connection that was busy when it began is idle later: it is looked for until none is left.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    const end = setTimeout(() => server.closeAllConnections(), GRACE_MILLISECONDS);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(end);
      resolve();
    });
    server.closeIdleConnections();
  });
}
