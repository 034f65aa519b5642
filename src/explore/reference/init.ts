/** Starts the reference on the document that stands beside it. Everything that would ask another host is off. */
// @ts-expect-error Scalar's bundle stands beside this one, and has no types there
import { createApiReference } from "./scalar/standalone.esm.js";

const base = new URL("../api/v1", location.href.replace(/[?#].*/s, "")).href;

createApiReference("#app", {
  url: `${base}/openapi.json`,
  servers: [{ url: base }],
  theme: "none",
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  hideTestRequestButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: "json",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
});
