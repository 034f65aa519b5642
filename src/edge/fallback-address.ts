/** Which addresses of fallbacks an edge can be written with, and why not others. */
import { VitrineError } from "../base/error.ts";
import { isAddress } from "../key/client.ts";

/** What an edge takes: nginx and HAProxy addresses as in a `server` line, Cloudflare what stands in a URL, CloudFront a host name. */
type FallbackKind = "server" | "url" | "host";

const PORT = "(?::[0-9]{1,5})?";
const HOST = "[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?";
const TAKEN: Readonly<Record<FallbackKind, { readonly pattern: RegExp; readonly wanted: string }>> = {
  server: {
    pattern: new RegExp(`^(?:(?:${HOST}|\\[[0-9A-Fa-f:.]+\\])${PORT}|unix:/[A-Za-z0-9/._-]+)$`),
    wanted: "a host and port like 127.0.0.1:8081, or unix:/path/to/socket; several, one behind the other",
  },
  url: {
    pattern: new RegExp(`^${HOST}${PORT}$`),
    wanted: "its public host name like fallback.shop.example, with :PORT if it is not 443",
  },
  host: { pattern: new RegExp(`^${HOST}$`), wanted: "its public host name like fallback.shop.example" },
};

function refuse(text: string): never {
  throw new VitrineError("usage", text);
}

function checkFallback(fallback: string, kind: FallbackKind): void {
  const scheme = /^[a-z]+:\/\//i.exec(fallback)?.[0];
  if (scheme !== undefined) refuse(`--fallback ${fallback}: write it without ${scheme}, and without a path.`);
  const { pattern, wanted } = TAKEN[kind];
  if (!pattern.test(fallback))
    refuse(`--fallback ${fallback} is nothing that this edge can ask: give ${wanted}.`);
  if (kind !== "server" && isAddress(fallback.replace(/:[0-9]+$/, ""))) {
    refuse(`--fallback ${fallback}: a CDN asks a host name, not an IP address. Give ${wanted}.`);
  }
}

/** @throws VitrineError usage */
export function checkFallbacks(fallbacks: readonly string[], kind: FallbackKind): void {
  const named = fallbacks.join(" ").trim();
  if (kind !== "server" && (fallbacks.length > 1 || /[,\s]/.test(named))) {
    refuse(
      `--fallback names several addresses (${named}), but this edge is written for one. Give the host name of a load balancer in front of them.`,
    );
  }
  for (const fallback of fallbacks) checkFallback(fallback, kind);
}
