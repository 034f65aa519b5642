/** The files of `vitrine edge nginx` as data. */
import { RATE_LIMIT } from "../../api/errors.ts";
import {
  cacheControl,
  type FixedResponse,
  JSON_TYPE,
  notAllowedResponse,
  plainHttpResponse,
  preflightResponse,
  rateLimitedResponse,
  standardError,
  successHeaders,
  tooLongResponse,
} from "../../api/responses.ts";
import { VitrineError } from "../../base/error.ts";
import { isAddress } from "../../key/client.ts";
import {
  block,
  checkFallbacks,
  commonValues,
  type EdgeFile,
  type EdgeSettings,
  filesFrom,
  headersWithout,
  lines,
  quoted,
  type TemplateValues,
} from "../template.ts";

/** @throws VitrineError usage */
export function nginxFiles(given: EdgeSettings): EdgeFile[] {
  // A fallback prints its own address as http://127.0.0.1:8081.
  const fallbacks = given.fallbacks.map((address) => address.replace(/^http:\/\//, ""));
  const names = ["nginx.conf", "vitrine.conf", "vitrine-key.js", "README.md"];
  return filesFrom("nginx", names, valuesOf({ ...given, fallbacks }));
}

/** @throws VitrineError usage */
function valuesOf(settings: EdgeSettings): TemplateValues {
  if (/["$\\\n]/.test(settings.site)) {
    throw new VitrineError(
      "usage",
      `nginx can't take the path ${settings.site}: use one without quotes or $.`,
    );
  }
  checkFallbacks(settings.fallbacks, "server");
  const { cache, rateLimit } = settings.config;
  return {
    ...commonValues(settings),
    ...responseValues(settings),
    LISTEN: block(4, listenLines(settings)),
    UPSTREAM: block(4, upstreamLines(settings.fallbacks)),
    BROTLI: lines(4, settings.brotli ? BROTLI : []),
    BROTLI_MODULES: lines(0, settings.brotli ? BROTLI_MODULES : []),
    TRUSTED: lines(4, trustLines(settings.trusted)),
    EXEMPT: lines(0, exemptLines(settings.exempt)),
    TRUSTED_CLIENTS: lines(0, trustedClientLines(settings.trusted)),
    LIMITED: settings.exempt.length === 0 ? "vitrine_client" : "vitrine_limited",
    BURST: `${rateLimit.requests - 1}`,
    FILE_HEADERS: fileHeaders(settings),
    // An answer without stale-if-error is still stored for its lifetime.
    STALE_SECONDS: `${Math.max(cache.staleIfErrorSeconds, cache.sharedMaxAgeSeconds, 1)}`,
  };
}

/** Uses the older form of `http2`, which all versions of nginx accept. */
function listenLines({ listen, listenTls, certificate }: EdgeSettings): string[] {
  const plain = listen.map((address) => `listen ${address};`);
  if (certificate === undefined) return plain;
  return [
    ...plain,
    ...listenTls.map((address) => `listen ${address} ssl http2;`),
    `ssl_certificate ${quoted(certificate)};`,
    `ssl_certificate_key ${quoted(certificate)};`,
    "ssl_protocols TLSv1.2 TLSv1.3;",
    "ssl_ciphers ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305;",
    "ssl_prefer_server_ciphers off;",
    "ssl_session_cache shared:vitrine_tls:10m;",
    "ssl_session_timeout 1d;",
    "ssl_session_tickets off;",
  ];
}

/**
 * The fallbacks that answer misses. The last line is never asked: with it nginx counts the failures of a single fallback,
 * too, and refuses at once while no fallback is available.
 */
function upstreamLines(fallbacks: readonly string[]): string[] {
  const rules = "max_fails=3 fail_timeout=2s max_conns=64";
  return [...fallbacks.map((address) => `server ${address} ${rules};`), "server 127.0.0.1:9 down;"];
}

const BROTLI = [
  "brotli on;",
  "brotli_static on;",
  "brotli_types application/json text/javascript;",
  "brotli_min_length 1024;",
  "brotli_comp_level 4;",
];

const BROTLI_MODULES = ["filter", "static"].map(
  (part) => `load_module /usr/lib/nginx/modules/ngx_http_brotli_${part}_module.so;`,
);

/** nginx trusts X-Forwarded-For only from the networks listed here. */
function trustLines(trusted: readonly string[]): string[] {
  if (trusted.length === 0) return [];
  const from = trusted.map((network) => `set_real_ip_from ${network};`);
  return ["", ...from, "real_ip_header X-Forwarded-For;", "real_ip_recursive on;"];
}

/** For the log's advice: whether the counted address is trusted, too. `geo` takes networks only, `set_real_ip_from` names, `unix:` and zones as well. */
function trustedClientLines(trusted: readonly string[]): string[] {
  const networks = trusted
    .filter((network) => isAddress(network.replace(/\/\d+$/, "")))
    .map((network) => network.replace(/%[^/]+/, ""));
  if (networks.length === 0) return [];
  return ["geo $vitrine_trusted {", "    default 0;", ...networks.map((network) => `    ${network} 1;`), "}"];
}

/** Networks that are exempt from the rate limit: nginx does not count requests with an empty key. */
function exemptLines(networks: readonly string[]): string[] {
  if (networks.length === 0) return [];
  return [
    "geo $vitrine_exempt {",
    "    default 0;",
    ...networks.map((network) => `    ${network} 1;`),
    "}",
    "map $vitrine_exempt $vitrine_limited {",
    "    0 $vitrine_client;",
    '    1 "";',
    "}",
  ];
}

/** Headers of a file, except those that nginx sets: the type and the ETag. */
function fileHeaders(settings: EdgeSettings): string {
  const headers = successHeaders(JSON_TYPE, cacheControl(settings.config.cache).answer, "");
  const added = headersWithout(headers, "Content-Type", "ETag");
  return block(
    8,
    added.map(([name, value]) => `add_header ${name} ${quoted(value)};`),
  );
}

/** A response as directives; its type is the server's default. */
function returned({ status, headers, body }: FixedResponse, indent = 8): string {
  const added = headersWithout(headers, "Content-Type").map(
    ([name, value]) => `add_header ${name} ${quoted(value)} always;`,
  );
  return block(indent, [...added, body === "" ? `return ${status};` : `return ${status} '${body}';`]);
}

/** The responses that nginx makes itself. */
function responseValues(settings: EdgeSettings): TemplateValues {
  const cache = cacheControl(settings.config.cache).clientError;
  const { requests } = settings.config.rateLimit;
  const secondsPerRequest = Math.ceil(RATE_LIMIT.windowSeconds / requests);
  return {
    BAD_REQUEST: returned(standardError("invalid_parameter", cache)),
    PREFLIGHT: returned(preflightResponse(), 12),
    OTHER_METHOD: returned(notAllowedResponse("$request_method", cache)),
    PLAIN_HTTP: returned(plainHttpResponse(cache)),
    TOO_LONG: returned(tooLongResponse(cache)),
    OTHER_ANSWER: returned(standardError("precondition_failed", cache)),
    RATE_LIMITED: returned(rateLimitedResponse(`${requests}`, `${secondsPerRequest}`)),
    FAILED: returned(standardError("internal_error", cache)),
    UNAVAILABLE: returned(standardError("service_unavailable", cache)),
  };
}
