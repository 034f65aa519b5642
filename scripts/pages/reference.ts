/** The reference: Scalar's own files as they are, and around them the page that starts it in this project's colours. */
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { operationOf } from "../../src/api/envelope.ts";

const scalar = "node_modules/@scalar/api-reference";

/** Copies what a browser loads: the module, its chunks and its styles; no maps, nor the build in one file. */
export function copyScalar(target: string): void {
  mkdirSync(join(target, "chunks"), { recursive: true });
  const browser = join(scalar, "dist/browser");
  copyFileSync(join(browser, "standalone.esm.js"), join(target, "standalone.esm.js"));
  copyFileSync(join(scalar, "dist/style.css"), join(target, "style.css"));
  for (const name of readdirSync(join(browser, "chunks")))
    if (name.endsWith(".js")) copyFileSync(join(browser, "chunks", name), join(target, "chunks", name));
}

/** What the page says until the reference is there. */
export function endpointLines(): string {
  return ENDPOINTS.map(
    (endpoint) => `<li><code>GET /api/v1/${endpoint.path}</code> ${operationOf(endpoint).summary}</li>`,
  ).join("\n");
}
