/** What `vitrine edge nginx` writes, as data. */
import { RATE_LIMIT } from "../../api/errors.ts";
import {
  cacheControl,
  type FixedResponse,
  JSON_TYPE,
  notAllowedResponse,
  preflightResponse,
  rateLimitedResponse,
  standardError,
  successHeaders,
  tooLongResponse,
} from "../../api/responses.ts";
import { VitrineError } from "../../base/error.ts";
import { checkFallback } from "../fallback-address.ts";
import {
  block,
  commonValues,
  type EdgeFile,
  type EdgeSettings,
  filesFrom,
  headersWithout,
  lines,
  quoted,
  type Values,
} from "../template.ts";
import { nginxMaps } from "./maps.ts";

const LIMIT_ZONE = (
  requests: number,
) => `# --- The limit -------------------------------------------------------------------------------------------------------
# An IPv4 address as it is, also where IPv6 carries it; of an IPv6 address the /64 that one customer has.
map $binary_remote_addr $vitrine_client {
    default $binary_remote_addr;
    "~(?s)^\\x00{10}\\xff\\xff(?<vitrine_ipv4>.{4})\\z" $vitrine_ipv4;
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

/** A response as directives; its type is the default of the server. */
function returned({ status, headers, body }: FixedResponse, indent = 8): string {
  const added = headersWithout(headers, "Content-Type").map(
    ([name, value]) => `add_header ${name} ${quoted(value)} always;`,
  );
  return block(indent, [...added, body === "" ? `return ${status};` : `return ${status} '${body}';`]);
}

/** The responses that nginx gives itself. */
function responseValues(settings: EdgeSettings): Values {
  const cache = cacheControl(settings.config.cache).clientError;
  const { requests } = settings.config.rateLimit;
  const secondsPerRequest = Math.ceil(RATE_LIMIT.windowSeconds / requests);
  return {
    BAD_REQUEST: returned(standardError("invalid_parameter", cache)),
    PREFLIGHT: returned(preflightResponse(), 12),
    OTHER_METHOD: returned(notAllowedResponse("$request_method", cache)),
    TOO_LONG: returned(tooLongResponse(cache)),
    RATE_LIMITED: returned(rateLimitedResponse(`${requests}`, `${secondsPerRequest}`)),
    FAILED: returned(standardError("internal_error", cache)),
    UNAVAILABLE: returned(standardError("service_unavailable", cache)),
  };
}

/** Of a file; nginx knows its type and makes its ETag. */
function fileHeaders(settings: EdgeSettings): string {
  const headers = successHeaders(JSON_TYPE, cacheControl(settings.config.cache).answer, "");
  const added = headersWithout(headers, "Content-Type", "ETag");
  return block(
    8,
    added.map(([name, value]) => `add_header ${name} ${quoted(value)};`),
  );
}

/** @throws VitrineError usage */
function valuesOf(settings: EdgeSettings, limited: boolean): Values {
  if (/["$\\\n]/.test(settings.site)) {
    throw new VitrineError(
      "usage",
      `nginx can't take the path ${settings.site}: use one without quotes or $.`,
    );
  }
  checkFallback(settings.fallback, "server");
  const { cache, rateLimit } = settings.config;
  const listen = settings.listen.map((address) => `listen ${address};`);
  return {
    ...commonValues(settings),
    ...responseValues(settings),
    MAPS: nginxMaps(),
    LISTEN: block(4, listen),
    TRUSTED: lines(4, limited ? trustLines(settings.trusted) : []),
    LIMIT_ZONE: limited ? LIMIT_ZONE(rateLimit.requests) : "",
    LIMIT: lines(4, limited ? LIMIT(rateLimit.requests) : []),
    FILE_HEADERS: fileHeaders(settings),
    STALE_IF_ERROR_SECONDS: `${cache.staleIfErrorSeconds}`,
  };
}

const SERVER_FILES = ["nginx.conf", "vitrine.conf", "vitrine-key.js"];

/** @throws VitrineError usage */
export function nginxFiles(settings: EdgeSettings): EdgeFile[] {
  return filesFrom("nginx", [...SERVER_FILES, "README.md"], valuesOf(settings, true));
}

/** nginx behind another edge, which counts: no limit, and nobody's X-Forwarded-For is read. @throws VitrineError usage */
export function uncountedNginxFiles(folder: string, settings: EdgeSettings): EdgeFile[] {
  return filesFrom("nginx", SERVER_FILES, valuesOf(settings, false), folder);
}
