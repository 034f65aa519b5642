/**
 * The bytes of an answer. `meta.generated_at` stands last, so that all before it is the answer's content: its digest
 * is the same wherever and whenever the answer is made.
 */
import { createHash } from "node:crypto";
import type { Json } from "../base/json.ts";
import type { MetaTime } from "../base/time.ts";
import type { Pagination } from "../contract/answers.ts";
import { API_VERSION } from "../contract/endpoints.ts";
import { etagOfDigest } from "../contract/validator.ts";
import type { FragmentPool } from "./fragment-pool.ts";

/** An answer's bytes: the content, and whether `generated_at` follows it (all but openapi.json). */
export interface Body {
  readonly content: Buffer;
  readonly stamped: boolean;
}

const HEAD = '{"success":true,"data":';
const META = `"meta":{"api_version":"${API_VERSION}","generated_at":"`;
const TAIL = '"}}';

function contentTail(pagination: Pagination | null): string {
  return pagination === null ? `,${META}` : `,"pagination":${JSON.stringify(pagination)},${META}`;
}

/** `{"success":true,"data":DATA,"meta":…`, with the pagination of a list that has pages. */
export function dataBody(data: Json, pagination: Pagination | null = null): Body {
  return { content: Buffer.from(HEAD + data + contentTail(pagination)), stamped: true };
}

/** `{"success":true,"data":[FRAGMENT,FRAGMENT],"pagination":{…},"meta":…`: fragments are copied, not encoded. */
export function listBody(pool: FragmentPool, rows: Uint32Array, pagination: Pagination | null): Body {
  const tail = `]${contentTail(pagination)}`;
  const content = Buffer.allocUnsafe(HEAD.length + 1 + pool.joinedSize(rows) + tail.length);
  const start = content.write(`${HEAD}[`, 0, "latin1");
  content.write(tail, pool.join(rows, content, start), "latin1");
  return { content, stamped: true };
}

/** Bytes that a whole list answer has beside its joined fragments. */
export function listOverhead(pagination: Pagination | null): number {
  return HEAD.length + 2 + contentTail(pagination).length + 25 + TAIL.length;
}

/** The whole body as it is sent and stored. */
export function stampBody(body: Body, generatedAt: MetaTime): Buffer {
  return body.stamped ? Buffer.concat([body.content, Buffer.from(generatedAt + TAIL)]) : body.content;
}

/**
 * The HTTP validator of an answer, for example `W/"3f…"` with 32 hexadecimal digits: half the SHA-256 of its content.
 * Weak, because `generated_at` and the encoding may differ between two answers that mean the same (RFC 9110 §8.8.1).
 */
export function etagOf(content: Buffer): string {
  return etagOfDigest(createHash("sha256").update(content).digest("hex"));
}
