/** What `vitrine edge` writes, as data: templates/edge filled from the configuration. */
import { dirname } from "node:path/posix";
import { cacheControl } from "../api/cache-control.ts";
import type { PublicConfig } from "../api/config.ts";
import { API_PATH, ASSETS, MAX_TARGET_BYTES } from "../api/endpoints.ts";
import { type ApiErrorCode, RATE_LIMIT } from "../api/errors.ts";
import {
  ALLOWED_METHODS,
  EXPOSED_HEADERS,
  methodMessage,
  TARGET_HEADER,
  UNAVAILABLE_MESSAGE,
  UNAVAILABLE_RETRY_SECONDS,
} from "../api/http.ts";
import { VitrineError } from "../base/error.ts";
import { checkFallback } from "./edge-fallback.ts";
import { nginxMaps } from "./nginx-map.ts";

export const EDGES = ["nginx", "haproxy", "cloudflare", "cloudfront"] as const;
export type Edge = (typeof EDGES)[number];

export interface EdgeSettings {
  readonly config: PublicConfig;
  /** Absolute path of the snapshot's files. */
  readonly site: string;
  /** `127.0.0.1:8081`, or at a CDN the fallback's public host name. */
  readonly fallback: string;
  /** Addresses to listen on: `8080`, `[::]:8080`, `127.0.0.1:8080`. */
  readonly listen: readonly string[];
  /** Networks whose X-Forwarded-For is believed. */
  readonly trusted: readonly string[];
}

/** A file to write: its path below the output folder, the template below templates/edge, and what is put into it. */
interface EdgeFile {
  readonly name: string;
  readonly template: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Puts values into a template's `{{NAMES}}`. */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{([A-Z_]+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the template's {{${name}}} has no value`);
    return value;
  });
}

function errorBody(code: ApiErrorCode, message: string): string {
  return JSON.stringify({ success: false, error: { code, message } });
}

/** What every edge says in the same words. */
function commonValues({ config, site, fallback }: EdgeSettings): Record<string, string> {
  const cache = cacheControl(config);
  return {
    SITE: site,
    FALLBACK: fallback,
    ALLOWED_METHODS,
    EXPOSED_HEADERS,
    TARGET_HEADER,
    CACHE_CONTROL: cache.answer,
    ERROR_CACHE_CONTROL: cache.clientError,
    STALE_IF_ERROR_SECONDS: String(config.cache.staleIfErrorSeconds),
    SHARED_MAX_AGE_SECONDS: String(config.cache.sharedMaxAgeSeconds),
    ERROR_MAX_AGE_SECONDS: String(config.cache.errorMaxAgeSeconds),
    RATE_LIMIT: String(config.rateLimit.requests),
    RATE_WINDOW_SECONDS: String(RATE_LIMIT.windowSeconds),
    SECONDS_PER_REQUEST: String(Math.ceil(RATE_LIMIT.windowSeconds / config.rateLimit.requests)),
    RATE_CLIENTS: String(Math.floor(HAPROXY_TIMES / config.rateLimit.requests)),
    UNAVAILABLE_RETRY_SECONDS: String(UNAVAILABLE_RETRY_SECONDS),
    RATE_LIMITED_BODY: errorBody("rate_limited", RATE_LIMIT.message),
    UNAVAILABLE_BODY: errorBody("service_unavailable", UNAVAILABLE_MESSAGE),
    FAILED_BODY: errorBody("internal_error", "The server failed. Please try again later."),
    BAD_REQUEST_BODY: errorBody("invalid_parameter", "The request is not HTTP that this server can read."),
    TOO_LONG_BODY: errorBody("uri_too_long", `The address is longer than ${MAX_TARGET_BYTES} bytes.`),
  };
}

function lines(indent: string, texts: readonly string[]): string {
  return texts.map((text) => `${indent}${text}\n`).join("");
}

const ERROR_HEADERS = [
  "add_header X-Content-Type-Options nosniff always;",
  'add_header Access-Control-Allow-Origin "*" always;',
  `add_header Access-Control-Expose-Headers "${EXPOSED_HEADERS}" always;`,
];

function fileHeaders(config: PublicConfig): string[] {
  return [
    "add_header X-Content-Type-Options nosniff;",
    'add_header Access-Control-Allow-Origin "*";',
    `add_header Access-Control-Expose-Headers "${EXPOSED_HEADERS}";`,
    `add_header Cache-Control "${cacheControl(config).answer}";`,
    "add_header Vary Accept-Encoding;",
  ];
}

const LIMIT_ZONE = (
  requests: number,
) => `# --- The limit -------------------------------------------------------------------------------------------------------
# An IPv4 address as it is; of an IPv6 address the /64 that one customer has, cut from its 16 bytes.
map $binary_remote_addr $vitrine_client {
    default $binary_remote_addr;
    "~(?s)^(?<vitrine_network>.{8}).{8}\\z" $vitrine_network;
}
limit_req_zone $vitrine_client zone=vitrine_clients:10m rate=${requests}r/m;
`;

const LIMIT = (requests: number) => [
  "",
  "# Before everything else that answers, so that errors, 304s and other methods are counted like files.",
  `limit_req zone=vitrine_clients burst=${requests - 1} nodelay;`,
  "limit_req_status 429;",
  "limit_req_log_level info;",
];

/** nginx believes X-Forwarded-For only of networks that are named. */
function trustLines(trusted: readonly string[]): string[] {
  if (trusted.length === 0) return [];
  const from = trusted.map((network) => `set_real_ip_from ${network};`);
  return ["", ...from, "real_ip_header X-Forwarded-For;", "real_ip_recursive on;"];
}

function nginxFiles(settings: EdgeSettings, folder: string, limited: boolean): EdgeFile[] {
  if (/["$\\\n]/.test(settings.site)) {
    throw new VitrineError(
      "usage",
      `nginx can't take the path ${settings.site}: use one without quotes or $.`,
    );
  }
  const { requests } = settings.config.rateLimit;
  checkFallback(settings.fallback, "server");
  const values = {
    ...commonValues(settings),
    MAPS: nginxMaps(),
    LISTEN: lines(
      "    ",
      settings.listen.map((address) => `listen ${address};`),
    ).trimEnd(),
    TRUSTED: lines("    ", limited ? trustLines(settings.trusted) : []),
    LIMIT_ZONE: limited ? LIMIT_ZONE(requests) : "",
    LIMIT: lines("    ", limited ? LIMIT(requests) : []),
    ERROR_HEADERS: lines("        ", ERROR_HEADERS).trimEnd(),
    FILE_HEADERS: lines("        ", fileHeaders(settings.config)).trimEnd(),
    METHOD_BODY: errorBody("method_not_allowed", methodMessage("$request_method")),
  };
  return ["nginx.conf", "vitrine.conf", "vitrine-key.js"].map((name) => ({
    name: folder + name,
    template: `nginx/${name}`,
    values,
  }));
}

