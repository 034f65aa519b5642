/**
 * Turns a reply of a service, a CDN or something in between into what it means and what to do. One row per situation, and the
 * first match wins. The advice "run it again" appears only where that alone can help. docs/s3-services.md, "What services reply",
 * is made from these words.
 */
import { redactSecrets } from "../base/redact.ts";
import { WEBHOOK_SECRET } from "./addresses.ts";

/** The permission that a request needs, by what it does. */
const RIGHTS = {
  putting: "s3:PutObject",
  reading: "s3:GetObject or s3:ListBucket",
  deleting: "s3:DeleteObject",
  listing: "s3:ListBucket",
  purging: "the right to purge",
} as const;

type Doing = keyof typeof RIGHTS;

export interface Reply {
  readonly doing: Doing;
  /** The service's code (`NoSuchBucket`) or the system's (`ENOTFOUND`); "" if there is no code. */
  readonly code: string;
  /** HTTP status of the response; 0 if no response came. */
  readonly status: number;
  /** The other side's message for people; "" if it is useless. */
  readonly message: string;
  /** The body is an HTML page, which no service or API writes. */
  readonly isPage: boolean;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The request carried `If-Match` or `If-None-Match`. */
  readonly isConditional?: boolean;
  /** Only of a webhook: the request carried a signature. */
  readonly isSigned?: boolean | undefined;
}

/** True for HTML, by its media type or its beginning. */
export function isPageOf(type: string, body: string): boolean {
  return /^(text\/html|application\/xhtml)/i.test(type) || /^\s*<(!doctype html|html)/i.test(body);
}

type Words = string | ((reply: Reply) => string);

interface Situation {
  readonly codes?: readonly string[] | RegExp;
  readonly statuses?: readonly number[];
  readonly said?: RegExp;
  readonly isPage?: true;
  readonly isConditional?: true;
  readonly isSigned?: boolean;
  readonly doing?: Doing;
  /** A sentence. */
  readonly means: Words;
  /** Begins with a verb, in lower case, and has no full stop. */
  readonly todo: Words;
}

/** The option that names the address: `--purge` for a CDN, `--endpoint and --to` for a service. */
const address = ({ doing }: Reply) => (doing === "purging" ? "--purge" : "--endpoint and --to");
const whose = ({ doing, isSigned }: Reply) =>
  isSigned !== undefined ? "the webhook" : doing === "purging" ? "the CDN" : "the service";

/** Advice for an outage of the other side. Readers may be fallbacks, which have nothing to resume. */
const again = ({ doing }: Reply) =>
  doing === "reading" || doing === "listing"
    ? "try again when the service answers"
    : "run it again: it goes on where it stopped";

const READ_AGAIN = "The credentials were read again, and are the same.";
const RENEW =
  "watch and fallback take a changed AWS_SHARED_CREDENTIALS_FILE up by themselves, variables of the environment when they are started again";

const LOOK_BETWEEN =
  "check what is between this machine and the CDN's interface: a proxy, a firewall, or a sign-in page of the network";

function originIn({ headers }: Reply): string {
  return URL.parse(headers["location"] ?? "")?.origin ?? "";
}

/** A plain name only: it becomes part of a command that people copy. */
const regionIn = ({ headers, message }: Reply) =>
  /^[\w-]+$/.exec(headers["x-amz-bucket-region"] ?? "")?.[0] ?? /expecting '([\w-]+)'/.exec(message)?.[1];

/** Services report these by a code, by a status or in words: one row for each. */
const QUOTA_USED_UP = {
  means: "The quota of the bucket, the user or the account is used up.",
  todo: "raise it at the service, or make room: a smaller --keep keeps fewer releases",
};
const DISKS_FULL = {
  means: "The service's disks are full.",
  todo: "make room there",
};

