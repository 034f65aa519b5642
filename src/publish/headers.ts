/** An object's headers: type, cache lifetime, digest, cache tag. Pure. */
import { hash } from "node:crypto";
import { extname } from "node:path";
import type { PublicConfig } from "../api/config.ts";
import { API_PATH, ASSETS } from "../api/endpoints.ts";
import { cacheControl } from "../api/responses.ts";
import { contentTypeOf } from "../base/content-type.ts";
import type { ObjectHeaders } from "./bucket.ts";

/** Raised when headers are computed differently: other headers make another release. */
const SCHEME = "1";
const API_PREFIX = `${API_PATH.slice(1)}/`;

/**
 * The cache tag of a key: its endpoint. One tag covers all pages, sorts and filters of a list.
 * `api/v1/products/category=scripts/page=1.json` → `vitrine-products`; `widgets/reviews.js` → `vitrine-widgets-js`;
 * `explore/index.html` → `vitrine-pages`
 */
export function tagOf(key: string): string {
  if (ASSETS.includes(key)) return "vitrine-widgets-js";
  if (!key.startsWith(API_PREFIX)) return "vitrine-pages";
  const end = key.indexOf("/", API_PREFIX.length);
  const stem = end < 0 ? key.slice(API_PREFIX.length, -".json".length) : key.slice(API_PREFIX.length, end);
  return `vitrine-${stem}`;
}

/** This text and a key determine the headers of the key. */
export function headerPolicy(config: PublicConfig): string {
  return `${SCHEME} ${cacheControl(config.cache).answer}`;
}

export interface HeaderMaker {
  of(key: string, digest: string): ObjectHeaders;
  /** Digest of the headers without the body's digest: 16 hexadecimal digits. */
  digestOf(key: string): string;
}

/** What all keys of one extension and tag have in common. */
interface HeaderKind {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly tag: string;
  /** Digest of the three above. */
  readonly digest: string;
}

export function createHeaderMaker(config: PublicConfig): HeaderMaker {
  const cache = cacheControl(config.cache).answer;
  const kinds = new Map<string, HeaderKind>();
  const kindOf = (key: string): HeaderKind => {
    const [extension, tag] = [extname(key), tagOf(key)];
    const known = kinds.get(tag + extension);
    if (known !== undefined) return known;
    const headers = {
      contentType: contentTypeOf(key) ?? "application/octet-stream",
      cacheControl: cache,
      tag,
    };
    const kind = { ...headers, digest: hash("sha256", JSON.stringify(headers), "hex").slice(0, 16) };
    kinds.set(tag + extension, kind);
    return kind;
  };
  return {
    of(key, digest) {
      const { contentType, cacheControl, tag } = kindOf(key);
      return { contentType, cacheControl, metadata: { digest, "cache-tag": tag } };
    },
    digestOf: (key) => kindOf(key).digest,
  };
}
