/** The thin shell: a socket's request into data, the response as data onto the socket. */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { PublicConfig } from "../api/config.ts";
import { MAX_TARGET_BYTES } from "../api/endpoints.ts";
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
import { messageOf } from "../base/error.ts";
import { type ApiResponse, withoutSource } from "./answer.ts";
import { Arrivals } from "./arrivals.ts";
import { fitResponse } from "./conditional.ts";
import { LazyServer } from "./lazy-server.ts";
import type { RequestQueue } from "./queue.ts";
import { clientAddress, type RateLimiter } from "./rate-limit.ts";
import { endTurn, readInTurns, type TurnPorts, takeTurn } from "./turns.ts";

/** What a finished request was, for the access log. */
export interface AccessRecord {
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
  readonly config: () => PublicConfig;
  /** Null: no limit. */
  readonly limiter: RateLimiter | null;
  readonly trustProxy: boolean;
  /** Where requests wait, and are refused when there are too many; without it each is answered as it is read. */
  readonly queue?: RequestQueue;
  /** Targets that never wait: whoever asks them wants to know how the server is. */
  readonly urgent?: readonly string[];
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

function clientErrorCache(ports: ServerPorts): string {
  return cacheControl(ports.config().cache).clientError;
}

/** What is wrong with a request whatever it asks for, or null (RFC 9112 §3.2, RFC 9110 §10.1.1). */
function faultOf(request: IncomingMessage): string | null {
  const { host, expect } = request.headers;
  if (request.httpVersion === "1.1" && host === undefined) return "The header Host is missing.";
  if (expect === undefined || expect.toLowerCase() === "100-continue") return null;
  return "The header Expect takes nothing but 100-continue.";
}

/** The response to a request that neither a file nor the catalog is asked for, or null. */
function answerByRule(request: IncomingMessage, target: string, cache: string): FixedResponse | null {
  if (target.length > MAX_TARGET_BYTES) return tooLongResponse(cache);
  const fault = faultOf(request);
  if (fault !== null) return errorResponse("invalid_parameter", fault, cache);
  return methodResponse(request.method ?? "GET", cache);
}

/** Whatever fails in making a response is a bug of ours: told to the log, and to the client without detail. */
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

function handle(request: IncomingMessage, outgoing: ServerResponse, ports: ServerPorts): void {
  const started = performance.now();
  const forwarded = ports.trustProxy ? header(request, "x-forwarded-for") : undefined;
  const address = clientAddress(request.socket.remoteAddress ?? "", forwarded, ports.trustProxy);
  if (ports.limiter === null) {
    const respond = (response: ApiResponse) =>
      finish(request, outgoing, ports, response, { started, address });
    const answer = () => respond(answerOrFail(request, ports));
    if (ports.queue === undefined || ports.urgent?.includes(request.url ?? "") === true) answer();
    else {
      const refuse = () => respond(withoutSource(standardError("service_unavailable", "")));
      ports.queue.add({ answer, refuse, isGone: () => request.socket.destroyed });
    }
    return;
  }
  // Every request counts, before anything else is asked of it.
  void ports.limiter(address).then((wait) => {
    const response = wait === null ? answerOrFail(request, ports) : limited(ports, wait);
    finish(request, outgoing, ports, response, { started, address });
  });
}

function limited(ports: ServerPorts, wait: number): ApiResponse {
  return withoutSource(rateLimitedResponse(`${ports.config().rateLimit.requests}`, `${wait}`));
}

function finish(
  request: IncomingMessage,
  outgoing: ServerResponse,
  ports: ServerPorts,
  response: ApiResponse,
  { started, address }: { started: number; address: string },
): void {
  const method = request.method ?? "GET";
  const fitted = fitResponse(response, {
    ifNoneMatch: header(request, "if-none-match"),
    acceptEncoding: header(request, "accept-encoding"),
  });
  send(outgoing, fitted, method);
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

function send(outgoing: ServerResponse, response: ApiResponse, method: string): void {
  const headers: string[] = [];
  for (const name in response.headers) headers.push(name, response.headers[name] ?? "");
  // Pages can read this one of their own host's responses: whether a file answered them.
  if (response.source !== "none") headers.push("Server-Timing", response.source);
  if (response.status !== 204 && response.status !== 304)
    headers.push("Content-Length", String(response.body.length));
  // One flat list: Node writes it as it is, without a table of headers in between.
  outgoing.writeHead(response.status, headers);
  outgoing.end(method === "HEAD" || response.body.length === 0 ? undefined : response.body);
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

/** Makes a server that answers by the ports; it does not listen yet. One response at a time is made for a connection. */
export function createHttpServer(ports: ServerPorts, given: Partial<ServerLimits> = {}): Server {
  const limits = { ...DEFAULT_LIMITS, ...given };
  const options = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: limits.headMilliseconds,
    requestTimeout: 3 * limits.headMilliseconds,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: limits.headMilliseconds / 2,
    // Node's own 400 has no body.
    requireHostHeader: false,
  };
  const server = new LazyServer(options, {
    milliseconds: limits.headMilliseconds,
    timedOut: (socket) => endSilent(socket, ports),
  });
  server.timeout = limits.idleMilliseconds;
  server.maxConnections = limits.connections;
  // A body means nothing here: once the response is sent, Node reads away what nobody asked for.
  const takeRequest = (request: IncomingMessage, outgoing: ServerResponse) => {
    takeTurn(request.socket);
    latest.set(request.socket, request);
    outgoing.once("finish", () => endTurn(request.socket));
    outgoing.shouldKeepAlive &&= !draining.has(server);
    handle(request, outgoing, ports);
  };
  const turns = {
    answerUnparsed: refuseUnparsed(server, ports, limits),
    attachParser: (socket: Socket) => server.attachParser(socket),
  };
  const arrivals = ports.queue === undefined ? null : new Arrivals();
  if (arrivals !== null) Arrivals.pause(server);
  server.on("connection", (socket) => {
    ports.queue?.connected();
    server.wait(socket);
    readInTurns(socket, turns);
    arrivals?.add(socket);
  });
  server.on("request", takeRequest);
  server.on("checkExpectation", takeRequest);
  server.on("connect", (request, socket) => {
    // Node has let go of this socket: without a listener, a client that vanishes would end the process.
    socket.on("error", () => socket.destroy());
    sendLast(socket, answerOrFail(request, ports));
  });
  server.on("clientError", (error: ClientError, socket) => {
    if (!socket.writable) return;
    // The fault is in the body of a request that has its response already: a second one would be taken for the next.
    if (latest.get(socket)?.complete === false) socket.destroy();
    else sendLast(socket, withoutSource(unreadableResponse(error, clientErrorCache(ports))));
  });
  return server;
}

type ClientError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** The request that a connection's running or last turn is of. */
const latest = new WeakMap<Duplex, IncomingMessage>();

/** Ends a connection that has no parser and says nothing: with an error, where nothing of it was answered. */
function endSilent(socket: Socket, ports: ServerPorts): void {
  if (socket.bytesWritten > 0) socket.destroy();
  else sendLast(socket, withoutSource(standardError("request_timeout", clientErrorCache(ports))));
}

/** A head as all clients send it, strictly: its target. */
const PLAIN_HEAD =
  /^GET (\/[!-~]*) HTTP\/1\.1\r\n(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*\r\n)+\r\n$/;
const HAS_HOST = /\r\nhost:/i;
/** Those that change what a connection carries next. */
const HAS_FRAMING = /\r\n(?:connection|content-length|expect|transfer-encoding|upgrade):/i;
const MAX_PLAIN_BYTES = 4096;

/**
 * Refuses plain requests before they are parsed where the queue is full: parsing one and responding by Node's objects takes
 * as long as answering it, and a server that refuses most would have no time left to answer any.
 */
function refuseUnparsed(
  server: LazyServer,
  ports: ServerPorts,
  { idleMilliseconds }: ServerLimits,
): TurnPorts["answerUnparsed"] {
  const { queue } = ports;
  if (queue === undefined || ports.trustProxy) return () => false;
  const refusal = withoutSource(standardError("service_unavailable", ""));
  const bytes = toBytes(refusal, "Connection: keep-alive\r\n");
  return (head, socket) => {
    if (!queue.isFull || draining.has(server) || head.length > MAX_PLAIN_BYTES) return false;
    // A body may hold what looks like a head; and who does not read gets no more.
    const last = latest.get(socket);
    if (last?.complete === false || socket.writableLength > 0) return false;
    const text = head.toString("latin1");
    const target = PLAIN_HEAD.exec(text)?.[1];
    if (target === undefined || !HAS_HOST.test(text) || HAS_FRAMING.test(text)) return false;
    if (target.length > MAX_TARGET_BYTES || ports.urgent?.includes(target) === true) return false;
    queue.countRefusal();
    if (server.isUnparsed(socket)) socket.setTimeout(idleMilliseconds);
    socket.write(bytes);
    const { status, source, body } = refusal;
    const address = clientAddress(socket.remoteAddress ?? "", undefined, false);
    ports.access({
      method: "GET",
      target,
      status,
      source,
      sizeBytes: body.length,
      milliseconds: 0,
      address,
    });
    return true;
  };
}

/** How long a client may take to read the last response of its connection. */
const LINGER_MILLISECONDS = 2000;

/** The bytes of a response, `more` headers included, where Node has no object to respond with. */
function toBytes({ status, headers, body }: ApiResponse, more: string): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}${more}Content-Length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

/** Answers where Node has no object to respond with, and ends the connection. */
function sendLast(socket: Duplex, response: ApiResponse): void {
  socket.end(toBytes(response, "Connection: close\r\n"));
  // What the client still sends is read away: closed with it unread, the connection would take the response along.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MILLISECONDS).unref();
}

/** What a request that could not even be read gets: 408 where it never ended, 414 where its first line is too long, else 400. */
function unreadableResponse(error: ClientError, cache: string): FixedResponse {
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return standardError("request_timeout", cache);
  const packet = error.rawPacket ?? Buffer.alloc(0);
  const lineEnd = packet.indexOf("\r\n");
  const longLine = (lineEnd < 0 ? packet.length : lineEnd) > MAX_TARGET_BYTES;
  if (error.code === "HPE_HEADER_OVERFLOW" && longLine) return tooLongResponse(cache);
  return standardError("invalid_parameter", cache);
}

/**
 * How many connections the kernel keeps for a server that is busy, as far as it lets (`net.core.somaxconn`). From more it
 * drops what they send, and their clients send it again after a second at the earliest; Node's own number is 511.
 */
const BACKLOG = 4096;

/** Listens; resolves to the address it is reached at. */
export function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(new Error(`Cannot listen on ${host}:${port}: ${messageOf(error)}`)),
    );
    server.listen(port, host, BACKLOG, () => resolve(addressOf(server, host)));
  });
}

/** Where a listening server is reached, by the name that it was told to listen on. */
function addressOf(server: Server, name?: string): string {
  const { address = "", port = 0 } = (server.address() ?? {}) as Partial<AddressInfo>;
  const host = name ?? address;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Listens on a socket that is bound already, by its descriptor, which is closed with the server; as {@link listen}. */
export function listenOn(server: Server, descriptor: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ fd: descriptor }, BACKLOG, () => resolve(addressOf(server)));
  });
}

/** How long a request in flight may still take once the server is told to stop. */
const GRACE_MILLISECONDS = 10_000;

/** Servers that are about to stop. */
const draining = new WeakSet<Server>();

/** True from when the server is told to stop. */
export function isDraining(server: Server): boolean {
  return draining.has(server);
}

/**
 * Tells all clients to close their connections, and balancers to ask others, while it goes on listening for so long; then
 * takes no more connections, lets requests in flight finish, and resolves when all are gone.
 */
export async function stop(server: Server, drainMilliseconds = 0): Promise<void> {
  draining.add(server);
  if (drainMilliseconds > 0) await new Promise((resolve) => setTimeout(resolve, drainMilliseconds));
  await new Promise<void>((resolve) => {
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
