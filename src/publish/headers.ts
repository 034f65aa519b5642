/** What an object says of itself: type, cache lifetime, digest, cache tag. Pure. */
import { createHash } from "node:crypto";
import { extname } from "node:path";
import { contentType } from "mime-types";
import { cacheControl, type PublicConfig } from "../contract/config.ts";
import { API_PATH } from "../contract/endpoints.ts";
import type { ObjectHeaders } from "./bucket.ts";

/** Raised when headers are made otherwise: a release with other headers is another release. */
const SCHEME = "1";
const API_PREFIX = `${API_PATH.slice(1)}/`;

/**
 * The cache tag of a key: its endpoint. One tag covers all pages, sorts and filters of a list.
 * `api/v1/products/category=scripts/page=1.json` → `vitrine-products`; `widgets/reviews.js` → `vitrine-widgets-js`
 */
export function tagOf(key: string): string {
  if (!key.startsWith(API_PREFIX)) return "vitrine-widgets-js";
  const end = key.indexOf("/", API_PREFIX.length);
  const stem = end < 0 ? key.slice(API_PREFIX.length, -".json".length) : key.slice(API_PREFIX.length, end);
  return `vitrine-${stem}`;
}

/** Headers of all keys of a release follow from this text and the key alone. */
export function headerPolicy(config: PublicConfig): string {
  return `${SCHEME} ${cacheControl(config).answer}`;
}

export interface HeaderMaker {
  of(key: string, digest: string): ObjectHeaders;
  /** Digest of the headers, the body's digest apart: 16 hexadecimal digits. */
  digestOf(key: string): string;
}

export function createHeaderMaker(config: PublicConfig): HeaderMaker {
  const cache = cacheControl(config).answer;
  const made = new Map<string, string>();
  const plain = (key: string): Omit<ObjectHeaders, "metadata"> & { tag: string } => ({
    contentType: contentType(extname(key)) || "application/octet-stream",
    cacheControl: cache,
    tag: tagOf(key),
  });
  return {
    of(key, digest) {
      const { tag, ...headers } = plain(key);
      return { ...headers, metadata: { digest, "cache-tag": tag } };
    },
    digestOf(key) {
      const text = JSON.stringify(plain(key));
      const known = made.get(text);
      if (known !== undefined) return known;
      const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
      made.set(text, digest);
      return digest;
    },
  };
}
