/** What failures of an S3 store mean: the few kinds that a publisher must tell apart, and how they are told. */
import { messageOf, systemCodeOf, VitrineError } from "../../base/error.ts";

/** A failure that a successful response tells of, or part of it: S3's code is its name. */
export class S3Failure extends Error {
  readonly $metadata: { readonly httpStatusCode: number };
  constructor(name: string, message: string, httpStatusCode: number) {
    super(message);
    this.name = name;
    this.$metadata = { httpStatusCode };
  }
}

/** The code of S3's; that of a response without one is `UnknownError`. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return /^(?:\d+|Unknown|Error)$/.test(error.name) && statusOf(error) > 0 ? "UnknownError" : error.name;
}

/** Of a response; 0 where none came. */
function statusOf(error: unknown): number {
  const { $metadata } = (error ?? {}) as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return $metadata?.httpStatusCode ?? 0;
}

/** True where a response came, whatever it said. */
export const isAnswered = (error: unknown): boolean => statusOf(error) > 0;

export function isMissing(error: unknown): boolean {
  return statusOf(error) === 404 && ["NoSuchKey", "NotFound"].includes(nameOf(error));
}

/** 412, 409 (another write at the same time), and 404, which is how `If-Match` on nothing is refused. */
export function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  return status === 412 || status === 409 || (status === 404 && nameOf(error) === "NoSuchKey");
}

export function isTooBusy(error: unknown): boolean {
  return (
    [503, 429].includes(statusOf(error)) ||
    ["SlowDown", "ServiceUnavailable", "RequestLimitExceeded"].includes(nameOf(error))
  );
}

/** Our own deadline was met: the response did not come, or not whole. */
export function isTimeout(error: unknown): boolean {
  return nameOf(error) === "TimeoutError";
}

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

/** May succeed if it is tried again: the store's own failures, and connections that broke. */
export function isTransient(error: unknown): boolean {
  if (statusOf(error) >= 500 || isTooBusy(error)) return true;
  if (TRANSIENT_NAMES.includes(nameOf(error)) || TRANSIENT_CODES.includes(systemCodeOf(error))) return true;
  // A connection that closed in the middle of a response has no code of its own.
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

/** What helps where the store is away for a while: whoever reads may be a fallback or a mirror, too. */
const AGAIN: Readonly<Record<Doing, string>> = {
  putting: "Publish again: what was begun is then finished.",
  deleting: "Publish again: what was begun is then finished.",
  reading: "Try again when the store answers.",
  listing: "Try again when the store answers.",
};

/** A failure, told as what, where and what next. */
export function explain(error: unknown, doing: Doing, what: string, url: string): VitrineError {
  const [name, status] = [nameOf(error), statusOf(error)];
  // What the SDK says where the store says nothing helps nobody.
  const told = name === "UnknownError" || messageOf(error) === "UnknownError" ? "" : messageOf(error);
  const reason = `${name || "error"}${status === 0 ? "" : ` (${status})`}${told === "" ? "" : `: ${told}`}.`;
  // 403 of credentials that are known and may not do this.
  const denied =
    status === 403 && ADVICE[name] === undefined
      ? `These credentials lack ${RIGHTS[doing]} there, or a policy denies it: give them the rights of templates/edge/aws/publish-policy.json.`
      : undefined;
  const next = denied ?? ADVICE[name] ?? (isTransient(error) ? AGAIN[doing] : "");
  return new VitrineError("remote_failed", `${url}: ${doing} ${what} failed. ${reason} ${next}`.trimEnd(), {
    cause: error,
  });
}
