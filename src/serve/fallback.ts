/**
 * The fallback: answers every request from the catalog, and reports its health to load balancers and process managers. Rate limits
 * are the edge's task.
 */
import type { Server } from "node:http";
import { DEFAULT_RATE_LIMIT } from "../api/errors.ts";
import { type FixedResponse, JSON_TYPE, standardError } from "../api/responses.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { type ApiResponse, answerMiss, withoutSource } from "./answer.ts";
import { createHttpServer, isDraining, type ServerLimits, type ServerPorts } from "./http.ts";
import { ServerMetrics } from "./metrics.ts";

/** Liveness: 200 as long as the process answers. */
const HEALTH_PATH = "/healthz";
/** Readiness: the catalog is readable and recent enough, and the server is not about to stop. */
const READY_PATH = "/readyz";

interface Readiness {
  readonly isDraining: boolean;
  /** Code of the last look's error; null if it succeeded. */
  readonly pollFailure: string | null;
  /** Seconds since the last successful look at the source. */
  readonly pollAgeSeconds: number;
  readonly mostPollAgeSeconds: number;
}

function response(status: number, said: object): ApiResponse {
  const headers = { "Content-Type": JSON_TYPE, "Cache-Control": "no-store" };
  return { status, headers, body: Buffer.from(JSON.stringify(said)), key: null, source: "none" };
}

function about(catalog: Catalog | null): object {
  if (catalog === null) return {};
  return { release: catalog.digest.slice(0, 12), catalog_generated_at: catalog.generatedAt };
}

function healthResponse(catalog: Catalog | null): ApiResponse {
  return response(200, { status: "ok", ...about(catalog) });
}

/** 503 and the reason if requests should go elsewhere. */
function readyResponse(
  catalog: Catalog | null,
  { isDraining, pollFailure, pollAgeSeconds, mostPollAgeSeconds }: Readiness,
  failed: (error: unknown, target: string) => void,
): ApiResponse {
  const facts = { ...about(catalog), poll_age_seconds: Math.round(pollAgeSeconds) };
  if (isDraining) return response(503, { status: "draining", ...facts });
  // Only the error's code: an edge may expose this path to the public. The log has the message.
  if (catalog === null) return response(503, { status: "no_release", reason: pollFailure, ...facts });
  try {
    catalog.probe();
  } catch (error) {
    failed(error, READY_PATH);
    return response(503, { status: "catalog_unreadable", ...facts });
  }
  return pollAgeSeconds > mostPollAgeSeconds
    ? response(503, { status: "poll_too_old", ...facts })
    : response(200, { status: "ok", ...facts });
}

export interface FallbackPorts extends Pick<ServerPorts, "access" | "failed" | "targetHeader" | "mcp"> {
  readonly metrics?: ServerMetrics;
  /** Called with an error of reading the catalog; returns true if the catalog is damaged and is being replaced. */
  readonly replaceIfDamaged?: (error: unknown) => boolean;
  /** These two are asked for each {@link Readiness}. */
  readonly pollAgeSeconds?: () => number;
  readonly pollFailure?: () => string | null;
  /** The fallback is not ready if the last look is older than this. */
  readonly mostPollAgeSeconds?: number;
}

/** Replaces the configuration until a catalog with its configuration is loaded. */
const NO_CONFIG: ReturnType<ServerPorts["config"]> = {
  cache: { maxAgeSeconds: 0, sharedMaxAgeSeconds: 0, staleIfErrorSeconds: 0, errorMaxAgeSeconds: 0 },
  rateLimit: DEFAULT_RATE_LIMIT,
};

function unavailable(): FixedResponse {
  return standardError("service_unavailable", "");
}

/** Until there is a catalog, agents get the same 503 as all clients. */
function agentsOf(mcp: NonNullable<ServerPorts["mcp"]>, current: () => Catalog | null) {
  return (request: Request): Promise<Response> => {
    if (current() !== null) return mcp(request);
    const { status, headers, body } = unavailable();
    return Promise.resolve(new Response(body, { status, headers }));
  };
}

/** Makes the fallback's server; it does not listen yet. `current`: null until there is a catalog. */
export function createFallback(
  current: () => Catalog | null,
  ports: FallbackPorts,
  limits: Partial<ServerLimits> = {},
): Server {
  const { metrics = new ServerMetrics(), targetHeader = false } = ports;
  const isReplaced = (error: unknown) => ports.replaceIfDamaged?.(error) === true;
  const failed: FallbackPorts["failed"] = (error, target) => {
    if (!isReplaced(error)) ports.failed(error, target);
  };
  const ready = () => ({
    isDraining: isDraining(server),
    pollFailure: ports.pollFailure?.() ?? null,
    pollAgeSeconds: ports.pollAgeSeconds?.() ?? 0,
    mostPollAgeSeconds: ports.mostPollAgeSeconds ?? Number.POSITIVE_INFINITY,
  });
  const answer = (target: string): ApiResponse => {
    const catalog = current();
    if (target === HEALTH_PATH) return healthResponse(catalog);
    if (target === READY_PATH) return readyResponse(catalog, ready(), failed);
    if (catalog === null) return withoutSource(unavailable());
    try {
      return answerMiss(catalog, target);
    } catch (error) {
      if (!isReplaced(error)) throw error;
      return withoutSource(unavailable());
    }
  };
  const access: ServerPorts["access"] = (record) => {
    metrics.request(record.source, record.status, record.milliseconds);
    ports.access(record);
  };
  const server = createHttpServer(
    {
      answer,
      access,
      failed,
      targetHeader,
      urgent: [HEALTH_PATH, READY_PATH],
      shed: () => metrics.shed(),
      closed: (reason) => metrics.closed(reason),
      config: () => current()?.config ?? NO_CONFIG,
      limiter: null,
      trustProxy: false,
      ...(ports.mcp === undefined ? {} : { mcp: agentsOf(ports.mcp, current) }),
    },
    limits,
  );
  server.on("connection", (socket) => {
    metrics.connection(1);
    socket.once("close", () => metrics.connection(-1));
  });
  return server;
}
