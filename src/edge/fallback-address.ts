/** Which address of the fallback an edge can be written with, and why not another. */
import { VitrineError } from "../base/error.ts";
import { isAddress } from "../key/client.ts";

/** What an edge takes: nginx an address as in its `server` line, Cloudflare what stands in a URL, CloudFront a host name. */
type FallbackKind = "server" | "url" | "host";

const PORT = "(?::[0-9]{1,5})?";
const HOST = "[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?";
const TAKEN: Readonly<Record<FallbackKind, { readonly pattern: RegExp; readonly wanted: string }>> = {
  server: {
    pattern: new RegExp(`^(?:(?:${HOST}|\\[[0-9A-Fa-f:.]+\\])${PORT}|unix:/[A-Za-z0-9/._-]+)$`),
    wanted: "a host and port like 127.0.0.1:8081, or unix:/path/to/socket",
  },
  url: {
    pattern: new RegExp(`^${HOST}${PORT}$`),
    wanted: "its public host name like fallback.shop.example, with :PORT if it is not 443",
  },
  host: { pattern: new RegExp(`^${HOST}$`), wanted: "its public host name like fallback.shop.example" },
};

const BALANCER: Readonly<Record<FallbackKind, string>> = {
  server:
    "Give the address of a load balancer in front of them, or one host name whose DNS records name them all: " +
    "nginx looks it up when it starts and asks them in turn",
  url: "Give the host name of a load balancer in front of them",
  host: "Give the host name of a load balancer in front of them",
};

function refuse(text: string): never {
  throw new VitrineError("usage", text);
}

/** @throws VitrineError usage */
export function checkFallback(fallback: string, kind: FallbackKind): void {
  if (/[,\s]/.test(fallback.trim())) {
    refuse(
      `--fallback names several addresses (${fallback}), but this edge is written for one. ${BALANCER[kind]}.`,
    );
  }
  const scheme = /^[a-z]+:\/\//i.exec(fallback)?.[0];
  if (scheme !== undefined) refuse(`--fallback ${fallback}: write it without ${scheme}, and without a path.`);
  const { pattern, wanted } = TAKEN[kind];
  if (!pattern.test(fallback))
    refuse(`--fallback ${fallback} is nothing that this edge can ask: give ${wanted}.`);
  if (kind !== "server" && isAddress(fallback.replace(/:[0-9]+$/, ""))) {
    refuse(`--fallback ${fallback}: a CDN asks a host name, not an IP address. Give ${wanted}.`);
  }
}
