/**
 * CloudFront: an invalidation is a list of paths, tags among them, and ends when all edges confirmed. The same caller
 * reference with the same paths is the same invalidation: repeating one costs nothing.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { CloudFrontClient, CloudFrontClientConfig } from "@aws-sdk/client-cloudfront";
import { messageOf } from "../base/error.ts";
import { PURGE_RETRIES, type RetryPolicy, withDeadline, withRetries } from "./calls.ts";
import {
  type Cdn,
  countPurge,
  type PurgeLimits,
  type PurgeRequest,
  pathsOfKey,
  purgeError,
} from "./purge-plan.ts";

/** US dollars for each path after the first 1,000 of a month; a tag and a wildcard are one path each. */
const DOLLARS_PER_PATH = 0.005;
/** In moved at once, for a distribution: 3,000 paths. */
const MOST_PATHS = 3000;

function cloudFrontLimits(tags: boolean): PurgeLimits {
  return {
    // Where more changed, one wildcard or a few tags cost a hundredth and are done as fast.
    exactMost: 200,
    exactBatch: MOST_PATHS,
    tagBatch: tags ? 50 : 0,
    addressesOf: pathsOfKey,
    costOf: ({ requests }) => {
      const paths = countPurge(requests);
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

/** Names of failures that pass: too many invalidations are under way, too many requests, or no response in time. */
const PASSING = [
  "TooManyInvalidationsInProgress",
  "Throttling",
  "ThrottlingException",
  "ServiceUnavailable",
  "TimeoutError",
];
const MOST_POLLS = 150;

const loadSdk = () => import("@aws-sdk/client-cloudfront");

/** Its SDK is loaded only where it is asked to purge. */
export function createCloudFront(options: CloudFrontOptions): Cdn {
  const { distribution: DistributionId, retries = PURGE_RETRIES, pollMilliseconds = 2000 } = options;
  const name = `cloudfront:${DistributionId}`;
  let made: CloudFrontClient | undefined;
  // CloudFront's interface is in one region, wherever the bucket is.
  const connect = async () => {
    const { CloudFrontClient } = await loadSdk();
    made ??= new CloudFrontClient({ region: "us-east-1", ...options.client });
    return made;
  };
  /** Repeats what failed for a while; each try has a deadline. */
  const ask = async <Result>(request: (abortSignal: AbortSignal) => Promise<Result>): Promise<Result> => {
    const isPassing = (error: unknown) => error instanceof Error && PASSING.includes(error.name);
    try {
      return await withRetries(retries, isPassing, () =>
        withDeadline(retries.callMilliseconds, ({ signal }) => request(signal)),
      );
    } catch (error) {
      throw purgeError(name, messageOf(error), error);
    }
  };
  const create = async (request: PurgeRequest, CallerReference: string): Promise<string> => {
    const Items = pathsOf(request);
    const InvalidationBatch = { CallerReference, Paths: { Quantity: Items.length, Items } };
    const { CreateInvalidationCommand } = await loadSdk();
    const command = new CreateInvalidationCommand({ DistributionId, InvalidationBatch });
    const created = await ask(async (abortSignal) => (await connect()).send(command, { abortSignal }));
    return created.Invalidation?.Id ?? "";
  };
  return {
    name,
    limits: cloudFrontLimits(options.tags),
    async purge(request, reference, moved) {
      const Id = await create(request, reference);
      const { GetInvalidationCommand } = await loadSdk();
      for (let poll = 0; poll < MOST_POLLS; poll++) {
        const command = new GetInvalidationCommand({ DistributionId, Id });
        const found = await ask(async (abortSignal) => (await connect()).send(command, { abortSignal }));
        if (found.Invalidation?.Status === "Completed") return;
        moved?.();
        await sleep(pollMilliseconds);
      }
      throw purgeError(name, `invalidation ${Id} is still not completed`);
    },
  };
}
