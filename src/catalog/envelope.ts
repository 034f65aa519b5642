/**
 * The bytes of an answer. `meta.generated_at` comes last, so that everything before it is the answer's content: the content's
 * digest is the same wherever and whenever the answer is made.
 */
import { createHash, hash } from "node:crypto";
import { API_VERSION } from "../api/endpoints.ts";
import type { Pagination } from "../api/envelope.ts";
import { contentOf, etagOfDigest } from "../api/validator.ts";
import type { Json } from "../base/json.ts";
import type { MetaTime } from "../base/time.ts";

/**
 * An answer's bytes. A stamped body (all except openapi.json) is made for one answer, in memory that nothing else uses. It ends in
 * room for `generated_at`, where {@link stampBody} writes it; the bytes before it are the content.
 */
export interface Body {
  readonly bytes: Buffer;
  readonly stamped: boolean;
  /** What was searched for in place of the text that was asked for, if it was corrected. Envelopes have no field for it. */
  readonly corrected?: string | null;
}

/** Memory for a body of this many bytes. */
export type Allocate = (bytes: number) => Buffer;

/** The same memory for each body: for callers that finish with one before they make the next. */
export function reusedMemory(): Allocate {
  let memory = Buffer.alloc(0);
  return (bytes) => {
    if (memory.length < bytes) memory = Buffer.allocUnsafeSlow(2 * bytes);
    return memory.subarray(0, bytes);
  };
}

const HEAD = '{"success":true,"data":';
const COMMA = 0x2c;
const META = `"meta":{"api_version":"${API_VERSION}","generated_at":"`;
/** Room for a time, and the end of every stamped body. */
const NO_STAMP = `${" ".repeat(25)}"}}`;

function contentTail(pagination: Pagination | null): string {
  return pagination === null ? `,${META}` : `,"pagination":${JSON.stringify(pagination)},${META}`;
}

/** `{"success":true,"data":DATA,"meta":…`, with the pagination of a list that has pages. */
export function dataBody(
  data: Json,
  pagination: Pagination | null = null,
  allocate: Allocate = Buffer.allocUnsafeSlow,
): Body {
  const text = HEAD + data + contentTail(pagination) + NO_STAMP;
  const bytes = allocate(Buffer.byteLength(text));
  bytes.write(text);
  return { bytes, stamped: true };
}

/** The same of records, without making a text of them. */
export function listBody(
  records: readonly Buffer[],
  pagination: Pagination | null,
  allocate: Allocate = Buffer.allocUnsafeSlow,
): Body {
  const [start, end] = [`${HEAD}[`, `]${contentTail(pagination)}${NO_STAMP}`];
  const commas = Math.max(0, records.length - 1);
  const bytes = allocate(
    records.reduce((sum, { length }) => sum + length, start.length + commas + end.length),
  );
  let at = bytes.write(start, "latin1");
  for (const record of records) {
    if (at > start.length) bytes[at++] = COMMA;
    bytes.set(record, at);
    at += record.length;
  }
  bytes.write(end, at, "latin1");
  return { bytes, stamped: true };
}

/** A body that is not stamped: the OpenAPI document, a widget. */
export function plainBody(text: string): Body {
  return { bytes: Buffer.from(text), stamped: false };
}

/** Size in bytes of a stamped body without its data. */
export function envelopeSize(pagination: Pagination | null): number {
  return HEAD.length + contentTail(pagination).length + NO_STAMP.length;
}

/** The whole body as it is sent and stored: writes the time into its place. */
export function stampBody(body: Body, generatedAt: MetaTime): Buffer {
  if (body.stamped) body.bytes.write(generatedAt, body.bytes.length - NO_STAMP.length, "latin1");
  return body.bytes;
}

/**
 * The HTTP validator of an answer, for example `W/"3f…"` with 32 hexadecimal digits: half the SHA-256 of its content.
 * Weak, because equivalent answers may differ in `generated_at` and encoding (RFC 9110 §8.8.1).
 */
export function etagOf({ bytes, stamped }: Body): string {
  return etagOfDigest(hash("sha256", contentOf(bytes, stamped), "hex"));
}

/** A body's validator and digest. */
export interface BodyDigests {
  /** See {@link etagOf}. */
  readonly etag: string;
  /** SHA-256 of the body as {@link stampBody} returned it, hexadecimal. @throws Error in a second call */
  digestOf(stamped: Buffer): string;
}

/** A body's validator, then its file's digest: the common bytes are hashed once. */
export function createDigests({ bytes, stamped }: Body): BodyDigests {
  const content = contentOf(bytes, stamped);
  const hashed = createHash("sha256").update(content);
  return {
    etag: etagOfDigest(hashed.copy().digest("hex")),
    digestOf: (whole) => hashed.update(whole.subarray(content.length)).digest("hex"),
  };
}
