/**
 * Purges: what a CDN is asked to forget. The plan is data: exact keys while they are few, then tags, then everything, each within
 * the provider's limits. `--purge` names a CDN; those with a JSON API over HTTP are rows of a table, CloudFront has its own SDK.
 * Secrets come from the environment, never from the command line or a bucket.
 */

import { createHmac, randomUUID } from "node:crypto";
import { dirname } from "node:path/posix";
import type { CloudFrontClient, CloudFrontClientConfig } from "@aws-sdk/client-cloudfront";
import pMap from "p-map";
import { API_PATH, INDEX_FILE } from "../api/endpoints.ts";
import { CLOCK, type Clock } from "../base/clock.ts";
import { VitrineError } from "../base/error.ts";
import { parseShallowJson } from "../base/json.ts";
import { counted } from "../base/log.ts";
import { wholeBody } from "../base/responses.ts";
import { type RetryPolicy, Transient, withRetries } from "../base/retries.ts";
import { queryOfKey, targetOf } from "../key/key.ts";
import { parseCdn, shownPlace, WEBHOOK_SECRET } from "./addresses.ts";
import { findCredentials, isTransient, NO_LOG, proxyOf, replyOf } from "./aws.ts";
import { PURGE_RETRIES, waitOf, withDeadline } from "./calls.ts";
import { tagOf } from "./headers.ts";
import { explainReply, isPageOf, type Reply } from "./replies.ts";

/** What changed in a release: keys that were put or deleted. New keys count, because CDNs cache 404s. */
export interface PendingPurge {
  /** The release that changed them. */
  readonly release: string;
  /** Null: too many to name. */
  readonly keys: readonly string[] | null;
  readonly tags: readonly string[];
}

/** Above this many keys, a purge names tags. */
const MOST_KEYS = 10_000;

/** What a CDN must forget after these keys were put or deleted. */
export function pendingPurge(release: string, touched: Iterable<string>): PendingPurge {
  const keys: string[] = [];
  const tags = new Set<string>();
  for (const key of touched) {
    if (keys.length <= MOST_KEYS) keys.push(key);
    tags.add(tagOf(key));
  }
  return { release, keys: keys.length > MOST_KEYS ? null : keys.sort(), tags: [...tags].sort() };
}

/** Everything is purged if nothing is named. */
export function purgeOfAll(release: string): PendingPurge {
  return { release, keys: null, tags: [] };
}

interface PurgeLimits {
  /** Up to this many exact addresses are purged one by one; above, tags or everything are cheaper. */
  readonly exactMost: number;
  /** Most addresses in one request. */
  readonly exactBatch: number;
  /** Most prefixes in one request, for a CDN that an exact purge makes forget only one of several copies; else 0. */
  readonly prefixBatch: number;
  /** 0: the CDN cannot purge by tag. */
  readonly tagBatch: number;
  /** Addresses of a key, as the CDN's cache key spells them. */
  readonly addressesOf: (key: string) => readonly string[];
  /** What the CDN counts, for people. */
  readonly amountOf: (requests: readonly PurgeRequest[]) => string;
}

export type PurgeRequest =
  | { readonly kind: "exact"; readonly addresses: readonly string[] }
  /** Of addresses without their query, which every copy of an address and of those below it begins with. */
  | { readonly kind: "prefixes"; readonly prefixes: readonly string[] }
  | { readonly kind: "tags"; readonly tags: readonly string[] }
  | { readonly kind: "everything" };

export interface PurgePlan {
  readonly cdn: string;
  readonly requests: readonly PurgeRequest[];
  /** For people, as the CDN counts it: `"12 paths"` */
  readonly amount: string;
}

export interface Cdn {
  readonly name: string;
  readonly limits: PurgeLimits;
  /**
   * Resolves once the CDN has confirmed, and ends in any case. `reference` is unique to this request and the same when the request is
   * repeated; `moved` is called after each response on the way.
   */
  purge(request: PurgeRequest, reference: string, moved?: () => Promise<void>): Promise<void>;
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  const all: Item[][] = [];
  for (let at = 0; at < items.length; at += size) all.push(items.slice(at, at + size));
  return all;
}

function exactly(addresses: readonly string[]): PurgeRequest {
  return { kind: "exact", addresses };
}

/**
 * The shortest prefixes that cover all addresses: `https://shop.example/api/v1/product?id=1` → `shop.example/api/v1/product`. One
 * covers what is below it, as `…/product` covers `…/product/id=1.json`, and every query: copies that did not change go as well.
 */
