/** Fastly: one address a request, 256 keys (its word for tags) a request, or all of a service. */
import pMap from "p-map";
import type { Progress } from "../bucket.ts";
import type { RetryPolicy } from "../retry.ts";
import { PURGE_RETRIES, sendPurge } from "./http.ts";
import { type Cdn, type PurgeLimits, pathsOfKey } from "./plan.ts";

const API = "https://api.fastly.com";
const CONCURRENCY = 8;

function fastlyLimits(origin: string, tags: boolean): PurgeLimits {
  // 100,000 purges an hour, counted by address: a tenth of it for one publish.
  return {
    exactMost: 10_000,
    exactBatch: 1000,
    tagBatch: tags ? 256 : 0,
    addressesOf: (key) => pathsOfKey(key).map((path) => origin.replace(/^https?:\/\//, "") + path),
    costOf: ({ requests }) => {
      const count = requests.reduce(
        (sum, request) => sum + (request.kind === "exact" ? request.addresses.length : 1),
        0,
      );
      return `${count} requests of 100,000 an hour, free of charge`;
    },
  };
}

export interface FastlyOptions {
  readonly service: string;
  readonly origin: string;
  readonly tags: boolean;
  readonly token: string;
  readonly api?: string;
  readonly retries?: RetryPolicy;
}

export function createFastly(options: FastlyOptions): Cdn {
  const { service, origin, tags, token, api = API, retries = PURGE_RETRIES } = options;
  const name = `fastly:${service}`;
  const post = (path: string, progress?: Progress, body?: object) =>
    sendPurge(
      name,
      {
        url: `${api}${path}`,
        method: "POST",
        headers: { "Fastly-Key": token, Accept: "application/json", "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
      retries,
      progress,
    );
  return {
    name,
    limits: fastlyLimits(origin, tags),
    async purge(request, _reference, progress) {
      const at = `/service/${encodeURIComponent(service)}`;
      if (request.kind === "everything") await post(`${at}/purge_all`, progress);
      else if (request.kind === "tags") await post(`${at}/purge`, progress, { surrogate_keys: request.tags });
      else
        await pMap(request.addresses, (address) => post(`/purge/${address}`, progress), {
          concurrency: CONCURRENCY,
        });
    },
  };
}
