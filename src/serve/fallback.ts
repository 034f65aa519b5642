/** The fallback: answers every request from the catalog, and says at /healthz how it is. Limits are the edge's. */
import type { Server } from "node:http";
import { JSON_TYPE } from "../api/responses.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { type ApiResponse, answerTarget } from "./answer.ts";
import { createHttpServer, type ServerLimits, type ServerPorts } from "./http.ts";

const HEALTH_PATH = "/healthz";

/** 200 where the catalog answers a query now, else 503: a balancer then asks another server. */
function healthResponse(catalog: Catalog, failed: ServerPorts["failed"]): ApiResponse {
  const headers = { "Content-Type": JSON_TYPE, "Cache-Control": "no-store" };
  const response = (status: number, health: object): ApiResponse => {
    return { status, headers, body: Buffer.from(JSON.stringify(health)), key: null, source: "none" };
  };
  const about = { release: catalog.digest.slice(0, 12), catalog_generated_at: catalog.generatedAt };
  try {
    catalog.probe();
    return response(200, { status: "ok", ...about });
  } catch (error) {
    failed(error, HEALTH_PATH);
    return response(503, { status: "catalog_unreadable", ...about });
  }
}

/** Makes the fallback's server over whatever catalog is current; it does not listen yet. */
export function createFallback(
  current: () => Catalog,
  ports: Pick<ServerPorts, "access" | "failed" | "targetHeader">,
  limits: Partial<ServerLimits> = {},
): Server {
  const answer = (target: string) =>
    target === HEALTH_PATH ? healthResponse(current(), ports.failed) : answerTarget(current(), target);
  const config = () => current().config;
  return createHttpServer({ ...ports, answer, config, limiter: null, trustProxy: false }, limits);
}