export function prefixesOf(addresses: readonly string[]): string[] {
  const all = new Set(addresses.map((address) => address.replace(/^https?:\/\/|\/*(\?.*)?$/g, "")));
  const isCovered = (prefix: string) => {
    for (let end = prefix.lastIndexOf("/"); end > 0; end = prefix.lastIndexOf("/", end - 1))
      if (all.has(prefix.slice(0, end))) return true;
    return false;
  };
  return [...all].filter((prefix) => !isCovered(prefix));
}

function requestsOf({ keys, tags }: PendingPurge, limits: PurgeLimits): PurgeRequest[] {
  if (keys !== null) {
    const addresses = [...new Set(keys.flatMap(limits.addressesOf))];
    if (addresses.length <= limits.exactMost) {
      const exact = chunks(addresses, limits.exactBatch).map((batch) => exactly(batch));
      if (limits.prefixBatch === 0) return exact;
      const prefixes = chunks(prefixesOf(addresses), limits.prefixBatch).map(
        (batch): PurgeRequest => ({ kind: "prefixes", prefixes: batch }),
      );
      return [...exact, ...prefixes];
    }
  }
  if (limits.tagBatch > 0 && tags.length > 0) {
    return chunks(tags, limits.tagBatch).map((batch) => ({ kind: "tags", tags: batch }));
  }
  return [{ kind: "everything" }];
}

export function planPurge(pending: PendingPurge, cdn: Pick<Cdn, "name" | "limits">): PurgePlan {
  const requests = requestsOf(pending, cdn.limits);
  return { cdn: cdn.name, requests, amount: cdn.limits.amountOf(requests) };
}

/** Removes a webhook's path from a text: servers repeat it in errors such as "Cannot POST /…". */
function pathHider(address: string): (text: string) => string {
  const url = URL.parse(address);
  if (url === null) return (text) => text.replaceAll(address, "…");
  const path = url.pathname + url.search;
  const parts = [...url.pathname.split("/"), ...url.searchParams.values()].filter(
    ({ length }) => length >= 4,
  );
  const secrets = [address, url.href, path, decodeURI(path), url.pathname, ...parts, ...parts.map(decodeURI)];
  const hidden = secrets.filter((text) => text.length > 1);
  return (text) => hidden.reduce((rest, secret) => rest.replaceAll(secret, "…"), text);
}

/**
 * Sends a plan, request by request. Each run has a new reference: CloudFront refuses a reused one (caller reference) with other
 * paths, and ignores it with the same paths.
 */
export async function runPurge(
  cdn: Cdn,
  plan: PurgePlan,
  release: string,
  moved?: () => Promise<void>,
): Promise<void> {
  const purge = `vitrine-${release}-${randomUUID()}`;
  for (const [at, request] of plan.requests.entries()) await cdn.purge(request, `${purge}-${at}`, moved);
}

/** Paths of a key: the file that edges ask for, and the public request if it differs. */
export function pathsOfKey(key: string): string[] {
  const query = queryOfKey(key);
  if (query === null) return key.endsWith(`/${INDEX_FILE}`) ? [`/${key}`, `/${dirname(key)}/`] : [`/${key}`];
  const request = targetOf(query);
  const paths = [`/${key}`, request, ...(request === API_PATH ? [`${request}/`] : [])];
  return [...new Set(paths)];
}

/** Number of addresses and tags that a plan names. */
function countPurge(requests: readonly PurgeRequest[]): number {
  const countOf = (request: PurgeRequest) => {
    if (request.kind === "exact") return request.addresses.length;
    if (request.kind === "prefixes") return request.prefixes.length;
    return request.kind === "tags" ? request.tags.length : 1;
  };
  return requests.reduce((sum, request) => sum + countOf(request), 0);
}

/** @param reply the CDN's @param cause without the receiver's secrets */
function purgeError(who: string, reply: Reply, cause?: unknown): VitrineError {
  const { said, hint } = explainReply(reply);
  return new VitrineError("purge_failed", `${who} did not take the purge: ${said}`, { hint, cause });
}

interface PurgeCall {
  /** Below the provider's address. */
  readonly path: string;
  readonly body?: object;
}

/** An API that takes JSON over HTTP. */
interface HttpProvider {
  /** Address of the API; "" for a webhook, whose address the user gives. */
  readonly api: string;
  /** Name of the environment variable with its token. */
  readonly token: string;
  readonly limits: Omit<PurgeLimits, "addressesOf">;
  /** A path at the public address → the provider's spelling in its cache key. */
  addressOf(path: string, origin: string): string;
  /** The messages of one request; each is repeated while the other side is busy. */
  messagesOf(request: PurgeRequest, reference: string, id: string): readonly PurgeCall[];
  headersOf(secret: string | undefined, body: string, reference: string): Readonly<Record<string, string>>;
  /** True if the JSON of a 2xx response confirms. Without this function, any 2xx confirms. */
  readonly isTaken?: (value: unknown) => boolean;
}

/**
 * Whole addresses or tags, a hundred per request. Its cache's default key has the reader's Origin, so an address names only the copy
 * of readers without one (and the Worker's, whose key is the address): prefixes, at most 30 per request, name all copies
 * (developers.cloudflare.com/cache/how-to/cache-keys, …/purge-cache/purge_by_prefix). Its rate limit is respected by waiting after a 429.
 */
const CLOUDFLARE: HttpProvider = {
  api: "https://api.cloudflare.com/client/v4",
  token: "CLOUDFLARE_API_TOKEN",
  limits: {
    exactMost: 3000,
    exactBatch: 100,
    prefixBatch: 30,
    tagBatch: 100,
    amountOf: ({ length }) => counted(length, ["request"]),
  },
  addressOf: (path, origin) => origin + path,
  messagesOf(request, _reference, zone) {
    const path = `/zones/${zone}/purge_cache`;
    if (request.kind === "exact") return [{ path, body: { files: request.addresses } }];
    if (request.kind === "prefixes") return [{ path, body: { prefixes: request.prefixes } }];
    return [{ path, body: request.kind === "tags" ? { tags: request.tags } : { purge_everything: true } }];
  },
  headersOf: (token) => ({ Authorization: `Bearer ${token}` }),
  // A 200 may still be a refusal.
  isTaken: (value) => (value as { readonly success?: unknown } | null)?.success === true,
};

/** One address per request, or 256 keys (Fastly's word for tags), or all of a service. */
const FASTLY: HttpProvider = {
  api: "https://api.fastly.com",
  token: "FASTLY_API_TOKEN",
  limits: {
    // The limit is 100,000 purges an hour, counted by address: one publish may use a tenth.
    exactMost: 10_000,
    exactBatch: 1000,
    prefixBatch: 0,
    tagBatch: 256,
    amountOf: (requests) => {
      const tagged = requests.filter(({ kind }) => kind === "tags");
      const exact = requests.filter(({ kind }) => kind !== "tags");
      return counted(countPurge(exact) + tagged.length, ["request"]);
    },
  },
  addressOf: (path, origin) => origin.replace(/^https?:\/\//, "") + path,
  messagesOf(request, _reference, service) {
    if (request.kind === "exact") return request.addresses.map((address) => ({ path: `/purge/${address}` }));
    if (request.kind === "tags")
      return [{ path: `/service/${service}/purge`, body: { surrogate_keys: request.tags } }];
    return [{ path: `/service/${service}/purge_all` }];
  },
  headersOf: (token = "") => ({ "Fastly-Key": token, Accept: "application/json" }),
  // `{"status":"ok",…}`, or an id for each key.
  isTaken: (value) => typeof value === "object" && value !== null,
};

/**
 * Any other CDN or cache: its owner's script receives what changed. `{"purge":"exact","paths":[…]}`,
 * `{"purge":"tags","tags":[…]}` or `{"purge":"everything"}`; any 2xx confirms.
 */
const WEBHOOK: HttpProvider = {
  api: "",
  token: WEBHOOK_SECRET,
  limits: {
    exactMost: 20_000,
    exactBatch: 1000,
    prefixBatch: 0,
    tagBatch: 1000,
    amountOf: ({ length }) => counted(length, ["request"]),
  },
  addressOf: (path) => path,
  messagesOf(request, reference) {
    const body = { purge: request.kind, reference };
    if (request.kind === "exact") return [{ path: "", body: { ...body, paths: request.addresses } }];
    return [{ path: "", body: request.kind === "tags" ? { ...body, tags: request.tags } : body }];
  },
  /** Signed if a secret is set: `X-Vitrine-Signature: sha256=HEX`, an HMAC of the body. */
  headersOf: (secret, body, reference) => ({
    "Idempotency-Key": reference,
    ...(secret && {
      "X-Vitrine-Signature": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    }),
  }),
};

const MOST_WAIT_SECONDS = 120;
/** A confirmation is shorter than this. */
const MOST_TEXT_BYTES = 64 * 1024;
const CONCURRENCY = 8;

/** The CDN or webhook that is asked to purge. */
interface Receiver {
  /** The name to show to people. */
  readonly name: string;
  /** Removes the receiver's secrets from a text. */
  readonly hide: (text: string) => string;
  /** Only of a webhook: it is sent a signature. */
  readonly isSigned?: boolean;
}

/** A response that does not confirm the purge. */
class Refused extends Transient {
  readonly reply: Reply;

  constructor(reply: Reply, waitMilliseconds?: number) {
    super(String(reply.status), waitMilliseconds);
    this.reply = reply;
  }
}

function replyIn({ status, headers }: Response, text: string, { hide, isSigned }: Receiver): Reply {
  const isPage = isPageOf(headers.get("Content-Type") ?? "", text);
  return {
    doing: "purging",
    code: "",
    status,
    message: isPage ? "" : hide(text),
    isPage,
    isSigned,
    headers: {
      server: headers.get("Server") ?? undefined,
      location: headers.get("Location") ?? undefined,
    },
  };
}

/** Undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return parseShallowJson(text);
  } catch {
    // JSON.parse has one error.
    return undefined;
  }
}

/** Sends once. A redirect does not confirm, and it is not followed: the secret is not for another address. */
async function sendOnce(
  receiver: Receiver,
  url: string,
  init: RequestInit,
  isTaken: HttpProvider["isTaken"],
  clock: Clock | undefined,
  moved: () => Promise<void> = async () => undefined,
): Promise<void> {
  const response = await fetch(url, { ...init, method: "POST", redirect: "manual" });
  const long = () => new Error("its response is too long");
  const text = String(await wholeBody(response.body ?? [], MOST_TEXT_BYTES, long));
  await moved();
  if (response.ok && (isTaken === undefined || isTaken(parseJson(text)))) return;
  throw new Refused(replyIn(response, text, receiver), waitOf(response, MOST_WAIT_SECONDS, clock));
}

/** @throws VitrineError purge_failed */
async function send(
  receiver: Receiver,
  url: string,
  init: RequestInit,
  isTaken: HttpProvider["isTaken"],
  retries: RetryPolicy,
  moved?: () => Promise<void>,
): Promise<void> {
  const isWorthAnother = (error: unknown) =>
    error instanceof Refused
      ? error.reply.status === 429 || error.reply.status >= 500
      : !(error instanceof VitrineError);
  try {
    await withRetries(retries, isWorthAnother, () =>
      withDeadline(retries, ({ signal }) =>
        sendOnce(receiver, url, { ...init, signal }, isTaken, retries.clock, moved),
      ),
    );
  } catch (error) {
    if (error instanceof Refused) throw purgeError(receiver.name, error.reply);
    if (error instanceof VitrineError) throw error;
    // The cause says what failed in `fetch`.
    const reply = replyOf(error instanceof Error ? (error.cause ?? error) : error, "purging");
    const { isSigned, hide } = receiver;
    throw purgeError(receiver.name, { ...reply, isSigned, message: hide(reply.message) });
  }
}

interface HttpCdn extends CdnOptions, Receiver {
  readonly url: string;
  /** The zone or service at the provider. */
  readonly id: string;
  /** Whether the CDN reads our cache tags. */
  readonly tags: boolean;
  readonly secret: string | undefined;
}

function overHttp(provider: HttpProvider, cdn: HttpCdn): Cdn {
  const { name, url, id, tags, secret, origin, retries = PURGE_RETRIES } = cdn;
  const { limits, addressOf, messagesOf, headersOf, isTaken } = provider;
  return {
    name,
    limits: {
      ...limits,
      tagBatch: tags ? limits.tagBatch : 0,
      addressesOf: (key) => pathsOfKey(key).map((path) => addressOf(path, origin)),
    },
    async purge(request, reference, moved) {
      const sendMessage = async (message: PurgeCall) => {
        const body = message.body === undefined ? "" : JSON.stringify(message.body);
        const headers = { "Content-Type": "application/json", ...headersOf(secret, body, reference) };
        await send(cdn, url + message.path, { headers, body }, isTaken, retries, moved);
      };
      await pMap(messagesOf(request, reference, id), sendMessage, { concurrency: CONCURRENCY });
    },
  };
}

/** Most paths in progress for one distribution. */
const MOST_PATHS = 3000;

function cloudFrontLimits(tags: boolean): PurgeLimits {
  return {
    // Above this, a wildcard or a few tags cost a hundredth and are as fast.
    exactMost: 200,
    exactBatch: MOST_PATHS,
    prefixBatch: 0,
    tagBatch: tags ? 50 : 0,
    addressesOf: pathsOfKey,
    amountOf: (requests) => counted(countPurge(requests), ["path"]),
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
}

const POLL_MILLISECONDS = 2000;
const MOST_POLLS = 150;

const loadSdk = () => import("@aws-sdk/client-cloudfront");

/**
 * An invalidation is a list of paths, including tags, and ends when all edges have confirmed. The same caller reference with the
 * same paths is the same invalidation, so a repeated request costs nothing. The SDK is loaded only when a purge needs it.
 */
export function createCloudFront(options: CloudFrontOptions): Cdn {
  const { distribution: DistributionId, retries = PURGE_RETRIES } = options;
  const { clock = CLOCK } = retries;
  const name = `cloudfront:${DistributionId}`;
  let made: CloudFrontClient | undefined;
  // CloudFront's API is in one region, wherever the bucket is.
  const connect = async () => {
    const { CloudFrontClient } = await loadSdk();
    const agent = { keepAlive: true, ...proxyOf(process.env) };
    made ??= new CloudFrontClient({
      region: "us-east-1",
      credentials: findCredentials(),
      maxAttempts: 1,
      logger: NO_LOG,
      requestHandler: { httpAgent: agent, httpsAgent: agent },
      ...options.client,
    });
    return made;
  };
  /** Repeats a failed request for a while; each try has a deadline. */
  const ask = async <Result>(request: (abortSignal: AbortSignal) => Promise<Result>): Promise<Result> => {
    try {
      return await withRetries(retries, isTransient, () =>
        withDeadline(retries, ({ signal }) => request(signal)),
      );
    } catch (error) {
      throw purgeError(name, replyOf(error, "purging"), error);
    }
  };
  const create = async (request: PurgeRequest, CallerReference: string): Promise<string> => {
    const Items = pathsOf(request);
    const InvalidationBatch = { CallerReference, Paths: { Quantity: Items.length, Items } };
    const { CreateInvalidationCommand } = await loadSdk();
    const command = new CreateInvalidationCommand({ DistributionId, InvalidationBatch });
    const created = await ask(async (abortSignal) => (await connect()).send(command, { abortSignal }));
    const id = created.Invalidation?.Id;
    if (id !== undefined && id !== "") return id;
    // CloudFront never sends a 2xx without an invalidation.
    const page: Reply = { doing: "purging", code: "", status: 200, message: "", isPage: true, headers: {} };
    throw purgeError(name, page);
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
        await moved?.();
        await clock.sleep(POLL_MILLISECONDS);
      }
      throw new VitrineError("purge_failed", `${name} has not completed invalidation ${Id} in time.`);
    },
  };
}

export interface CdnOptions {
  /** Origin of the public address: `https://shop.example`. */
  readonly origin: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly retries?: RetryPolicy;
  /** Replaces the address of the provider's API. */
  readonly api?: string;
}

/** @param spec as `--purge` has it @throws VitrineError usage */
export function openCdn(spec: string, options: CdnOptions): Cdn {
  const { env, retries } = options;
  const { kind, id, tags } = parseCdn(spec);
  if (kind === "webhook") {
    const secret = env[WEBHOOK.token];
    const receiver = { name: shownPlace(spec), hide: pathHider(id), isSigned: Boolean(secret) };
    return overHttp(WEBHOOK, { ...options, ...receiver, url: id, id: "", tags, secret });
  }
  if (kind === "cloudfront") return createCloudFront({ distribution: id, tags, ...(retries && { retries }) });
  const provider = { cloudflare: CLOUDFLARE, fastly: FASTLY }[kind];
  const secret = env[provider.token];
  if (secret) {
    const url = options.api ?? provider.api;
    const receiver = { name: `${kind}:${id}`, hide: (text: string) => text };
    return overHttp(provider, { ...options, ...receiver, url, id, tags, secret });
  }
  throw new VitrineError("usage", `--purge ${spec} needs a token in the environment: set ${provider.token}.`);
}
