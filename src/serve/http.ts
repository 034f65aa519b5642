/** The thin shell around Node's HTTP server: requests become data, responses as data are sent. */
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { PublicConfig } from "../api/config.ts";
import { MAX_TARGET_BYTES, MCP_PATH } from "../api/endpoints.ts";
import {
  cacheControl,
  errorResponse,
  type FixedResponse,
  methodResponse,
  rateLimitedResponse,
  standardError,
  TARGET_HEADER,
  tooLongResponse,
} from "../api/responses.ts";
import { freeMemory } from "../base/arrays.ts";
import { CLOCK, every, within } from "../base/clock.ts";
import { messageOf, systemCodeOf } from "../base/error.ts";
import { isAgentTarget } from "../key/query.ts";
import { type ApiResponse, withoutSource } from "./answer.ts";
import { negotiate } from "./conditional.ts";
import { type ClosedReason, Connections } from "./connections.ts";
import { clientAddress, type RateLimiter, type RefusedRequest, ServerLoad } from "./limits.ts";
import { agentRequest, answerAgent } from "./mcp.ts";

/** One line of the access log. */
export interface AccessRecord {
  /** `-`, like the target, if the request could not be read. */
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly source: ApiResponse["source"];
  readonly sizeBytes: number;
  readonly milliseconds: number;
  readonly address: string;
}

export interface ServerPorts {
  /** Answers a GET or HEAD of a raw request target. */
  readonly answer: (target: string) => ApiResponse;
  readonly config: () => Pick<PublicConfig, "cache" | "rateLimit">;
  /** Null: no rate limit. */
  readonly limiter: RateLimiter | null;
  readonly trustProxy: boolean;
  /** Called for each request that the limiter refuses. */
  readonly limited?: (request: RefusedRequest) => void;
  /** Targets that are answered before all others, also under overload: they ask for the server's health. */
  readonly urgent?: readonly string[];
  /** Answer the target in {@link TARGET_HEADER}. Only behind an edge that always sets it: otherwise clients could poison caches. */
  readonly targetHeader?: boolean;
  /** Answers agents' requests to {@link MCP_PATH}, with any method. If undefined, that path is unknown. */
  readonly mcp?: (request: Request) => Promise<Response>;
  /** Called after each response of any kind. */
  readonly access: (record: AccessRecord) => void;
  /** Called for each request that is refused because of overload. */
  readonly shed?: () => void;
  /** Called for each connection that is closed because of a limit. */
  readonly closed?: (reason: ClosedReason) => void;
  /** A bug of ours, which the client sees as a 500 without detail. */
  readonly failed: (error: unknown, target: string) => void;
}

/** How much clients may ask of a server before it closes their connections. */
export interface ServerLimits {
  /** Connections at once; more are closed unanswered. */
  readonly connections: number;
  /** How long a client may take to send a request's head. */
  readonly headMilliseconds: number;
  /** How long a connection may neither take nor send a byte while a response is on its way. */
  readonly idleMilliseconds: number;
}

const DEFAULT_LIMITS: ServerLimits = {
  connections: 1024,
  headMilliseconds: 10_000,
  idleMilliseconds: 30_000,
};

/** Extra connections for those that are being closed and that Node still counts. */
const CLOSING = 64;

/** Makes a server that answers through the ports; it does not listen yet. Each connection has one response in progress. */
export function createHttpServer(ports: ServerPorts, given: Partial<ServerLimits> = {}): Server {
  const limits = { ...DEFAULT_LIMITS, ...given };
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: limits.headMilliseconds,
    requestTimeout: 3 * limits.headMilliseconds,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: limits.headMilliseconds / 2,
    // Node's own 400 has no body.
    requireHostHeader: false,
  });
  server.timeout = limits.idleMilliseconds;
  server.maxConnections = limits.connections + CLOSING;
  const closed = (reason: ClosedReason) => ports.closed?.(reason);
  const connections = new Connections(limits.connections, closed);
  const load = new ServerLoad();
  const answering = { ports, load, isLast: () => draining.has(server) };
  server.on("connection", (socket) => {
    load.arrived();
    connections.add(socket);
  });
  server.on("drop", () => {
    load.arrived();
    closed("full");
  });
  // Request bodies are ignored: Node discards them after the response.
  const takeRequest = (request: IncomingMessage, outgoing: ServerResponse) => {
    const connection = connections.of(request.socket);
    if (connection === undefined || request.socket.destroyed) return;
    connection.request = request;
    const hasRoom = connection.add((done) => {
      outgoing.once("close", done);
      handle(request, outgoing, answering);
    });
    if (!hasRoom) connections.close(connection, "pipelined");
  };
  server.on("request", takeRequest);
  server.on("checkExpectation", takeRequest);
  server.on("connect", (request, socket) => {
    // Node no longer handles this socket: without a listener, a client that vanishes would end the process.
    socket.on("error", () => socket.destroy());
    connections.of(socket)?.add(() => sendLast(socket, answerOrFail(request, ports), ports, request));
  });
  server.on("clientError", (error: ClientError, socket) => {
    const connection = connections.of(socket);
    if (!socket.writable || connection === undefined) return;
    // The fault is in the body of a request that already gets a response: a second one would be taken for the next request's.
    if (connection.request?.complete === false) connection.add(() => endLingering(socket));
    else {
      const response = withoutSource(unreadableResponse(error, clientErrorCache(ports)));
      connection.add(() => sendLast(socket, response, ports));
    }
  });
  return server;
}

