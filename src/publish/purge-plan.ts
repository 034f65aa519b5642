/**
 * What a CDN is asked to forget, as data: exact keys while they are few, then tags, then everything, each within what the
 * provider takes. Pure; purge.ts and purge-cloudfront.ts only send it.
 */
import { dirname } from "node:path/posix";
import { API_PATH, INDEX_FILE } from "../api/endpoints.ts";
import { VitrineError } from "../base/error.ts";
import { queryOfKey, targetOf } from "../key/key.ts";

/** What changed in a release: keys that were put or deleted, new ones too, for a CDN keeps 404s. */
export interface PendingPurge {
  /** Of the release that changed them: a purge that is repeated has the same. */
  readonly release: string;
  /** Null: too many to name. */
  readonly keys: readonly string[] | null;
  readonly tags: readonly string[];
}

export interface PurgeLimits {
  /** Exact addresses up to this many are purged one by one; above, tags or everything is the better bargain. */
  readonly exactMost: number;
  /** Most in one request. */
  readonly exactBatch: number;
  /** 0: no purge by tag. */
  readonly tagBatch: number;
  /** Addresses of a key: as the CDN's cache key spells them. */
  readonly addressesOf: (key: string) => readonly string[];
  readonly costOf: (purge: Omit<PurgePlan, "cost">) => string;
}

export type PurgeRequest =
  | { readonly kind: "exact"; readonly addresses: readonly string[] }
  | { readonly kind: "tags"; readonly tags: readonly string[] }
  | { readonly kind: "everything" };

export interface PurgePlan {
  readonly cdn: string;
  readonly requests: readonly PurgeRequest[];
  /** For people: `"12 paths; free up to 1,000 a month, then $0.06"` */
  readonly cost: string;
}

export interface Cdn {
  readonly name: string;
  readonly limits: PurgeLimits;
  /**
   * Resolves once the CDN confirmed, and ends in any case. `reference` is the same for a request that is repeated; each
   * response on the way is told by `moved`.
   */
  purge(request: PurgeRequest, reference: string, moved?: () => void): Promise<void>;
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  const all: Item[][] = [];
  for (let at = 0; at < items.length; at += size) all.push(items.slice(at, at + size));
  return all;
}

function requestsOf({ keys, tags }: PendingPurge, limits: PurgeLimits): PurgeRequest[] {
  if (keys !== null) {
    const addresses = [...new Set(keys.flatMap(limits.addressesOf))];
    if (addresses.length <= limits.exactMost) {
      return chunks(addresses, limits.exactBatch).map((batch) => ({ kind: "exact", addresses: batch }));
    }
  }
  if (limits.tagBatch > 0 && tags.length > 0) {
    return chunks(tags, limits.tagBatch).map((batch) => ({ kind: "tags", tags: batch }));
  }
  return [{ kind: "everything" }];
}

export function planPurge(pending: PendingPurge, cdn: Pick<Cdn, "name" | "limits">): PurgePlan {
  const plan = { cdn: cdn.name, requests: requestsOf(pending, cdn.limits) };
  return { ...plan, cost: cdn.limits.costOf(plan) };
}

/** A place as a bucket may hold it, and people may read it: of a webhook's address the rest may be a secret. */
export function shownPlace(spec: string): string {
  const webhook = /^webhook:(https?:\/\/)(?:[^/?#@]*@)?([^/?#]*)/.exec(spec);
  return webhook === null ? spec : `webhook:${webhook[1]}${webhook[2]}`;
}

/** Sends a plan, request by request. */
export async function runPurge(
  cdn: Cdn,
  plan: PurgePlan,
  release: string,
  moved?: () => void,
): Promise<void> {
  for (const [at, request] of plan.requests.entries())
    await cdn.purge(request, `vitrine-${release}-${at}`, moved);
}

/** Paths of a key: the file that edges ask for, and the request that people make where it is another. */
export function pathsOfKey(key: string): string[] {
  const query = queryOfKey(key);
  if (query === null) return key.endsWith(`/${INDEX_FILE}`) ? [`/${key}`, `/${dirname(key)}/`] : [`/${key}`];
  const request = targetOf(query);
  const paths = [`/${key}`, request, ...(request === API_PATH ? [`${request}/`] : [])];
  return [...new Set(paths)];
}

/** Addresses, keys and tags that a plan names in all. */
export function countPurge(requests: readonly PurgeRequest[]): number {
  const countOf = (request: PurgeRequest) =>
    request.kind === "exact" ? request.addresses.length : request.kind === "tags" ? request.tags.length : 1;
  return requests.reduce((sum, request) => sum + countOf(request), 0);
}

export function purgeError(who: string, reason: string, cause?: unknown): VitrineError {
  return new VitrineError("purge_failed", `${who} did not take the purge: ${reason}.`, { cause });
}
