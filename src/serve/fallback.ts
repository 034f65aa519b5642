/** The fallback: answers every request from the catalog, and says how it is. Limits of clients are the edge's. */
import type { Server } from "node:http";
import type { Catalog } from "../catalog/catalog.ts";
import { type ApiResponse, answerTarget } from "./answer.ts";
import { HEALTH_PATH, healthResponse, READY_PATH, readyResponse } from "./health.ts";
import { createHttpServer, isDraining, type ServerLimits, type ServerPorts } from "./http.ts";
import { ServerMetrics } from "./server-metrics.ts";

export interface FallbackPorts extends Pick<ServerPorts, "access" | "failed" | "targetHeader"> {
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
      ...{ answer, access, failed, targetHeader, urgent: [HEALTH_PATH, READY_PATH] },
      shed: () => metrics.shed(),
      closed: (reason) => metrics.closed(reason),
      config: () => current().config,
      limiter: null,
      trustProxy: false,
    },
    limits,
  );
  server.on("connection", (socket) => {
    metrics.connection(1);
    socket.once("close", () => metrics.connection(-1));
  });
  return server;
}
