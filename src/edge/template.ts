/** What the files of all edges are written from: settings, templates with `{{NAMES}}`, and the values they share. */
import type { PublicConfig } from "../api/config.ts";
import { API_PATH } from "../api/endpoints.ts";
import { RATE_LIMIT } from "../api/errors.ts";
import { cacheControl, type Headers, TARGET_HEADER } from "../api/responses.ts";
import { VitrineError } from "../base/error.ts";
import { isAddress } from "../key/client.ts";

export interface EdgeSettings {
  readonly config: PublicConfig;
  /** Absolute path of the snapshot's files. */
  readonly site: string;
  /** `127.0.0.1:8081`, or at a CDN the fallback's public host name: one. */
  readonly fallbacks: readonly string[];
  /** Addresses to listen on for HTTP and for HTTPS: `8080`, `[::]:8080`, `127.0.0.1:8080`. */
  readonly listen: readonly string[];
  readonly listenTls: readonly string[];
  /** Networks whose X-Forwarded-For is believed. */
  readonly trusted: readonly string[];
  /** Networks whose requests are not counted. */
  readonly exempt: readonly string[];
  /** Absolute path of a PEM file with chain and key, for HTTPS and HTTP/2. */
  readonly certificate?: string | undefined;
  /** True where nginx has the module for brotli. */
  readonly brotli: boolean;
}

/** Gives a file below templates/edge. */
export type ReadTemplate = (name: string) => string;

export type Values = Readonly<Record<string, string>>;

/** A file to write: its path below the output folder, the template below templates/edge, and what is put into it. */
export interface EdgeFile {
  readonly name: string;
  readonly template: string;
  readonly values: Values;
}

/** Files that stand under the names of their templates. */
export function filesFrom(templates: string, names: readonly string[], values: Values): EdgeFile[] {
  return names.map((name) => ({ name, template: `${templates}/${name}`, values }));
}

/** Puts values into a template's `{{NAMES}}`. */
export function fillTemplate(template: string, values: Values): string {
  return template.replace(/\{\{([A-Z_]+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the template's {{${name}}} has no value`);
    return value;
  });
}

/** Texts as lines; the last one's end is the template's. */
export function block(indent: number, texts: readonly string[]): string {
  return texts.map((text) => " ".repeat(indent) + text).join("\n");
}

/** Lines that may be none, each with its end. */
export function lines(indent: number, texts: readonly string[]): string {
  return texts.length === 0 ? "" : `${block(indent, texts)}\n`;
}

/** A value in a configuration of nginx. */
export function quoted(value: string): string {
  return /^[\w-]+$/.test(value) ? value : `"${value}"`;
}

/** Headers but those that an edge sets in another way. */
export function headersWithout(
  headers: Headers,
  ...names: readonly string[]
): [name: string, value: string][] {
  return Object.entries(headers).filter(([name]) => !names.includes(name));
}

/** What files and READMEs of every edge may name. */
export function commonValues(settings: EdgeSettings): Record<string, string> {
  const { config, site, fallbacks } = settings;
  const cache = cacheControl(config.cache);
  return {
    SITE: site,
    FALLBACK: fallbacks.join(" and "),
    HOST: new URL(config.baseUrl).hostname,
    BASE_URL: config.baseUrl,
    PAGES: `${config.pages !== false}`,
    TARGET_HEADER,
    CACHE_CONTROL: cache.answer,
    ERROR_CACHE_CONTROL: cache.clientError,
    RATE_LIMIT: `${config.rateLimit.requests}`,
    RATE_WINDOW_SECONDS: `${RATE_LIMIT.windowSeconds}`,
  };
}

/**
 * CDNs route by host name, rewrites name paths from the root, and the key function knows no path in front of the API's.
 * @throws VitrineError config_invalid
 */
export function requireRoot(baseUrl: string, where = "at this edge"): void {
  if (new URL(baseUrl).pathname === API_PATH) return;
  throw new VitrineError(
    "config_invalid",
    `baseUrl is ${baseUrl}, but ${where} the API stands at the root of its host: use https://HOST${API_PATH}.`,
  );
}

/** What an edge takes: nginx addresses as in a `server` line, Cloudflare what stands in a URL, CloudFront a host name. */
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

function checkFallback(fallback: string, kind: FallbackKind): void {
  const scheme = /^[a-z]+:\/\//i.exec(fallback)?.[0];
  if (scheme !== undefined)
    throw new VitrineError(
      "usage",
      `--fallback ${fallback}: write it without ${scheme}, and without a path.`,
    );
  const { pattern, wanted } = TAKEN[kind];
  if (!pattern.test(fallback))
    throw new VitrineError(
      "usage",
      `--fallback ${fallback} is nothing that this edge can ask: give ${wanted}.`,
    );
  if (kind !== "server" && isAddress(fallback.replace(/:[0-9]+$/, ""))) {
    throw new VitrineError(
      "usage",
      `--fallback ${fallback}: a CDN asks a host name, not an IP address. Give ${wanted}.`,
    );
  }
}

/** @throws VitrineError usage */
export function checkFallbacks(fallbacks: readonly string[], kind: FallbackKind): void {
  const named = fallbacks.join(" ").trim();
  if (kind !== "server" && (fallbacks.length > 1 || /[,\s]/.test(named))) {
    throw new VitrineError(
      "usage",
      `--fallback names several addresses (${named}), but this edge is written for one. Give the host name of a load balancer in front of them.`,
    );
  }
  for (const fallback of fallbacks) checkFallback(fallback, kind);
}
