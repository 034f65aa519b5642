/**
 * The bytes of an answer. `meta.generated_at` stands last, so that all before it is the answer's content: its digest
 * is the same wherever and whenever the answer is made.
 */
import { createHash, hash } from "node:crypto";
import { API_VERSION } from "../api/endpoints.ts";
import type { Pagination } from "../api/envelope.ts";
import { contentOf, etagOfDigest } from "../api/validator.ts";
import type { Json } from "../base/json.ts";
import type { MetaTime } from "../base/time.ts";

/**
 * An answer's bytes. Of a stamped body (all but openapi.json) the last are room for `generated_at`, which
 * {@link stampBody} writes there; what comes before is the content.
 */
export interface Body {
  readonly bytes: Buffer;
  readonly stamped: boolean;
  /** What was searched for in place of the text that was asked for, if it was corrected. Envelopes have no field for it. */
  readonly corrected?: string | null;
}

/** Memory for a body of so many bytes. */
export type Allocate = (bytes: number) => Buffer;

/** The same memory for one body after the other: for whoever is done with each when the next is made. */
export function reusedMemory(): Allocate {
  let memory = Buffer.alloc(0);
  return (bytes) => {
    if (memory.length < bytes) memory = Buffer.allocUnsafeSlow(2 * bytes);
    return memory.subarray(0, bytes);
  };
}

const HEAD = '{"success":true,"data":';
const META = `"meta":{"api_version":"${API_VERSION}","generated_at":"`;
/** Room for a moment, and the end of every stamped body. */
const NO_STAMP = `${" ".repeat(25)}"}}`;

function contentTail(pagination: Pagination | null): string {
  return pagination === null ? `,${META}` : `,"pagination":${JSON.stringify(pagination)},${META}`;
}

/** `{"success":true,"data":DATA,"meta":…`, with the pagination of a list that has pages. */
export function dataBody(
  data: Json,
  pagination: Pagination | null = null,
  allocate: Allocate = Buffer.allocUnsafe,
): Body {
  const text = HEAD + data + contentTail(pagination) + NO_STAMP;
  const bytes = allocate(Buffer.byteLength(text));
  bytes.write(text);
  return { bytes, stamped: true };
}

/** A body that is not stamped: the OpenAPI document, a widget. */
export function plainBody(text: string): Body {
  return { bytes: Buffer.from(text), stamped: false };
}

/** Bytes of a whole stamped body around its data. */
export function envelopeSize(pagination: Pagination | null): number {
  return HEAD.length + contentTail(pagination).length + NO_STAMP.length;
}

/** The whole body as it is sent and stored: writes the moment into its place. */
export function stampBody(body: Body, generatedAt: MetaTime): Buffer {
  if (body.stamped) body.bytes.write(generatedAt, body.bytes.length - NO_STAMP.length, "latin1");
  return body.bytes;
}

/**
 * The HTTP validator of an answer, for example `W/"3f…"` with 32 hexadecimal digits: half the SHA-256 of its content.
 * Weak, because `generated_at` and the encoding may differ between two answers that mean the same (RFC 9110 §8.8.1).
 */
export function etagOf({ bytes, stamped }: Body): string {
  return etagOfDigest(hash("sha256", contentOf(bytes, stamped), "hex"));
}

/** What identifies a body. */
export interface BodyDigests {
  /** See {@link etagOf}. */
  readonly etag: string;
  /** SHA-256 of the body as {@link stampBody} gave it, hexadecimal. Asked for at most once. */
  digestOf(stamped: Buffer): string;
}

/** The validator of a body whose file may be digested next: the bytes that both are made of are read once. */
export function createDigests({ bytes, stamped }: Body): BodyDigests {
  const content = contentOf(bytes, stamped);
  const hashed = createHash("sha256").update(content);
  return {
    etag: etagOfDigest(hashed.copy().digest("hex")),
    digestOf: (whole) => hashed.update(whole.subarray(content.length)).digest("hex"),
  };
}