/** Connections that may wait in the kernel to be accepted; the kernel's own limit applies, too (somaxconn, 4,096 on Linux). */
const BACKLOG = 4096;

/** Listens; resolves to the server's address. */
export function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const isTaken = systemCodeOf(error) === "EADDRINUSE";
      const why = isTaken ? "another program listens there" : messageOf(error);
      reject(new Error(`Cannot listen on ${host}:${port}: ${why}`, { cause: error }));
    });
    server.listen({ port, host, backlog: BACKLOG }, () => resolve(addressOf(server, host)));
  });
}

/**
 * Asks all clients to close their connections, and load balancers to go elsewhere, while still accepting connections for
 * `drainMilliseconds`. Then accepts no more, lets running requests finish, and resolves when all connections are closed.
 */
export async function stop(server: Server, drainMilliseconds = 0): Promise<void> {
  draining.add(server);
  if (drainMilliseconds > 0) await CLOCK.sleep(drainMilliseconds);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // A connection that is busy now is idle later, so idle ones are closed again and again.
  const endSweep = every(SWEEP_MILLISECONDS, () => server.closeIdleConnections());
  await within(GRACE_MILLISECONDS, closed, () => server.closeAllConnections());
  await closed;
  endSweep();
}

/** How long running requests may still take after `stop`. */
const GRACE_MILLISECONDS = 10_000;
const SWEEP_MILLISECONDS = 50;

/** Servers that are about to stop. */
const draining = new WeakSet<Server>();

/** True from the call of `stop` on. */
export function isDraining(server: Server): boolean {
  return draining.has(server);
}

const MAX_HEADER_BYTES = 32 * 1024;

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** What is needed to answer requests. */
interface Answering {
  readonly ports: ServerPorts;
  readonly load: ServerLoad;
  /** True if the connection is to be closed after this response. */
  isLast(): boolean;
}

function handle(request: IncomingMessage, outgoing: ServerResponse, answering: Answering): void {
  const { ports, load } = answering;
  const started = CLOCK.elapsed();
  const socketAddress = request.socket.remoteAddress ?? "";
  const forwarded = ports.trustProxy ? header(request, "x-forwarded-for") : undefined;
  const address = clientAddress(socketAddress, forwarded, ports.trustProxy);
  const respond = (response: ApiResponse) =>
    finish(request, outgoing, answering, response, { started, address });
  if (ports.limiter !== null) {
    // Every request counts, before it is looked at.
    const wait = ports.limiter(address);
    if (wait === null) respond(answerOrFail(request, ports));
    else {
      ports.limited?.({ header: (name) => header(request, name.toLowerCase()), address, socketAddress });
      respond(limited(ports, wait));
    }
  } else if (ports.urgent?.includes(request.url ?? "") === true) respond(answerOrFail(request, ports));
  else {
    const { socket } = request;
    load.add({
      isGone: () => socket.destroyed || socket.writableEnded,
      answer: () => answerNow(request, ports, respond),
      refuse: () => {
        ports.shed?.();
        respond(withoutSource(standardError("service_unavailable", "")));
      },
    });
  }
}

function finish(
  request: IncomingMessage,
  outgoing: ServerResponse,
  { ports, isLast }: Answering,
  response: ApiResponse,
  { started, address }: { started: number; address: string },
): void {
  const method = request.method ?? "GET";
  const fitted = negotiate(response, {
    ifMatch: header(request, "if-match"),
    ifNoneMatch: header(request, "if-none-match"),
    ifModifiedSince: header(request, "if-modified-since"),
    ifUnmodifiedSince: header(request, "if-unmodified-since"),
    acceptEncoding: header(request, "accept-encoding"),
  });
  // V8 would collect all garbage, also the old, whenever bodies of 64 MB wait for it: pauses of 7 to 20 ms.
  if (response.freesBody === true)
    outgoing.once("finish", () => freeMemory(response.body as Buffer<ArrayBuffer>));
  send(outgoing, fitted, method, isLast());
  ports.access({
    method,
    target: request.url ?? "",
    status: fitted.status,
    source: fitted.source,
    sizeBytes: method === "HEAD" ? 0 : fitted.body.length,
    milliseconds: CLOCK.elapsed() - started,
    address,
  });
}

function send(outgoing: ServerResponse, response: ApiResponse, method: string, isLast: boolean): void {
  const headers: string[] = [];
  for (const name in response.headers) headers.push(name, response.headers[name] ?? "");
  // Pages of the same host can read this header: it says whether a file answered.
  if (response.source !== "none") headers.push("Server-Timing", response.source);
  if (isLast) headers.push("Connection", "close");
  if (response.status !== 204 && response.status !== 304)
    headers.push("Content-Length", String(response.body.length));
  // Node writes a flat list as it is, without building a table of headers.
  outgoing.writeHead(response.status, headers);
  outgoing.end(method === "HEAD" || response.body.length === 0 ? undefined : response.body);
}

