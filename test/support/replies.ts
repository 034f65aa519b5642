/**
 * Replies of services, proxies and firewalls, as they were seen. `test/publish/replies.slow.test.ts` plays each through the command, and
 * `npm run docs:services` writes them into docs/s3-services.md.
 */
import { explainReply, isPageOf } from "../../src/publish/replies.ts";
import type { UpstreamRequest } from "./faults.ts";

/** A reply that was seen, and what the command must make of it. */
export interface SeenReply {
  readonly status: number;
  /** S3's XML: its code and message. */
  readonly code?: string;
  readonly message?: string;
  /** A body other than S3's XML. */
  readonly body?: string;
  readonly headers?: Record<string, string>;
  /** Which requests get this answer; the others reach a service. Default: all. */
  readonly to?: (request: UpstreamRequest) => boolean;
  readonly says: RegExp;
  readonly hint: RegExp;
  readonly exitCode?: number;
  /** True if running again may help by itself. */
  readonly passes?: true;
}

const PAGE =
  "<!DOCTYPE html>\n<html><head><title>No entry</title></head><body><p>No<br>entry</body></html>\n";
const HTML = { "content-type": "text/html", server: "squid/6.6" };
const PUTS = ({ method }: UpstreamRequest) => method === "PUT";
const ANSWERS = ({ method, path }: UpstreamRequest) => method === "PUT" && !path.includes("/.vitrine/");
const CONDITIONS = ({ headers }: UpstreamRequest) =>
  headers["if-none-match"] !== undefined || headers["if-match"] !== undefined;

