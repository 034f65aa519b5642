/**
 * nginx (njs): the key of the request's file as a variable, what is said of paths that have neither file nor endpoint, and
 * the one rule of conditional requests that nginx has otherwise. Everything else is nginx's own configuration.
 */
import { MAX_TARGET_BYTES } from "../../api/endpoints.ts";
import { pathResponse, tooLongResponse } from "../../api/responses.ts";
import { readEdgeTarget } from "../../key/key.ts";

/** Node's, which njs has, too. */
declare const Buffer: { byteLength(text: string): number };

/** What of njs's request object is used: `$request_uri` is the target as it was sent. */
interface NginxRequest {
  readonly method: string;
  readonly variables: { readonly request_uri?: string };
  readonly headersIn: Readonly<Record<string, string | undefined>>;
  readonly headersOut: Record<string, string | undefined>;
  status: number;
  sendHeader(): void;
  send(body: string): void;
  finish(): void;
}

/** Put in by `vitrine edge`. */
const ERROR_CACHE_CONTROL = "{{ERROR_CACHE_CONTROL}}";

function targetOf(request: NginxRequest): string {
  return request.variables.request_uri as string;
}

/** A path below the site's root for `try_files`; one that no file has where no file can answer. */
function file(request: NginxRequest): string {
  const key = readEdgeTarget(targetOf(request)).file;
  return key === null ? "/none" : `/${key}`;
}

/** `1` where the fallback knows no more than nginx: there is no such endpoint, or the target is too long. */
function isOwn(request: NginxRequest): string {
  const target = targetOf(request);
  return target.length > MAX_TARGET_BYTES || readEdgeTarget(target).read === null ? "1" : "";
}

/** The answer to such a request. */
function own(request: NginxRequest): void {
  const target = targetOf(request);
  const response =
    target.length > MAX_TARGET_BYTES
      ? tooLongResponse(ERROR_CACHE_CONTROL)
      : pathResponse(readEdgeTarget(target).path, {
          baseUrl: "{{BASE_URL}}",
          // Not compared: the bundler would do that.
          pages: "{{PAGES}}".indexOf("true") === 0,
          answerCache: "{{CACHE_CONTROL}}",
          clientErrorCache: ERROR_CACHE_CONTROL,
        });
  request.status = response.status;
  for (const name in response.headers) request.headersOut[name] = response.headers[name];
  request.headersOut["Content-Length"] = `${Buffer.byteLength(response.body)}`;
  request.sendHeader();
  // njs would send a body to HEAD, too, and the client would take it for the next response of the connection.
  if (request.method !== "HEAD" && response.body !== "") request.send(response.body);
  request.finish();
}

/**
 * `If-None-Match` decides, whatever `If-Modified-Since` says (RFC 9110 §13.2.2): nginx sends a 200 where the date alone
 * says that the client's copy is another.
 */
function conditional(request: NginxRequest): void {
  const known = request.headersIn["If-None-Match"];
  const etag = request.headersOut["ETag"];
  if (request.status !== 200 || known === undefined || etag === undefined) return;
  // ETags here are hex digits in quotes, so a list that has them names one. (njs takes long for a RegExp over a long list.)
  if (known !== "*" && known.indexOf(etag.slice(etag.indexOf('"'))) < 0) return;
  request.status = 304;
  delete request.headersOut["Content-Type"];
  delete request.headersOut["Content-Encoding"];
  delete request.headersOut["Content-Length"];
}

export default { file: file, isOwn: isOwn, own: own, conditional: conditional };
