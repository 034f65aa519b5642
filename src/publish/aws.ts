/** What S3 and CloudFront have in common, both by the AWS SDK: their failures as data, and credentials. */
import { defaultProvider } from "@aws-sdk/credential-provider-node";
import { messageOf, systemCodeOf } from "../base/error.ts";
import { type Answer, isPageOf } from "./answers.ts";

interface SdkError {
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: {
    readonly headers?: Readonly<Record<string, string | undefined>>;
    readonly body?: unknown;
  };
}

/** Of a response; 0 if none came. */
export function statusOf(error: unknown): number {
  return ((error ?? {}) as SdkError).$metadata?.httpStatusCode ?? 0;
}

/** The code that the service gives; "" if it gives none. */
export function errorName(error: unknown): string {
  if (!(error instanceof Error)) return "";
  // What the SDK calls a failure without a code.
  return /^(?:\d+|Unknown(?:Error)?|Error|AggregateError|SyntaxError|TypeError)$/.test(error.name)
    ? ""
    : error.name;
}

function isPage({ $response }: SdkError): boolean {
  const type = $response?.headers?.["content-type"] ?? "";
  const body = typeof $response?.body === "string" ? $response.body : "";
  return isPageOf(type, body);
}

/** A failure of a request, as what the other side answered. */
export function answerOf(error: unknown, doing: Answer["doing"], isConditional = false): Answer {
  const sdkError = (error ?? {}) as SdkError;
  const page = isPage(sdkError);
  const said = messageOf(error);
  const name = errorName(error);
  return {
    doing,
    isConditional,
    code: name === "" ? systemCodeOf(error) : name,
    status: statusOf(error),
    // The SDK's own words, where the service gave none, are of no use.
    message: page || said === "UnknownError" || /Deserialization error/.test(said) ? "" : said,
    isPage: page,
    headers: sdkError.$response?.headers ?? {},
  };
}

const TOO_BUSY =
  /^(SlowDown\w*|ServiceUnavailable|RequestLimitExceeded|Throttling(Exception)?|TooManyRequests\w*|TooManyInvalidationsInProgress)$/;

/** The other side asks for fewer requests. */
export function isTooBusy(error: unknown): boolean {
  return [503, 429].includes(statusOf(error)) || TOO_BUSY.test(errorName(error));
}

/** Not implemented, another version of HTTP, no room: these do not pass. */
const LASTING = [501, 505, 507];
const TRANSIENT_NAMES = ["RequestTimeout", "RequestTimeTooSkewed", "TimeoutError", "InternalError"];
const TRANSIENT_CODES = [
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "ETIMEDOUT",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
];

/** May succeed if it is tried again: the other side's own failures, and connections that broke. */
export function isTransient(error: unknown): boolean {
  const status = statusOf(error);
  if (isTooBusy(error) || (status >= 500 && !LASTING.includes(status))) return true;
  if (TRANSIENT_NAMES.includes(errorName(error)) || TRANSIENT_CODES.includes(systemCodeOf(error)))
    return true;
  // A connection that closed in the middle of a response has no code of its own.
  return status === 0 && /socket hang up|aborted|premature close|terminated/i.test(messageOf(error));
}

const OF_CREDENTIALS =
  /^(ExpiredToken(Exception)?|TokenRefreshRequired|InvalidToken|RequestExpired|InvalidAccessKeyId|InvalidClientTokenId|SignatureDoesNotMatch)$/;

/** Other credentials may be taken. In answer to a HEAD, a store says nothing but the status. */
export function refusesCredentials(error: unknown): boolean {
  const [status, name] = [statusOf(error), errorName(error)];
  return [401, 403].includes(status) || (status === 400 && name === "") || OF_CREDENTIALS.test(name);
}

const silent = () => undefined;
/** Failures are reported by us. */
export const NO_LOG = { debug: silent, info: silent, warn: silent, error: silent };

/**
 * Credentials as the AWS SDK finds them. Sessions that say when they end are renewed before that. The SDK reads a file once a
 * process; here each new provider reads it again.
 */
export function findCredentials(): ReturnType<typeof defaultProvider> {
  return defaultProvider({ ignoreCache: true, logger: NO_LOG });
}
