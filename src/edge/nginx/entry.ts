/**
 * nginx (njs): the key of a request's file as a variable, the response for paths that have neither file nor endpoint, the one rule of
 * conditional requests that nginx implements differently, the age of cached answers, and advice for the log. Everything else is nginx's
 * own configuration.
 */
import { MAX_TARGET_BYTES } from "../../api/endpoints.ts";
import { pathResponse, tooLongResponse } from "../../api/responses.ts";
import { isKnown } from "../../api/validator.ts";
import { proxyHeader } from "../../key/client.ts";
import { readEdgeTarget } from "../../key/key.ts";

/** Node's Buffer, which njs also has. */
declare const Buffer: { byteLength(text: string): number };

/** The part of njs's request object that is used; `$request_uri` is the target as it was sent. */
interface NginxRequest {
  readonly method: string;
  readonly variables: {
    readonly request_uri?: string;
    readonly upstream_cache_status?: string;
    /** Also those of a cached answer. */
    readonly upstream_http_date?: string;
    readonly upstream_http_age?: string;
    readonly remote_addr?: string;
    /** The connection's address; undefined if nginx was built without this module. */
    readonly realip_remote_addr?: string;
    /** "1" if remote_addr is in a network that `--trust` names; undefined without one. */
    readonly vitrine_trusted?: string;
  };
  readonly headersIn: Readonly<Record<string, string | undefined>>;
  readonly headersOut: Record<string, string | undefined>;
  status: number;
  sendHeader(): void;
  send(body: string): void;
  finish(): void;
}

/** Filled in by `vitrine edge`. */
const ERROR_CACHE_CONTROL = "{{ERROR_CACHE_CONTROL}}";
const STALE_SECONDS = "{{STALE_SECONDS}}";

function targetOf(request: NginxRequest): string {
  return request.variables.request_uri as string;
}

/** A path below the site's root for `try_files`; one that never exists if no file can answer. */
function file(request: NginxRequest): string {
  const key = readEdgeTarget(targetOf(request)).file;
  return key === null ? "/none" : `/${key}`;
}

/** `1` if the fallback could not answer better than nginx: the endpoint does not exist, or the target is too long. */
function isOwn(request: NginxRequest): string {
  const target = targetOf(request);
  return target.length > MAX_TARGET_BYTES || readEdgeTarget(target).read === null ? "1" : "";
}

/** Answers such a request. */
function own(request: NginxRequest): void {
  const target = targetOf(request);
  const response =
    target.length > MAX_TARGET_BYTES
      ? tooLongResponse(ERROR_CACHE_CONTROL)
      : pathResponse(readEdgeTarget(target).path, {
          baseUrl: "{{BASE_URL}}",
          // Not `===`: the bundler would evaluate it.
          pages: "{{PAGES}}".indexOf("true") === 0,
          answerCache: "{{CACHE_CONTROL}}",
          clientErrorCache: ERROR_CACHE_CONTROL,
        });
  request.status = response.status;
  for (const name in response.headers) request.headersOut[name] = response.headers[name];
  request.headersOut["Content-Length"] = `${Buffer.byteLength(response.body)}`;
  request.sendHeader();
  // njs would send a body to HEAD, too, and the client would take it for the connection's next response.
  if (request.method !== "HEAD" && response.body !== "") request.send(response.body);
  request.finish();
}

/**
 * `If-None-Match` overrides `If-Modified-Since` (RFC 9110 §13.2.2). nginx instead sends a 200 if the date alone says that the
 * client's copy differs.
 */
function conditional(request: NginxRequest): void {
  const known = request.headersIn["If-None-Match"];
  const etag = request.headersOut["ETag"];
  if (request.status !== 200 || known === undefined || etag === undefined) return;
  if (!isKnown(known, etag)) return;
  request.status = 304;
  delete request.headersOut["Content-Type"];
  delete request.headersOut["Content-Encoding"];
  delete request.headersOut["Content-Length"];
}

/**
 * Counts the periods of stale-if-error since 1970. In the cache's key it ends each answer with its period, also while a fallback that
 * answers 5xx has it served again and again.
 */
function period(): string {
  return `${Math.floor(Date.now() / 1000 / Number(STALE_SECONDS))}`;
}

/** Seconds since an answer left its fallback (RFC 9111 §5.1), which nginx does not send; empty for one that was not cached. */
function age(request: NginxRequest): string {
  const status = request.variables.upstream_cache_status;
  const before = request.variables.upstream_http_age;
  if (status !== "HIT" && status !== "STALE") return before === undefined ? "" : before;
  const since = Date.parse(request.variables.upstream_http_date || "");
  // A copy without a date counts as old, so that no cache keeps it.
  if (!(since > 0)) return STALE_SECONDS;
  return `${Math.max(0, Math.floor((Date.now() - since) / 1000)) + (Number(before) || 0)}`;
}

/** What to do if a refused client looks like a cache or proxy, else empty. It is part of the request's line, so it adds no line. */
function advice(request: NginxRequest): string {
  const counted = request.variables.remote_addr || "";
  const peer = request.variables.realip_remote_addr || counted;
  // All addresses of X-Forwarded-For are trusted, so no reader is among them.
  if (request.variables.vitrine_trusted === "1") {
    return `${counted} is trusted, and names no reader: if it asks for readers, all count as one client. Let it append its client's address to X-Forwarded-For; a TLS program that adds no header, such as Hitch or stunnel, tells the cache behind it by the PROXY protocol`;
  }
  const found = proxyHeader((name) => request.headersIn[name], counted, peer);
  if (found === null) return "";
  return `${counted} sends ${found}: if it is a cache, proxy or CDN of yours, all its readers count as one client. Write these files again with vitrine edge nginx --trust ${counted}, and let it append its client's address to X-Forwarded-For`;
}

export default {
  file: file,
  isOwn: isOwn,
  own: own,
  conditional: conditional,
  period: period,
  age: age,
  advice: advice,
};
