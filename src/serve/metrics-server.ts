/** A server of its own for `/metrics`, so that no edge passes it on. */
import { createServer, type Server } from "node:http";
import { type Family, formatMetrics, METRICS_TYPES, type MetricsFormat } from "../base/metrics.ts";

/** A scraper that can read OpenMetrics says so. */
function formatFor(accept: string | undefined): MetricsFormat {
  return accept?.includes("application/openmetrics-text") === true ? "openmetrics" : "text";
}

/** Makes the server; it does not listen yet. */
export function createMetricsServer(families: () => readonly Family[] | Promise<readonly Family[]>): Server {
  const server = createServer({ keepAliveTimeout: 65_000 }, async (request, response) => {
    if (request.url !== "/metrics" || (request.method !== "GET" && request.method !== "HEAD")) {
      response.writeHead(404, { "Content-Type": "text/plain" }).end("Metrics are at /metrics.\n");
      return;
    }
    const format = formatFor(request.headers.accept);
    const text = formatMetrics(await families(), format);
    response.writeHead(200, { "Content-Type": METRICS_TYPES[format], "Cache-Control": "no-store" });
    response.end(request.method === "HEAD" ? undefined : text);
  });
  server.maxConnections = 16;
  return server;
}