const SITUATIONS: readonly Situation[] = [
  // No response came.
  {
    codes: ["ENOTFOUND"],
    means: "No name server knows that host.",
    todo: (reply) =>
      `correct ${address(reply)}, or repair this machine's name service; where a proxy leads out, set HTTPS_PROXY and NODE_USE_ENV_PROXY=1`,
  },
  {
    codes: ["EAI_AGAIN"],
    means: "This machine's name server does not answer.",
    todo: (reply) => `repair it (/etc/resolv.conf); then ${again(reply)}`,
  },
  {
    codes: ["ECONNREFUSED"],
    means: "Nothing listens at that address.",
    todo: (reply) => `start ${whose(reply)}, or correct host and port of ${address(reply)}`,
  },
  {
    codes: ["ENETUNREACH", "EHOSTUNREACH"],
    means: "This machine has no way to that address.",
    todo: "check its network and its firewall; where a proxy leads out, set HTTPS_PROXY and NODE_USE_ENV_PROXY=1",
  },
  {
    codes: ["TimeoutError", "ETIMEDOUT", "RequestTimeout"],
    means: "No response came in time.",
    todo: (reply) => `${again(reply)}; --timeout 60 waits longer where the network is slow`,
  },
  {
    codes: ["ECONNRESET", "EPIPE"],
    means: "The connection broke.",
    todo: again,
  },
  {
    codes:
      /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?))$/,
    means: "This machine does not trust the authority that signed the certificate.",
    todo: "name the authority's certificate: NODE_EXTRA_CA_CERTS=/path/to/ca.pem",
  },
  {
    codes: ["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"],
    means: "The certificate is not valid at this time.",
    todo: "renew it there, or set this machine's clock: timedatectl set-ntp true",
  },
  {
    codes: ["ERR_TLS_CERT_ALTNAME_INVALID"],
    means: "The certificate is another host's.",
    todo: (reply) => `write the host that the certificate names in ${address(reply)}`,
  },
  {
    codes: /^(EPROTO|ERR_SSL_\w+|HPE_\w+)$/,
    means: "One side speaks TLS and the other does not.",
    todo: "change http:// to https:// in --endpoint, or https:// to http://, or name the other port",
  },

  // Credentials.
  {
    codes: /^(CredentialsProviderError|TokenProviderError)$/,
    means: "No usable credentials were found.",
    todo: "give them as the AWS SDK finds them: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_SHARED_CREDENTIALS_FILE, AWS_PROFILE, or a role",
  },
  {
    said: /^Region (is missing|not accepted)/,
    means: "No region is named, or the name cannot be one.",
    todo: "add --region (many services accept any name: --region us-east-1), or set AWS_REGION",
  },
  {
    codes: /^(ExpiredToken(Exception)?|TokenRefreshRequired|InvalidToken|RequestExpired|ExpiredCredentials)$/,
    means: `The session of these credentials has ended. ${READ_AGAIN}`,
    todo: `renew them; ${RENEW}`,
  },
  {
    codes: /^(InvalidAccessKeyId|InvalidClientTokenId|UnrecognizedClientException|InvalidSecurity)$/,
    means: (reply) =>
      `The key is unknown there: it was rotated or deleted, or is of another account than ${whose(reply)}'s. ${READ_AGAIN}`,
    todo: `give the key that is valid now; ${RENEW}`,
  },
  {
    codes: ["SignatureDoesNotMatch"],
    means: "The secret is not this key's, or something on the way changes the request.",
    todo: "check AWS_SECRET_ACCESS_KEY and --region; a proxy before the service must pass on Host and path unchanged",
  },
  {
    codes: ["RequestTimeTooSkewed", "RequestInTheFuture"],
    means: "The clock of this machine and that of the service are too far apart.",
    todo: "set the clock: timedatectl set-ntp true",
  },

  // Refusals, the particular ones first.
  {
    codes: /^KMS\./,
    means: "The bucket's encryption key (KMS) is disabled, or was deleted.",
    todo: "enable it in KMS, or choose another one as the bucket's default encryption",
  },
  {
    statuses: [400, 403],
    said: /\bkms:/i,
    means: "The bucket is encrypted with a key (KMS) that these credentials may not use.",
    todo: "allow them kms:GenerateDataKey and kms:Decrypt for that key; a fallback needs kms:Decrypt",
  },
  {
    codes: /Quota|StorageCap|storage_cap/i,
    ...QUOTA_USED_UP,
  },
  {
    statuses: [403],
    said: /\b(quota|storage cap|cap exceeded)\b/i,
    ...QUOTA_USED_UP,
  },
  {
    codes: ["XMinioStorageFull", "InsufficientStorage"],
    ...DISKS_FULL,
  },
  {
    statuses: [507],
    ...DISKS_FULL,
  },
  {
    codes: /^(AllAccessDisabled|AccountProblem|UserSuspended|NotSignedUp|InvalidPayer)$/,
    statuses: [401, 403],
    means: "The service's provider has closed the account, or its bill is not paid.",
    todo: "check the provider's console",
  },
  {
    codes: /^(SecondLevelDomainForbidden|PathStyleDomainForbidden)$/,
    means: "This service wants the bucket in the host's name.",
    todo: "write the endpoint with the bucket before its host: --endpoint https://BUCKET.HOST",
  },
  {
    codes:
      /^(PermanentRedirect|TemporaryRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException|InvalidRegion\w*)$/,
    means: (reply) =>
      `The bucket is in another region${regionIn(reply) ? `, ${regionIn(reply)}` : " than the one that was asked"}.`,
    todo: (reply) => `name it: --region ${regionIn(reply) ?? "NAME"}`,
  },
  {
    statuses: [301, 302, 303, 307, 308],
    means: (reply) =>
      originIn(reply) === ""
        ? "The address leads to another one."
        : `The address leads to ${originIn(reply)}.`,
    todo: (reply) =>
      reply.doing === "purging"
        ? "write the address that answers itself in --purge"
        : `write the address that answers itself: --endpoint ${originIn(reply) || "https://HOST"}; if it is the service that says so, the bucket is in another region: --region NAME`,
  },
  {
    codes: ["NoSuchBucket"],
    means: "The bucket does not exist there.",
    todo: "make it first (aws s3api create-bucket), or correct --to, --endpoint or --region",
  },
  {
    codes: ["InvalidBucketName"],
    means: "No bucket can have that name.",
    todo: "correct --to",
  },
  {
    codes: ["NoSuchDistribution", "NoSuchResource"],
    means: "The CDN has no such distribution.",
    todo: "correct --purge, and check that the credentials belong to its account",
  },
  {
    codes: ["TooManyInvalidationsInProgress"],
    means: "Too many purges of this distribution are under way.",
    todo: "publish again in some minutes with the same --purge",
  },
  {
    statuses: [401, 403, 407],
    isPage: true,
    means: (reply) => `A proxy or firewall answered with a page for people instead of ${whose(reply)}.`,
    todo: ({ doing }) =>
      doing === "purging"
        ? LOOK_BETWEEN
        : "let this machine through to the service there, or name the service itself in --endpoint",
  },
  {
    statuses: [401, 403],
    isSigned: false,
    means: `The webhook refuses a message that is not signed: ${WEBHOOK_SECRET} is not set here.`,
    todo: `set ${WEBHOOK_SECRET} to the secret that the webhook knows`,
  },
  {
    statuses: [401, 403],
    isSigned: true,
    means: `The webhook refuses the signature: its secret is not the ${WEBHOOK_SECRET} that is set here.`,
    todo: `set the same ${WEBHOOK_SECRET} here and there`,
  },
  {
    statuses: [401, 403],
    doing: "purging",
    means: "The CDN refuses these credentials.",
    todo: "give the token or role the right to purge: docs/edges.md#purge-a-cdn names it for each CDN",
  },
  {
    statuses: [401, 403],
    means: ({ doing }) => `These credentials lack ${RIGHTS[doing]} there, or a policy denies it.`,
    todo: "give them the rights of templates/edge/aws/publish-policy.json (a fallback: fallback-policy.json)",
  },

  // Requests that something refuses to accept.
  {
    statuses: [413],
    means: "Something on the way accepts no body of that size: a proxy's limit, not the service's.",
    todo: "raise it: in nginx, client_max_body_size 64m",
  },
  {
    codes: ["EntityTooLarge"],
    means: "The service accepts no object of that size.",
    todo: "raise its limit",
  },
  {
    codes: ["BadDigest", "XAmzContentSHA256Mismatch", "InvalidDigest", "IncompleteBody"],
    means: "The body changed on its way to the service.",
    todo: "remove the proxy that changes it, or use https",
  },
  {
    isConditional: true,
    statuses: [400, 405, 501],
    means: "The service does not support conditional writes (If-None-Match, If-Match).",
    todo: "use a service that does (docs/s3-services.md lists them), or promise with --single-publisher that no one else publishes there",
  },
  {
    codes: ["NoETag"],
    means: "The reply does not come from a service, or a proxy removes the ETag from it.",
    todo: "ask the service itself: correct --endpoint, or repair the proxy",
  },
  {
    statuses: [501],
    means: "The service does not know this kind of request.",
    todo: "use one of the services that docs/s3-services.md lists",
  },

  // Failures of the other side.
  {
    codes:
      /^(SlowDown|SlowDownRead|SlowDownWrite|RequestLimitExceeded|Throttling(Exception)?|TooManyRequests\w*|ServiceUnavailable|Busy)$/,
    means: (reply) => `There were too many requests for ${whose(reply)}, and waiting did not help.`,
    todo: (reply) =>
      `${again(reply)}${reply.doing === "purging" ? "" : "; --concurrency 8 asks for less at once (it is 64 by default)"}`,
  },
  {
    statuses: [429],
    means: (reply) => `There were too many requests for ${whose(reply)}, and waiting did not help.`,
    todo: (reply) =>
      `${again(reply)}${reply.doing === "purging" ? "" : "; --concurrency 8 asks for less at once"}`,
  },
  {
    statuses: [500, 502, 503, 504, 520, 521, 522, 523, 524],
    means: (reply) =>
      reply.isPage
        ? `A proxy says that ${whose(reply)} does not answer it.`
        : `The failure is in ${whose(reply)} itself.`,
    todo: again,
  },
  {
    isPage: true,
    means: (reply) => `A web server or proxy answered with a page for people instead of ${whose(reply)}.`,
    todo: (reply) =>
      reply.doing === "purging" ? LOOK_BETWEEN : `correct ${address(reply)}: scheme, host and port`,
  },
  {
    statuses: [404, 405],
    means: (reply) => `Something other than ${whose(reply)} answers there.`,
    todo: (reply) => `correct ${address(reply)}`,
  },
];

