/** Cloudflare: whole addresses or tags, a hundred in a request; a plan's rate is kept by waiting when it says 429. */
import type { RetryPolicy } from "../retry.ts";
import { PURGE_RETRIES, purgeError, sendPurge } from "./http.ts";
import { type Cdn, type PurgeLimits, type PurgeRequest, pathsOfKey } from "./plan.ts";

const API = "https://api.cloudflare.com/client/v4";

/** `origin`: `https://shop.example`, where the public asks. */
function cloudflareLimits(origin: string, tags: boolean): PurgeLimits {
  return {
    exactMost: 3000,
    exactBatch: 100,
    tagBatch: tags ? 100 : 0,
    addressesOf: (key) => pathsOfKey(key).map((path) => origin + path),
    costOf: ({ requests }) => `${requests.length} requests, free of charge`,
  };
}

function bodyOf(request: PurgeRequest): object {
  if (request.kind === "exact") return { files: request.addresses };
  return request.kind === "tags" ? { tags: request.tags } : { purge_everything: true };
}

export interface CloudflareOptions {
  readonly zone: string;
  readonly origin: string;
  readonly tags: boolean;
  readonly token: string;
  readonly api?: string;
  readonly retries?: RetryPolicy;
}

export function createCloudflare(options: CloudflareOptions): Cdn {
  const { zone, origin, tags, token, api = API, retries = PURGE_RETRIES } = options;
  const name = `cloudflare:${zone}`;
  return {
    name,
    limits: cloudflareLimits(origin, tags),
    async purge(request, _reference, progress) {
      const text = await sendPurge(
        name,
        {
          url: `${api}/zones/${encodeURIComponent(zone)}/purge_cache`,
          method: "POST",
          headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
          body: JSON.stringify(bodyOf(request)),
        },
        retries,
        progress,
      );
      // A 200 may still say no.
      const { success } = JSON.parse(text) as { success?: boolean };
      if (success !== true) throw purgeError(name, text.slice(0, 200));
    },
  };
}
