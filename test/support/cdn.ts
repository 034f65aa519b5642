/** A CDN that only remembers what it was asked to forget. */
import type { Cdn, PurgeRequest } from "../../src/publish/purge.ts";
import { pathsOfKey } from "../../src/publish/purge.ts";

export interface MemoryCdn extends Cdn {
  readonly requests: PurgeRequest[];
  hasPurged(path: string): boolean;
  /** How many of the next requests fail. */
  failures: number;
}

export function createMemoryCdn(): MemoryCdn {
  const cdn: MemoryCdn = {
    name: "memory",
    requests: [],
    failures: 0,
    limits: {
      exactMost: 1000,
      exactBatch: 100,
      prefixBatch: 0,
      tagBatch: 0,
      addressesOf: pathsOfKey,
      amountOf: ({ length }) => `${length} requests`,
    },
    async purge(request) {
      if (cdn.failures > 0) {
        cdn.failures -= 1;
        throw new Error("the CDN is down");
      }
      cdn.requests.push(request);
    },
    hasPurged: (path) =>
      cdn.requests.some(
        (request) =>
          request.kind === "everything" || (request.kind === "exact" && request.addresses.includes(path)),
      ),
  };
  return cdn;
}