function fits(situation: Situation, reply: Reply): boolean {
  const { codes, statuses, said, isPage, isConditional, isSigned, doing } = situation;
  const isCode =
    codes === undefined || (codes instanceof RegExp ? codes.test(reply.code) : codes.includes(reply.code));
  return (
    isCode &&
    (statuses === undefined || statuses.includes(reply.status)) &&
    (said === undefined || said.test(reply.message)) &&
    (isPage === undefined || reply.isPage) &&
    (isConditional === undefined || reply.isConditional === true) &&
    (isSigned === undefined || isSigned === reply.isSigned) &&
    (doing === undefined || doing === reply.doing)
  );
}

const inWords = (words: Words, reply: Reply) => (typeof words === "string" ? words : words(reply));

/** `AccessDenied (403): Access Denied.` */
function saidBy({ code, status, message, isPage, headers }: Reply): string {
  const server = headers["server"];
  const page = isPage ? `a page for people${server === undefined ? "" : ` by ${server}`}` : "";
  const name = [code, page].find((part) => part !== "") ?? "";
  const of = status === 0 ? name : name === "" ? String(status) : `${name} (${status})`;
  return [of, message].filter((part) => part !== "").join(": ");
}

export interface Explained {
  /** The reply, and what it means. */
  readonly said: string;
  /** What to do, if a row says it. */
  readonly hint: string | undefined;
  /** The service does not support conditional writes at all. */
  readonly takesNoConditions: boolean;
}

/** Longest part of the other side's message that is shown: the whole may be megabytes. */
const MOST_LETTERS = 500;

export function explainReply(reply: Reply): Explained {
  const message = redactSecrets(reply.message)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MOST_LETTERS)
    .replace(/\.$/, "");
  const shown = { ...reply, message };
  const situation = SITUATIONS.find((each) => fits(each, shown));
  if (situation === undefined)
    return { said: `${saidBy(shown)}.`, hint: undefined, takesNoConditions: false };
  return {
    said: `${saidBy(shown)}. ${inWords(situation.means, shown)}`,
    hint: inWords(situation.todo, shown),
    takesNoConditions: situation.isConditional === true,
  };
}
