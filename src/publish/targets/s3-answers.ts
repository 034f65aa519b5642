/** What answers of an S3 store mean: the few kinds that a publisher must tell apart. */
import { messageOf, systemCodeOf, VitrineError } from "../../base/error.ts";

interface Answer {
  readonly name?: string;
  readonly $metadata?: { readonly httpStatusCode?: number; readonly date?: string };
}

function answerOf(error: unknown): Answer {
  return typeof error === "object" && error !== null ? error : {};
}

function statusOf(error: unknown): number {
  return answerOf(error).$metadata?.httpStatusCode ?? 0;
}

/** The store's clock at the time of an answer, in milliseconds; ours where it did not say. */
export function answerDate(answer: object): number {
  const date = Date.parse(answerOf(answer).$metadata?.date ?? "");
  return Number.isNaN(date) ? Date.now() : date;
}

export function isMissing(error: unknown): boolean {
  const { name } = answerOf(error);
  return name === "NoSuchKey" || name === "NotFound";
}

/** 412, 409 (another write at the same time), and 404, which is how `If-Match` on nothing is refused. */
export function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  return status === 412 || status === 409 || (status === 404 && answerOf(error).name === "NoSuchKey");
}

export function isTooBusy(error: unknown): boolean {
  const { name = "" } = answerOf(error);
  const status = statusOf(error);
  return (
    status === 503 ||
    status === 429 ||
    ["SlowDown", "ServiceUnavailable", "RequestLimitExceeded"].includes(name)
  );
}

/** Our own deadline was met: the answer did not come, or not whole. */
export function isTimeout(error: unknown): boolean {
  return answerOf(error).name === "TimeoutError";
}

const TRANSIENT_NAMES = [
  "RequestTimeout",
  "RequestTimeTooSkewed",
  "TimeoutError",
  "NetworkingError",
  "InternalError",
];
const TRANSIENT_CODES = [
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "ETIMEDOUT",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
];

/** Worth trying again: the store's own failures, and connections that broke. */
export function isTransient(error: unknown): boolean {
  const status = statusOf(error);
  if (status >= 500 || isTooBusy(error)) return true;
  const { name = "" } = answerOf(error);
  if (TRANSIENT_NAMES.includes(name) || TRANSIENT_CODES.includes(systemCodeOf(error))) return true;
  // A connection that closed in the middle of an answer has no code of its own.
  return /socket hang up|aborted|premature close|terminated/i.test(messageOf(error));
}

const ADVICE: Readonly<Record<string, string>> = {
  NoSuchBucket: "Make the bucket first, or correct --to.",
  InvalidAccessKeyId: "Check the credentials (AWS_ACCESS_KEY_ID, a profile, or a role).",
  SignatureDoesNotMatch: "Check the secret key, and --region for stores other than AWS.",
  CredentialsProviderError: "Give credentials as the AWS SDK finds them: environment, profile or role.",
  PermanentRedirect: "The bucket is in another region: name it with --region.",
};

/** The right that a request needs, by what it does. */
const RIGHTS = {
  putting: "s3:PutObject",
  reading: "s3:GetObject or s3:ListBucket",
  deleting: "s3:DeleteObject",
  listing: "s3:ListBucket",
} as const;

export type Doing = keyof typeof RIGHTS;

/** 403 of credentials that are known and may not do this; HEAD's has no name. */
function isDenied(error: unknown): boolean {
  return statusOf(error) === 403 && ADVICE[answerOf(error).name ?? ""] === undefined;
}

/** An SDK error, told as what, where and what next. */
export function explain(error: unknown, doing: Doing, what: string, url: string): VitrineError {
  const { name = "" } = answerOf(error);
  const status = statusOf(error);
  const told = messageOf(error) === "UnknownError" ? "" : `: ${messageOf(error)}`;
  const reason = `${name || "error"}${status === 0 ? "" : ` (${status})`}${told}.`;
  const denied = isDenied(error)
    ? `These credentials lack ${RIGHTS[doing]} there, or a policy denies it: give them the rights of templates/edge/aws/publish-policy.json.`
    : undefined;
  const next =
    denied ?? ADVICE[name] ?? (isTransient(error) ? "Publish again: what was begun is then finished." : "");
  return new VitrineError("remote_failed", `${url}: ${doing} ${what} failed. ${reason} ${next}`.trimEnd(), {
    cause: error,
  });
}