/** HAProxy wants a host before every port, and to be told that an IPv6 address takes no IPv4. */
function bindLine(address: string): string {
  if (/^[0-9]+$/.test(address)) return `bind *:${address}`;
  return address.startsWith("[") ? `bind ${address} v6only` : `bind ${address}`;
}

const HAPROXY_ERRORS: readonly (readonly [status: number, body: string, headers: string])[] = [
  [400, "BAD_REQUEST_BODY", "hdr Cache-Control {{ERROR_CACHE_CONTROL_QUOTED}}"],
  [408, "BAD_REQUEST_BODY", "hdr Cache-Control {{ERROR_CACHE_CONTROL_QUOTED}}"],
  [500, "FAILED_BODY", "hdr Cache-Control no-store"],
  [502, "UNAVAILABLE_BODY", "hdr Cache-Control no-store hdr Retry-After {{UNAVAILABLE_RETRY_SECONDS}}"],
  [503, "UNAVAILABLE_BODY", "hdr Cache-Control no-store hdr Retry-After {{UNAVAILABLE_RETRY_SECONDS}}"],
  [504, "UNAVAILABLE_BODY", "hdr Cache-Control no-store hdr Retry-After {{UNAVAILABLE_RETRY_SECONDS}}"],
];

function haproxyFiles(settings: EdgeSettings): EdgeFile[] {
  const { listen, trusted } = settings;
  const common = {
    ...commonValues(settings),
    ERROR_CACHE_CONTROL_QUOTED: `"${cacheControl(settings.config).clientError}"`,
  };
  const errors = HAPROXY_ERRORS.map(([status, body, headers]) =>
    fillTemplate(`http-error status ${status} {{HEADERS}} ${headers} string '{{${body}}}'`, {
      ...common,
      HEADERS: HAPROXY_HEADERS,
    }),
  );
  const believed = `http-request set-var(txn.client) req.hdr_ip(x-forwarded-for,-1) if { src ${trusted.join(" ")} }`;
  const values = {
    ...common,
    ERRORS: lines("    ", errors).trimEnd(),
    HEADERS: HAPROXY_HEADERS,
    BIND: lines("    ", listen.map(bindLine)).trimEnd(),
    TRUSTED: lines("    ", trusted.length === 0 ? [] : [believed]),
    NGINX: NGINX_BEHIND_HAPROXY,
  };
  return [
    ...["haproxy.cfg", "vitrine-limit.lua"].map((name) => ({ name, template: `haproxy/${name}`, values })),
    ...nginxFiles({ ...settings, listen: [NGINX_BEHIND_HAPROXY] }, "nginx/", false),
  ];
}