export const REPLIES: readonly SeenReply[] = [
  // 403s, by their reasons.
  {
    status: 403,
    code: "AccessDenied",
    says: /lack s3:GetObject or s3:ListBucket/,
    hint: /publish-policy\.json/,
  },
  { status: 403, code: "AccessDenied", to: PUTS, says: /lack s3:PutObject/, hint: /publish-policy\.json/ },
  {
    status: 403,
    code: "AccessDenied",
    message:
      "User: arn:aws:iam::1:user/p is not authorized to perform: kms:GenerateDataKey on resource: arn:aws:kms:…",
    to: PUTS,
    says: /encrypted with a key \(KMS\)/,
    hint: /kms:GenerateDataKey and kms:Decrypt/,
  },
  {
    status: 400,
    code: "KMS.DisabledException",
    to: PUTS,
    says: /\(KMS\) is disabled/,
    hint: /enable it in KMS/,
  },
  { status: 403, code: "QuotaExceeded", to: ANSWERS, says: /quota .* is used up/, hint: /smaller --keep/ },
  { status: 400, code: "XMinioAdminBucketQuotaExceeded", to: ANSWERS, says: /quota/, hint: /smaller --keep/ },
  {
    status: 403,
    code: "AccessDenied",
    message: "Cannot upload files, storage cap exceeded. See the Caps & Alerts page to increase your cap.",
    to: PUTS,
    says: /quota .* is used up/,
    hint: /smaller --keep/,
  },
  { status: 507, code: "XMinioStorageFull", to: ANSWERS, says: /disks are full/, hint: /make room/ },
  {
    status: 403,
    body: PAGE,
    headers: HTML,
    says: /a page for people by squid\/6\.6 \(403\)/,
    hint: /let this machine through/,
  },
  { status: 407, body: PAGE, headers: HTML, says: /proxy or firewall/, hint: /let this machine through/ },
  { status: 403, code: "AllAccessDisabled", says: /closed the account/, hint: /provider's console/ },

  // Credentials.
  {
    status: 403,
    code: "InvalidAccessKeyId",
    says: /rotated or deleted.*read again, and are the same/,
    hint: /AWS_SHARED_CREDENTIALS_FILE/,
  },
  {
    status: 403,
    code: "SignatureDoesNotMatch",
    says: /secret is not this key's/,
    hint: /AWS_SECRET_ACCESS_KEY and --region/,
  },
  {
    status: 400,
    code: "ExpiredToken",
    message: "The provided token has expired.",
    says: /session of these credentials has ended/,
    hint: /renew them/,
  },
  { status: 403, code: "RequestTimeTooSkewed", says: /clock/, hint: /timedatectl set-ntp true/ },

  // The wrong place.
  { status: 404, code: "NoSuchBucket", to: PUTS, says: /bucket does not exist/, hint: /make it first/ },
  {
    status: 301,
    code: "PermanentRedirect",
    headers: { "x-amz-bucket-region": "eu-west-1" },
    says: /another region, eu-west-1/,
    hint: /--region eu-west-1/,
  },
  { status: 307, code: "TemporaryRedirect", says: /another region/, hint: /--region NAME/ },
  {
    status: 400,
    code: "AuthorizationHeaderMalformed",
    message:
      "The authorization header is malformed; the region 'us-east-1' is wrong; expecting 'eu-central-1'",
    says: /another region, eu-central-1/,
    hint: /--region eu-central-1/,
  },
  {
    status: 301,
    body: PAGE,
    headers: { ...HTML, location: "https://s3.example.org/shop/x" },
    says: /leads to https:\/\/s3\.example\.org\./,
    hint: /--endpoint https:\/\/s3\.example\.org;/,
  },
  {
    status: 307,
    body: "",
    headers: { location: "https://s3.example.org/shop/x" },
    says: /leads to https:\/\/s3\.example\.org\./,
    hint: /--region NAME/,
  },
  { status: 404, body: PAGE, headers: HTML, says: /page for people/, hint: /correct --endpoint and --to/ },
  {
    status: 405,
    body: "",
    to: PUTS,
    says: /does not support conditional writes/,
    hint: /--single-publisher/,
    exitCode: 6,
  },
  {
    status: 400,
    body: "<html><head><title>400 The plain HTTP request was sent to HTTPS port</title></head><body><hr></body></html>",
    headers: HTML,
    says: /page for people/,
    hint: /scheme, host and port/,
  },
  { status: 200, body: PAGE, headers: HTML, says: /NoETag \(200\)/, hint: /ask the service itself/ },
  {
    status: 403,
    code: "SecondLevelDomainForbidden",
    says: /bucket in the host's name/,
    hint: /https:\/\/BUCKET\.HOST/,
  },

  // Refused requests.
  {
    status: 413,
    body: PAGE,
    headers: { ...HTML, server: "nginx" },
    to: ANSWERS,
    says: /no body of that size/,
    hint: /client_max_body_size/,
  },
  {
    status: 400,
    code: "InvalidArgument",
    to: CONDITIONS,
    says: /does not support conditional writes/,
    hint: /--single-publisher/,
    exitCode: 6,
  },
  {
    status: 501,
    code: "NotImplemented",
    to: CONDITIONS,
    says: /does not support conditional writes/,
    hint: /--single-publisher/,
    exitCode: 6,
  },
  { status: 400, code: "BadDigest", to: ANSWERS, says: /body changed on its way/, hint: /https/ },

  // Temporary failures.
  { status: 503, code: "SlowDown", says: /too many requests/, hint: /--concurrency 8/ },
  {
    status: 503,
    code: "SlowDown",
    to: ANSWERS,
    says: /too many requests/,
    hint: /--concurrency 8/,
    passes: true,
  },
  {
    status: 502,
    body: PAGE,
    headers: HTML,
    to: ANSWERS,
    says: /does not answer it/,
    hint: /run it again/,
    passes: true,
  },
  {
    status: 500,
    code: "InternalError",
    message: "We encountered an internal error. Please try again.",
    to: ANSWERS,
    says: /failure is in the service itself/,
    hint: /run it again/,
    passes: true,
  },
];

/** What the tests make for real, by its code: a name without a host, a closed port, certificates, and no TLS at all. */
export const UNREACHABLE = [
  "ENOTFOUND",
  "ECONNREFUSED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "EPROTO",
];

export interface ExplainedReply {
  /** `AccessDenied (403)` */
  readonly comes: string;
  /** A sentence. */
  readonly means: string;
  /** What to do, without a full stop. */
  readonly todo: string;
}

/** What the command says about a reply, in its parts. */
export function explainSeen({
  status,
  code = "",
  message = code,
  body = "",
  headers = {},
  to,
}: Omit<SeenReply, "says" | "hint">): ExplainedReply {
  const { said, hint = "" } = explainReply({
    doing: to === undefined ? "reading" : "putting",
    status,
    // A PUT that is answered without an ETag reached no service.
    code: status === 200 ? "NoETag" : code,
    message: message === code ? "" : message.replace(/\.$/, ""),
    headers,
    isPage: isPageOf(headers["content-type"] ?? "", body),
    isConditional: to === CONDITIONS || status === 405,
  });
  // "CODE (STATUS): MESSAGE. MEANS": the message may hold several sentences, what it means begins after the last part of the reply.
  const reply = message === code || message === "" ? "" : `: ${message.replace(/\.$/, "")}`;
  const end = said.indexOf(`${reply}. `);
  return { comes: said.slice(0, end), means: said.slice(end + reply.length + 2), todo: hint };
}
