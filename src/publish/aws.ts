/** What S3 and CloudFront share through the AWS SDK: failures as data, and credentials. */
import { readFileSync, statSync } from "node:fs";
import { defaultProvider } from "@aws-sdk/credential-provider-node";
import { messageOf, systemCodeOf } from "../base/error.ts";
import { isPageOf, type Reply } from "./replies.ts";

interface SdkError {
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: {
    readonly headers?: Readonly<Record<string, string | undefined>>;
    readonly body?: unknown;
  };
}

/** HTTP status of the response; 0 if no response came. */
export function statusOf(error: unknown): number {
  return ((error ?? {}) as SdkError).$metadata?.httpStatusCode ?? 0;
}

/** The code that the service gives; "" if it gives none. */
export function errorName(error: unknown): string {
  if (!(error instanceof Error)) return "";
  // The SDK's names for a failure without a code.
  return /^(?:\d+|Unknown(?:Error)?|Error|AggregateError|SyntaxError|TypeError)$/.test(error.name)
    ? ""
    : error.name;
}

function isPage({ $response }: SdkError): boolean {
  const type = $response?.headers?.["content-type"] ?? "";
  const body = typeof $response?.body === "string" ? $response.body : "";
  return isPageOf(type, body);
}

/** Describes a failed request by what the other side answered. */
export function replyOf(error: unknown, doing: Reply["doing"], isConditional = false): Reply {
  const sdkError = (error ?? {}) as SdkError;
  const page = isPage(sdkError);
  const said = messageOf(error);
  const name = errorName(error);
  return {
    doing,
    isConditional,
    code: name === "" ? systemCodeOf(error) : name,
    status: statusOf(error),
    // If the service gave no message, the SDK's own is useless.
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

/** Not implemented, unknown HTTP version, no space left: trying again does not help. */
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

/** True if another try may succeed: a failure of the other side, or a broken connection. */
export function isTransient(error: unknown): boolean {
  const status = statusOf(error);
  if (isTooBusy(error) || (status >= 500 && !LASTING.includes(status))) return true;
  if (TRANSIENT_NAMES.includes(errorName(error)) || TRANSIENT_CODES.includes(systemCodeOf(error)))
    return true;
  // A connection that closed in the middle of a response has no separate code.
  return status === 0 && /socket hang up|aborted|premature close|terminated/i.test(messageOf(error));
}

const OF_CREDENTIALS =
  /^(ExpiredToken(Exception)?|TokenRefreshRequired|InvalidToken|RequestExpired|InvalidAccessKeyId|InvalidClientTokenId|SignatureDoesNotMatch)$/;

/** True if other credentials may be accepted. The answer to a HEAD has a status only. */
export function refusesCredentials(error: unknown): boolean {
  const [status, name] = [statusOf(error), errorName(error)];
  return [401, 403].includes(status) || (status === 400 && name === "") || OF_CREDENTIALS.test(name);
}

/** A failure before any request: credentials or a region are missing. */
function lacksSettings(error: unknown): boolean {
  if (!(error instanceof Error) || statusOf(error) !== 0) return false;
  return error.name === "CredentialsProviderError" || error.message.startsWith("Region is missing");
}

/**
 * Why a file that a variable names gives no settings; null if that is not why they are missing. The SDK goes on without a file that it
 * can't read, and then lacks the region, which sends people to another place.
 */
export function unreadSettings(error: unknown, env: NodeJS.ProcessEnv = process.env): string | null {
  const file = env["AWS_SHARED_CREDENTIALS_FILE"] ?? "";
  if (file === "" || !lacksSettings(error)) return null;
  const named = `AWS_SHARED_CREDENTIALS_FILE names ${file}`;
  const profile = env["AWS_PROFILE"] || "default";
  try {
    // A pipe, as from <(command), can be read only once.
    if (!statSync(file).isFile()) return null;
    const sections = readFileSync(file, "utf8").matchAll(/^\uFEFF?\s*\[\s*(?:profile\s+)?([^\]]+?)\s*\]/gm);
    return [...sections].some(([, name]) => name === profile)
      ? null
      : `${named}, which has no section [${profile}].`;
  } catch (failure) {
    return `${named}, which this user cannot read: ${messageOf(failure)}.`;
  }
}

const silent = () => undefined;
/** Silences the SDK: failures are reported by the caller. */
export const NO_LOG = { debug: silent, info: silent, warn: silent, error: silent };

/**
 * Credentials as the AWS SDK finds them. A session with an expiry is renewed before it. The SDK reads a credentials file once per
 * process; each new provider made here reads it again.
 */
export function findCredentials(): ReturnType<typeof defaultProvider> {
  return defaultProvider({ ignoreCache: true, logger: NO_LOG });
}

/**
 * For the connections of an SDK: the proxy of the environment (`HTTPS_PROXY`, `NO_PROXY`), on the condition on which `fetch` takes
 * it. A Node older than 22.21 does not.
 */
export function proxyOf(env: NodeJS.ProcessEnv): { readonly proxyEnv?: NodeJS.ProcessEnv } {
  return env["NODE_USE_ENV_PROXY"] === "1" ? { proxyEnv: env } : {};
}
