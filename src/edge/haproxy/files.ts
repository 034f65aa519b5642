/** What `vitrine edge haproxy` writes, as data: HAProxy counts, nginx behind it answers. */
import { cacheControl, type FixedResponse, rateLimitedResponse, standardError } from "../../api/responses.ts";
import { innerNginxFiles, REFUSING } from "../nginx/files.ts";
import {
  block,
  commonValues,
  type EdgeFile,
  type EdgeSettings,
  filesFrom,
  headersWithout,
  lines,
  quoted,
} from "../template.ts";

/** Times of requests that one window's clients may fill: this bounds how many clients are tracked. */
const MAX_TIMES = 12_000_000;
const NGINX = "127.0.0.1:8082";
/** Where nginx asks for what has no file. */
const BALANCER = "127.0.0.1:8084";

/** HAProxy wants a host before every port, and to be told that an IPv6 address takes no IPv4. */
function bindLine(address: string, certificate: string | undefined): string {
  const tls = certificate === undefined ? "" : ` ssl crt ${quoted(certificate)} alpn h2,http/1.1`;
  if (/^[0-9]+$/.test(address)) return `bind *:${address}${tls}`;
  return `bind ${address}${address.startsWith("[") ? " v6only" : ""}${tls}`;
}

/** HAProxy wants a port behind each host, and another word before a socket. */
function serverLine(address: string, at: number): string {
  const isWhole = address.startsWith("unix:") || /:[0-9]+$/.test(address.replace(/^\[.*\]/, ""));
  return `server fallback${at + 1} ${isWhole ? address.replace(/^unix:/, "unix@") : `${address}:80`}`;
}

/** A response as the arguments of a rule that gives it. */
function returned({ headers, body }: FixedResponse): string {
  const added = headersWithout(headers, "Content-Type").map(
    ([name, value]) => `hdr ${name} ${quoted(value)}`,
  );
  return `content-type "${headers["Content-Type"]}" ${added.join(" ")} string '${body}'`;
}

/** What HAProxy says by itself, by its own status. */
function errorLines(settings: EdgeSettings): string[] {
  const cache = cacheControl(settings.config.cache).clientError;
  const errors = {
    400: "invalid_parameter",
    408: "request_timeout",
    500: "internal_error",
    502: "service_unavailable",
    503: "service_unavailable",
    504: "service_unavailable",
  } as const;
  return Object.entries(errors).map(
    ([status, code]) => `http-error status ${status} ${returned(standardError(code, cache))}`,
  );
}

/** @throws VitrineError usage */
export function haproxyFiles(settings: EdgeSettings): EdgeFile[] {
  const { config, listen, trusted, exempt, certificate, fallbacks } = settings;
  const { requests } = config.rateLimit;
  const believed = `http-request set-var(txn.client) req.hdr_ip(x-forwarded-for,-1) if { src ${trusted.join(" ")} }`;
  const values = {
    ...commonValues(settings),
    ERRORS: block(4, errorLines(settings)),
    RATE_LIMITED: returned(rateLimitedResponse(`${requests}`, "%[var(txn.wait)]")),
    RATE_CLIENTS: `${Math.floor(MAX_TIMES / requests)}`,
    BIND: block(
      4,
      listen.map((address) => bindLine(address, certificate)),
    ),
    UNLESS_EXEMPT: exempt.length === 0 ? "" : ` unless { var(txn.client) -m ip ${exempt.join(" ")} }`,
    SERVERS: block(4, fallbacks.map(serverLine)),
    BALANCER,
    TRUSTED: lines(4, trusted.length === 0 ? [] : [believed]),
    NGINX,
    REFUSING,
  };
  return [
    ...filesFrom("haproxy", ["haproxy.cfg", "vitrine-limit.lua", "README.md"], values),
    ...innerNginxFiles("nginx/", { ...settings, listen: [NGINX], certificate: undefined }, BALANCER),
  ];
}