/** Treats any error as a bug of ours: logs it and answers without detail. */
function answerOrFail(request: IncomingMessage, ports: ServerPorts): ApiResponse {
  try {
    const sent = ports.targetHeader === true ? header(request, TARGET_HEADER) : undefined;
    const target = sent ?? request.url ?? "/";
    const fixed = answerByRule(request, target, clientErrorCache(ports));
    return fixed === null ? ports.answer(target) : withoutSource(fixed);
  } catch (error) {
    ports.failed(error, request.url ?? "");
    return withoutSource(standardError("internal_error", clientErrorCache(ports)));
  }
}

/** The response to a request that needs neither a file nor the catalog, or null. */
function answerByRule(request: IncomingMessage, target: string, cache: string): FixedResponse | null {
  if (target.length > MAX_TARGET_BYTES) return tooLongResponse(cache);
  const fault = faultOf(request);
  if (fault !== null) return errorResponse("invalid_parameter", fault, cache);
  return methodResponse(request.method ?? "GET", cache);
}

/** The fault of a request whatever its target, or null (RFC 9112 §3.2 and §6.1, RFC 9110 §10.1.1). */
function faultOf(request: IncomingMessage): string | null {
  const { expect, "transfer-encoding": coding } = request.headers;
  const hosts = countOf("host", request);
  if (hosts > 1) return "The header Host is given more than once.";
  if (hosts === 0 && request.httpVersion === "1.1") return "The header Host is missing.";
  if (coding !== undefined && coding.toLowerCase() !== "chunked")
    return "The header Transfer-Encoding takes nothing but chunked.";
  if (expect === undefined || expect.toLowerCase() === "100-continue") return null;
  return "The header Expect takes nothing but 100-continue.";
}

/** How often a header occurs in a request: for some, Node keeps only the first. */
function countOf(name: string, { rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const found = rawHeaders[at] as string;
    if (found.length === name.length && found.toLowerCase() === name) count += 1;
  }
  return count;
}

function clientErrorCache(ports: ServerPorts): string {
  return cacheControl(ports.config().cache).clientError;
}

function limited(ports: ServerPorts, wait: number): ApiResponse {
  return withoutSource(rateLimitedResponse(`${ports.config().rateLimit.requests}`, `${wait}`));
}

function answerNow(
  request: IncomingMessage,
  ports: ServerPorts,
  respond: (response: ApiResponse) => void,
): void {
  if (ports.mcp !== undefined && isAgentTarget(request.url ?? "")) {
    answerAgent(request.method, (signal) => agentRequest(request, signal), ports.mcp)
      .catch((error: unknown) => {
        ports.failed(error, MCP_PATH);
        return withoutSource(standardError("internal_error", ""));
      })
      .then(respond);
  } else respond(answerOrFail(request, ports));
}

/** Answers when Node offers no response object, and ends the connection. */
function sendLast(
  socket: Duplex,
  response: ApiResponse,
  ports: ServerPorts,
  request?: IncomingMessage,
): void {
  const { status, headers, body, source } = response;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
  endLingering(socket, Buffer.concat([Buffer.from(head), body]));
  const { method = "-", url: target = "-" } = request ?? {};
  const address = "remoteAddress" in socket ? String(socket.remoteAddress) : "";
  ports.access({ method, target, status, source, sizeBytes: body.length, milliseconds: 0, address });
}

type ClientError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** How long a client may take to read the last response of its connection. */
const LINGER_MILLISECONDS = 2000;

/** Ends a connection after everything is sent. */
function endLingering(socket: Duplex, bytes?: Buffer): void {
  socket.end(bytes);
  // Discard what the client still sends: closing with unread data would make the client lose the response.
  socket.resume();
  void CLOCK.sleep(LINGER_MILLISECONDS, undefined, true).then(() => socket.destroy());
}

/** The response to an unreadable request: 408 if it never ended, 414 if its first line is too long, else 400. */
function unreadableResponse(error: ClientError, cache: string): FixedResponse {
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return standardError("request_timeout", cache);
  const packet = error.rawPacket ?? Buffer.alloc(0);
  const lineEnd = packet.indexOf("\r\n");
  const line = packet.toString("latin1", 0, lineEnd < 0 ? packet.length : lineEnd);
  // It is the last piece that came: a long line may have begun in an earlier one.
  const endsLine = !/^[A-Z]+ /.test(line) && / HTTP\/1\.[01]$/.test(line);
  const longLine = line.length > MAX_TARGET_BYTES || endsLine;
  if (error.code === "HPE_HEADER_OVERFLOW" && longLine) return tooLongResponse(cache);
  return standardError("invalid_parameter", cache);
}

/** The address of a listening server, with the host name that it listens on. */
function addressOf(server: Server, host: string): string {
  return urlOf(host, (server.address() as AddressInfo).port);
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
