/** `--to` → the bucket it names. */
import { fileURLToPath } from "node:url";
import { VitrineError } from "../../base/error.ts";
import type { Bucket } from "../bucket.ts";
import { STANDARD_RETRIES } from "../calls.ts";

export interface BucketOptions {
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly concurrency: number;
  /** A call without progress for this long has failed. */
  readonly callMilliseconds: number;
}

export type PublishPlace =
  | { readonly kind: "s3"; readonly bucket: string; readonly prefix: string }
  | { readonly kind: "directory"; readonly path: string };

/** Null if it is not a folder's address: a `?` or `#` would end the path. */
function pathOf(url: string): string | null {
  try {
    return /[?#]/.test(url) ? null : fileURLToPath(url).replace(/(.)\/+$/, "$1");
  } catch {
    // Not an address, or one with an encoded slash or a host.
    return null;
  }
}

/** `s3://shop/api/` → bucket `shop`, prefix `api`. @throws VitrineError usage */
export function parsePlace(text: string): PublishPlace {
  const s3 = /^s3:\/\/([a-z0-9][a-z0-9._-]*)(?:\/(.*?))?\/*$/i.exec(text);
  if (s3?.[1] !== undefined) return { kind: "s3", bucket: s3[1], prefix: s3[2] ?? "" };
  const path = /^file:\/\/\/./.test(text) ? pathOf(text) : null;
  if (path !== null) return { kind: "directory", path };
  throw new VitrineError(
    "usage",
    `"${text}" is not a place to publish to: write s3://BUCKET/PREFIX or file:///FOLDER (three slashes, an absolute path; # ? and % in it are written %23 %3F %25).`,
  );
}

/** The S3 SDK is loaded only when needed: loading takes longer than most commands. */
export async function openBucket(text: string, options: BucketOptions): Promise<Bucket> {
  const place = parsePlace(text);
  if (place.kind === "directory") return (await import("./directory.ts")).openDirectory(place.path);
  const { openS3 } = await import("./s3.ts");
  return openS3({
    bucket: place.bucket,
    prefix: place.prefix,
    endpoint: options.endpoint,
    region: options.region,
    service: options.endpoint ?? "aws",
    concurrency: options.concurrency,
    retries: { ...STANDARD_RETRIES, callMilliseconds: options.callMilliseconds },
  });
}
