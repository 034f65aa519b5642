/** The fallback: answers every request from the catalog, and says at /healthz how it is. Limits are the edge's. */
import type { Server } from "node:http";
import type { Catalog } from "../catalog/catalog.ts";
import { type Answer, answerTarget } from "./answer.ts";
import { createHttpServer, type ServerPorts } from "./http.ts";

function healthAnswer(catalog: Catalog): Answer {
  const health = {
    status: "ok",
    release: catalog.digest.slice(0, 12),
    catalog_generated_at: catalog.generatedAt,
  };
  return {
    status: 200,
    headers: { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" },
    body: Buffer.from(JSON.stringify(health)),
    key: null,
    source: "none",
  };
}

/** Makes the fallback's server over whatever catalog is current; it does not listen yet. */
export function createFallback(
  current: () => Catalog,
  ports: Pick<ServerPorts, "access" | "failed" | "targetHeader">,
): Server {
  return createHttpServer({
    ...ports,
    answer: (target) => (target === "/healthz" ? healthAnswer(current()) : answerTarget(current(), target)),
    config: () => current().config,
    limiter: null,
    trustProxy: false,
  });
}
