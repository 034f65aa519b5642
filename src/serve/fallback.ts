/**
 * The fallback: answers every request from the catalog, and says how it is to those who decide whether it is asked, restarted or
 * left alone. Limits of clients are the edge's.
 */
import type { Server } from "node:http";
import { JSON_TYPE } from "../api/responses.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { type ApiResponse, answerTarget } from "./answer.ts";
import { createHttpServer, isDraining, type ServerLimits, type ServerPorts } from "./http.ts";
import { ServerMetrics } from "./metrics.ts";

/** It lives: 200 as long as it answers at all. */
const HEALTH_PATH = "/healthz";
/** It is to be asked: its catalog can be read, is not too old, and it is not about to stop. */
const READY_PATH = "/readyz";

interface Readiness {
  readonly isDraining: boolean;
  /** Seconds since what is followed was last looked at with success. */
  readonly pollAgeSeconds: number;
  readonly mostPollAgeSeconds: number;
}

function response(status: number, said: object): ApiResponse {
  const headers = { "Content-Type": JSON_TYPE, "Cache-Control": "no-store" };
  return { status, headers, body: Buffer.from(JSON.stringify(said)), key: null, source: "none" };
}

function about(catalog: Catalog): object {
  return { release: catalog.digest.slice(0, 12), catalog_generated_at: catalog.generatedAt };
}

function healthResponse(catalog: Catalog): ApiResponse {
  return response(200, { status: "ok", ...about(catalog) });
}

/** 503 where others should be asked, and why. */
function readyResponse(
  catalog: Catalog,
  { isDraining, pollAgeSeconds, mostPollAgeSeconds }: Readiness,
  failed: (error: unknown, target: string) => void,
): ApiResponse {
  const facts = { ...about(catalog), poll_age_seconds: Math.round(pollAgeSeconds) };
  if (isDraining) return response(503, { status: "draining", ...facts });
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
  /** Seconds since what is followed was last looked at with success. */
  readonly pollAgeSeconds?: () => number;
  /** From what age of the last look on others should be asked. */
  readonly mostPollAgeSeconds?: number;
}

/** Makes the fallback's server over whatever catalog is current; it does not listen yet. */
export function createFallback(
  current: () => Catalog,
  ports: FallbackPorts,
  limits: Partial<ServerLimits> = {},
): Server {
  const { metrics = new ServerMetrics(), failed, targetHeader = false } = ports;
  const ready = () => ({
    isDraining: isDraining(server),
    pollAgeSeconds: ports.pollAgeSeconds?.() ?? 0,
    mostPollAgeSeconds: ports.mostPollAgeSeconds ?? Number.POSITIVE_INFINITY,
  });
  const answer = (target: string): ApiResponse => {
    if (target === HEALTH_PATH) return healthResponse(current());
    return target === READY_PATH
      ? readyResponse(current(), ready(), failed)
      : answerTarget(current(), target);
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
      config: () => current().config,
      limiter: null,
      trustProxy: false,
      ...(ports.mcp === undefined ? {} : { mcp: ports.mcp }),
    },
    limits,
  );
  server.on("connection", (socket) => {
    metrics.connection(1);
    socket.once("close", () => metrics.connection(-1));
  });
  return server;
}