/** Times of requests that one window's clients may fill at HAProxy: what bounds how many of them it tells apart. */
const HAPROXY_TIMES = 12_000_000;
const NGINX_BEHIND_HAPROXY = "127.0.0.1:8082";
const HAPROXY_HEADERS =
  'content-type "application/json; charset=utf-8" hdr X-Content-Type-Options nosniff ' +
  `hdr Access-Control-Allow-Origin "*" hdr Access-Control-Expose-Headers "${EXPOSED_HEADERS}"`;

/** CDNs route by host name, and the key function knows no path in front of /api/v1. */
function hostOf({ config }: EdgeSettings): string {
  const { hostname, pathname } = new URL(config.baseUrl);
  if (pathname === "/api/v1") return hostname;
  throw new VitrineError(
    "config_invalid",
    `baseUrl is ${config.baseUrl}, but at this edge the API stands at the root of its host: use https://HOST/api/v1.`,
  );
}

function cloudflareFiles(settings: EdgeSettings): EdgeFile[] {
  const host = hostOf(settings);
  checkFallback(settings.fallback, "url");
  // Right for most; a zone below a public suffix such as co.uk has one label more.
  const values = { ...commonValues(settings), HOST: host, ZONE: host.split(".").slice(-2).join(".") };
  return ["worker.js", "wrangler.jsonc", "cache-rules.json"].map((name) => ({
    name,
    template: `cloudflare/${name}`,
    values,
  }));
}

function indented(text: string, indent: string): string {
  return text.trimEnd().replaceAll("\n", `\n${indent}`);
}

/** Headers that the firewall's own answers need: response policies don't touch them. */
const WAF_HEADERS = [
  ["X-Content-Type-Options", "nosniff"],
  ["Access-Control-Allow-Origin", "*"],
  ["Access-Control-Expose-Headers", EXPOSED_HEADERS],
].flatMap(([name, value]) => [`- Name: ${name}`, `  Value: "${value}"`]);

function wafMethod(method: string): string[] {
  return [
    "- ByteMatchStatement:",
    "    FieldToMatch:",
    "      Method: {}",
    "    PositionalConstraint: EXACTLY",
    `    SearchString: ${method}`,
    "    TextTransformations:",
    "      - Priority: 0",
    "        Type: NONE",
  ];
}

/** Where answers stand in a bucket: what an edge may read of it. `api/v1/*`, `widgets/*` */
const SITE_KEYS = [API_PATH.slice(1), ...ASSETS.map((asset) => dirname(asset))].map(
  (folder) => `${folder}/*`,
);

function cloudFrontFiles(settings: EdgeSettings, readTemplate: (name: string) => string): EdgeFile[] {
  checkFallback(settings.fallback, "host");
  const values = {
    ...commonValues(settings),
    HOST: hostOf(settings),
    SITE_RESOURCES: lines(
      " ".repeat(14),
      SITE_KEYS.map((keys) => `- !Sub "arn:\${AWS::Partition}:s3:::\${SiteBucket}/${keys}"`),
    ).trimEnd(),
    WAF_HEADERS: lines(" ".repeat(18), WAF_HEADERS).trimEnd(),
    WAF_METHODS: lines(" ".repeat(20), ALLOWED_METHODS.split(", ").flatMap(wafMethod)).trimEnd(),
    METHOD_BODY: errorBody("method_not_allowed", methodMessage("This method")),
    FUNCTION_CODE: indented(readTemplate("aws/function.js"), "        "),
  };
  return [{ name: "template.yaml", template: "aws/template.yaml", values }];
}

const README_FOLDERS: Readonly<Record<Edge, string>> = {
  nginx: "nginx",
  haproxy: "haproxy",
  cloudflare: "cloudflare",
  cloudfront: "aws",
};

/** All files of an edge, as paths and texts. `readTemplate` gives a file below templates/edge. */
export function planEdge(
  edge: Edge,
  settings: EdgeSettings,
  readTemplate: (name: string) => string,
): { name: string; text: string }[] {
  const files: Readonly<Record<Edge, () => EdgeFile[]>> = {
    nginx: () => nginxFiles(settings, "", true),
    haproxy: () => haproxyFiles(settings),
    cloudflare: () => cloudflareFiles(settings),
    cloudfront: () => cloudFrontFiles(settings, readTemplate),
  };
  const readme: EdgeFile = {
    name: "README.md",
    template: `${README_FOLDERS[edge]}/README.md`,
    values: { ...commonValues(settings), HOST: new URL(settings.config.baseUrl).hostname },
  };
  return [...files[edge](), readme].map(({ name, template, values }) => ({
    name,
    text: fillTemplate(readTemplate(template), values),
  }));
}
