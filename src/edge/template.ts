/** What the files of all edges are made from: settings, templates with `{{NAMES}}`, and the values that they share. */
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
  /** `127.0.0.1:8081`; for a CDN exactly one, the fallback's public host name; none where the edge is the fallback itself. */
  readonly fallbacks: readonly string[];
  /** Addresses to listen on for HTTP and for HTTPS: `8080`, `[::]:8080`, `127.0.0.1:8080`. */
  readonly listen: readonly string[];
  readonly listenTls: readonly string[];
  /** Networks whose X-Forwarded-For is trusted. */
  readonly trusted: readonly string[];
  /** Networks whose requests do not count towards the rate limit. */
  readonly exempt: readonly string[];
  /** Absolute path of a PEM file with the chain and the key, for HTTPS and HTTP/2. */
  readonly certificate?: string | undefined;
  /** True if nginx has the brotli module. */
  readonly brotli: boolean;
  /** Cloudflare without a fallback's address: an object for each part of the world instead of one. */
  readonly regions?: boolean;
}

/** Returns a file below templates/edge. */
export type ReadTemplate = (name: string) => string;

export type TemplateValues = Readonly<Record<string, string>>;

/** A file to write: its path below the output folder, its template below templates/edge, and the values to fill in. */
export interface EdgeFile {
  readonly name: string;
  readonly template: string;
  readonly values: TemplateValues;
}

/** Files with the same names as their templates. */
export function filesFrom(templates: string, names: readonly string[], values: TemplateValues): EdgeFile[] {
  return names.map((name) => ({ name, template: `${templates}/${name}`, values }));
}

/** Fills a template's `{{NAMES}}` with values. */
export function fillTemplate(template: string, values: TemplateValues): string {
  return template.replace(/\{\{([A-Z_]+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the template's {{${name}}} has no value`);
    return value;
  });
}

/** Texts as lines, without a line end after the last one: the template has it. */
export function block(indent: number, texts: readonly string[]): string {
  return texts.map((text) => " ".repeat(indent) + text).join("\n");
}

/** Zero or more lines, each with its line end. */
export function lines(indent: number, texts: readonly string[]): string {
  return texts.length === 0 ? "" : `${block(indent, texts)}\n`;
}

/** A value as nginx's configuration spells it. */
export function quoted(value: string): string {
  return /^[\w-]+$/.test(value) ? value : `"${value}"`;
}

/** All headers except those that the edge sets in another way. */
export function headersWithout(
  headers: Headers,
  ...names: readonly string[]
): [name: string, value: string][] {
  return Object.entries(headers).filter(([name]) => !names.includes(name));
}

/** Values that the files and READMEs of every edge may use. */
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
    `baseUrl is ${baseUrl}, but ${where} the API is at the root of its host: use https://HOST${API_PATH}.`,
  );
}

/** Forms of a fallback's address: nginx takes what its `server` line takes, Cloudflare host and port of a URL, CloudFront a host name. */
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
      `--fallback ${fallback} is not an address that this edge can use: give ${wanted}.`,
    );
  if (kind !== "server" && isAddress(fallback.replace(/:[0-9]+$/, ""))) {
    throw new VitrineError(
      "usage",
      `--fallback ${fallback}: a CDN needs a host name, not an IP address. Give ${wanted}.`,
    );
  }
}

/** @throws VitrineError usage */
export function checkFallbacks(fallbacks: readonly string[], kind: FallbackKind): void {
  const named = fallbacks.join(" ").trim();
  if (kind !== "server" && (fallbacks.length > 1 || /[,\s]/.test(named))) {
    throw new VitrineError(
      "usage",
      `--fallback names several addresses (${named}), but this edge supports one. Give the host name of a load balancer in front of them.`,
    );
  }
  for (const fallback of fallbacks) checkFallback(fallback, kind);
}
