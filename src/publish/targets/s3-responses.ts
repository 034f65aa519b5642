/** What responses of an S3 store mean: the few kinds that a publisher must tell apart, and the XML of two of them. */
import { Parser } from "htmlparser2";
import { messageOf, systemCodeOf, VitrineError } from "../../base/error.ts";
import type { S3Response } from "./s3-request.ts";

/** A response that is no success: S3's code is its name. */
export class S3Failure extends Error {
  readonly status: number;
  constructor(name: string, message: string, status: number) {
    super(message);
    this.name = name;
    this.status = status;
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "");
const statusOf = (error: unknown): number => (error instanceof S3Failure ? error.status : 0);

/** A list of 1,000 keys of 1,024 bytes, each byte `%XX`, is 3 MB. */
const MOST_XML_BYTES = 16 * 1024 * 1024;
const MOST_ERROR_BYTES = 64 * 1024;

async function readText({ body }: S3Response, mostBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    sizeBytes += piece.length;
    if (sizeBytes > mostBytes) break;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

interface Xml {
  readonly root: string;
  /** False where it was cut off. */
  readonly ended: boolean;
  /** Texts of the elements directly below the root. */
  readonly texts: ReadonlyMap<string, string>;
  /** What elements of that name hold: `Contents`, `Error`. */
  recordsOf(name: string): readonly ReadonlyMap<string, string>[];
}

/** Reads what S3's documents need: a root, its texts, and records of texts below it. */
function parseXml(source: string): Xml {
  const path: string[] = [];
  const texts = new Map<string, string>();
  const records: { readonly name: string; readonly fields: Map<string, string> }[] = [];
  let root = "";
  let text = "";
  const parser = new Parser(
    {
      onopentag(name) {
        path.push(name);
        if (path.length === 1) root ||= name;
        if (path.length === 2) records.push({ name, fields: new Map() });
        text = "";
      },
      ontext(part) {
        text += part;
      },
      onclosetag(name) {
        if (path.length === 2) texts.set(name, text);
        if (path.length === 3) records.at(-1)?.fields.set(name, text);
        path.pop();
      },
    },
    { xmlMode: true },
  );
  parser.write(source);
  // The end would close what is still open.
  const ended = root !== "" && path.length === 0;
  parser.end();
  return {
    ...{ root, ended, texts },
    recordsOf: (name) => records.filter((record) => record.name === name).map(({ fields }) => fields),
  };
}

/** The document of a 200 response, which may be cut off or an error all the same: then it is asked for again. */
export async function readXml(response: S3Response, root: string): Promise<Xml> {
  const xml = parseXml(await readText(response, MOST_XML_BYTES));
  if (xml.root === root && xml.ended) return xml;
  throw new S3Failure(
    xml.texts.get("Code") ?? "InternalError",
    xml.texts.get("Message") ?? `the response is no whole ${root}`,
    503,
  );
}

/** HEAD's responses have no body, so that S3's code is missing. */
export async function readFailure(response: S3Response): Promise<S3Failure> {
  const { status } = response;
  const { texts } = parseXml(await readText(response, MOST_ERROR_BYTES));
  const name = texts.get("Code") || (status === 404 ? "NotFound" : "UnknownError");
  return new S3Failure(name, texts.get("Message") ?? "", status);
}

/** The store's clock at the time of a response, in milliseconds; ours where it did not say. */
export function responseDate({ headers }: S3Response): number {
  const date = Date.parse(headers.date ?? "");
  return Number.isNaN(date) ? Date.now() : date;
}

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
  const told = messageOf(error);
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
