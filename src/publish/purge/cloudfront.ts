/**
 * CloudFront: an invalidation is a list of paths, tags among them, and ends when all edges confirmed. The same caller
 * reference with the same paths is the same invalidation: repeating one costs nothing.
 */
import { setTimeout as sleep } from "node:timers/promises";
import {
  CloudFrontClient,
  type CloudFrontClientConfig,
  CreateInvalidationCommand,
  GetInvalidationCommand,
} from "@aws-sdk/client-cloudfront";
import { messageOf } from "../../base/error.ts";
import { pause, type RetryPolicy } from "../retry.ts";
import { PURGE_RETRIES, purgeError } from "./http.ts";
import { type Cdn, countPurge, type PurgeLimits, type PurgeRequest, pathsOfKey } from "./plan.ts";

/** US dollars for each path after the first 1,000 of a month; a tag and a wildcard are one path each. */
const DOLLARS_PER_PATH = 0.005;
/** In progress at once, for a distribution: 3,000 paths. */
const MOST_PATHS = 3000;

function cloudFrontLimits(tags: boolean): PurgeLimits {
  return {
    // Where more changed, one wildcard or a few tags cost a hundredth and are done as fast.
    exactMost: 200,
    exactBatch: MOST_PATHS,
    tagBatch: tags ? 50 : 0,
    addressesOf: pathsOfKey,
    costOf: ({ requests }) => {
      const { exact, tags: tagged, everything } = countPurge(requests);
      const paths = exact + tagged + everything;
      return `${paths} paths: free within the first 1,000 of a month, else $${(paths * DOLLARS_PER_PATH).toFixed(2)}`;
    },
  };
}

function pathsOf(request: PurgeRequest): string[] {
  if (request.kind === "exact") return [...request.addresses];
  return request.kind === "tags" ? request.tags.map((tag) => `#${tag}`) : ["/*"];
}

export interface CloudFrontOptions {
  readonly distribution: string;
  readonly tags: boolean;
  readonly client?: CloudFrontClientConfig;
  readonly retries?: RetryPolicy;
  readonly pollMilliseconds?: number;
}

/** Names of failures that pass: too many invalidations are under way, or too many requests. */
const BUSY = ["TooManyInvalidationsInProgress", "Throttling", "ThrottlingException", "ServiceUnavailable"];
const MOST_POLLS = 150;

export function createCloudFront(options: CloudFrontOptions): Cdn {
  const { distribution: DistributionId, retries = PURGE_RETRIES, pollMilliseconds = 2000 } = options;
  const name = `cloudfront:${DistributionId}`;
  let made: CloudFrontClient | undefined;
  // CloudFront's interface is in one region, wherever the bucket is.
  const connect = () => {
    made ??= new CloudFrontClient({ region: "us-east-1", ...options.client });
    return made;
  };
  const create = async (request: PurgeRequest, CallerReference: string): Promise<string> => {
    const Items = pathsOf(request);
    const InvalidationBatch = { CallerReference, Paths: { Quantity: Items.length, Items } };
    for (let attempt = 0; ; attempt++) {
      try {
        const made = await connect().send(
          new CreateInvalidationCommand({ DistributionId, InvalidationBatch }),
        );
        return made.Invalidation?.Id ?? "";
      } catch (error) {
        const busy = error instanceof Error && BUSY.includes(error.name);
        if (!busy || attempt + 1 >= retries.attempts) throw purgeError(name, messageOf(error), error);
        await pause(retries, attempt);
      }
    }
  };
  return {
    name,
    limits: cloudFrontLimits(options.tags),
    async purge(request, reference) {
      const Id = await create(request, reference);
      for (let poll = 0; poll < MOST_POLLS; poll++) {
        const found = await connect()
          .send(new GetInvalidationCommand({ DistributionId, Id }))
          .catch((error: unknown) => {
            throw purgeError(name, messageOf(error), error);
          });
        if (found.Invalidation?.Status === "Completed") return;
        await sleep(pollMilliseconds);
      }
      throw purgeError(name, `invalidation ${Id} is still not completed`);
    },
  };
}
