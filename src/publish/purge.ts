/**
 * `--purge` → the CDN that it names. Those that take JSON over HTTP are rows of a table; CloudFront has its own SDK. Secrets
 * come from the environment, never from the command line or a bucket.
 */
import { createHmac } from "node:crypto";
import pMap from "p-map";
import { messageOf, VitrineError } from "../base/error.ts";
import { redactSecrets } from "../base/redact.ts";
import { refusePassword } from "./addresses.ts";
import {
  gather,
  PURGE_RETRIES,
  type RetryPolicy,
  Transient,
  waitOf,
  withDeadline,
  withRetries,
} from "./calls.ts";
import { createCloudFront } from "./purge-cloudfront.ts";
import {
  type Cdn,
  countPurge,
  type PurgeLimits,
  type PurgeRequest,
  pathsOfKey,
  purgeError,
} from "./purge-plan.ts";

interface PurgeCall {
  /** Below the provider's address. */
  readonly path: string;
  readonly body?: object;
}

/** How an interface that takes JSON over HTTP is asked. */
interface HttpProvider {
  /** Where it is; of a webhook, the user says it. */
  readonly api: string;
  /** The environment's variable of its token. */
  readonly token: string;
  readonly limits: Omit<PurgeLimits, "addressesOf">;
  /** A path at the public address → as the provider's cache key spells it. */
  addressOf(path: string, origin: string): string;
  /** The messages that make up a request; each is repeated while the other side is busy. */
  messagesOf(request: PurgeRequest, reference: string, id: string): readonly PurgeCall[];
  headersOf(secret: string | undefined, body: string, reference: string): Readonly<Record<string, string>>;
  /** True where the text of a 2xx response says yes. */
  readonly isTaken?: (text: string) => boolean;
}

/** Whole addresses or tags, a hundred in a request; a plan's rate is kept by waiting when it says 429. */
const CLOUDFLARE: HttpProvider = {
  api: "https://api.cloudflare.com/client/v4",
  token: "CLOUDFLARE_API_TOKEN",
  limits: {
    exactMost: 3000,
    exactBatch: 100,
    tagBatch: 100,
    costOf: ({ requests }) => `${requests.length} requests, free of charge`,
  },
  addressOf: (path, origin) => origin + path,
  messagesOf(request, _reference, zone) {
    const path = `/zones/${zone}/purge_cache`;
    if (request.kind === "exact") return [{ path, body: { files: request.addresses } }];
    return [{ path, body: request.kind === "tags" ? { tags: request.tags } : { purge_everything: true } }];
  },
  headersOf: (token) => ({ Authorization: `Bearer ${token}` }),
  // A 200 may still say no.
  isTaken: (text) => (JSON.parse(text) as { readonly success?: boolean }).success === true,
};

/** One address a request, 256 keys (its word for tags) a request, or all of a service. */
const FASTLY: HttpProvider = {
  api: "https://api.fastly.com",
  token: "FASTLY_API_TOKEN",
  limits: {
    // 100,000 purges an hour, counted by address: a tenth of it for one publish.
    exactMost: 10_000,
    exactBatch: 1000,
    tagBatch: 256,
    costOf: ({ requests }) => {
      const tagged = requests.filter(({ kind }) => kind === "tags");
      const exact = requests.filter(({ kind }) => kind !== "tags");
      return `${countPurge(exact) + tagged.length} requests of 100,000 an hour, free of charge`;
    },
  },
  addressOf: (path, origin) => origin.replace(/^https?:\/\//, "") + path,
  messagesOf(request, _reference, service) {
    if (request.kind === "exact") return request.addresses.map((address) => ({ path: `/purge/${address}` }));
    if (request.kind === "everything") return [{ path: `/service/${service}/purge_all` }];
    return [{ path: `/service/${service}/purge`, body: { surrogate_keys: request.tags } }];
  },
  headersOf: (token = "") => ({ "Fastly-Key": token, Accept: "application/json" }),
};

/**
 * Any other CDN or cache: its owner's own script is sent what changed. `{"purge":"exact","paths":[…]}`,
 * `{"purge":"tags","tags":[…]}` or `{"purge":"everything"}`; any 2xx confirms.
 */
const WEBHOOK: HttpProvider = {
  api: "",
  token: "VITRINE_WEBHOOK_SECRET",
  limits: {
    exactMost: 20_000,
    exactBatch: 1000,
    tagBatch: 1000,
    costOf: ({ requests }) => `${requests.length} requests`,
  },
  addressOf: (path) => path,
  messagesOf(request, reference) {
    const body = { purge: request.kind, reference };
    if (request.kind === "exact") return [{ path: "", body: { ...body, paths: request.addresses } }];
    return [{ path: "", body: request.kind === "tags" ? { ...body, tags: request.tags } : body }];
  },
  /** Signed where a secret is shared: `X-Vitrine-Signature: sha256=HEX`, an HMAC of the body. */
  headersOf: (secret, body, reference) => ({
    "Idempotency-Key": reference,
    ...(secret && {
      "X-Vitrine-Signature": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    }),
  }),
};

const MOST_WAIT_SECONDS = 120;
/** More of a response than this is nobody's confirmation. */
const MOST_TEXT_BYTES = 64 * 1024;
const CONCURRENCY = 8;

/** Sends once. A redirect is no confirmation, and where it leads is no address of ours to send a secret to. */
async function sendOnce(
  who: string,
  url: string,
  init: RequestInit,
  moved: () => void = () => undefined,
): Promise<string> {
  const response = await fetch(url, { ...init, method: "POST", redirect: "manual" });
  const long = () => new Error("its response is too long");
  const text = String(await gather(response.body ?? [], MOST_TEXT_BYTES, long));
  moved();
  const { status, ok } = response;
  if (ok) return text;
  const said = `${status} ${text.slice(0, 200)}`;
  if (status === 429 || status >= 500) throw new Transient(said, waitOf(response, MOST_WAIT_SECONDS));
  throw purgeError(who, said);
}

/** The body of a 2xx response. @throws VitrineError purge_failed */
async function send(
  who: string,
  url: string,
  init: RequestInit,
  retries: RetryPolicy,
  moved?: () => void,
): Promise<string> {
  const isTransient = (error: unknown) => !(error instanceof VitrineError);
  try {
    return await withRetries(retries, isTransient, () =>
      withDeadline(retries.callMilliseconds, ({ signal }) => sendOnce(who, url, { ...init, signal }, moved)),
    );
  } catch (error) {
    throw isTransient(error) ? purgeError(who, messageOf(error), error) : error;
  }
}

interface HttpCdn extends CdnOptions {
  readonly name: string;
  readonly url: string;
  /** At the provider. */
  readonly id: string;
  /** Whether the CDN knows our tags. */
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
        const text = await send(name, url + message.path, { headers, body }, retries, moved);
        if (isTaken?.(text) === false) throw purgeError(name, text.slice(0, 200));
      };
      await pMap(messagesOf(request, reference, id), sendMessage, { concurrency: CONCURRENCY });
    },
  };
}

export interface CdnOptions {
  /** Origin of the public address: `https://shop.example`. */
  readonly origin: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly retries?: RetryPolicy;
  /** Another address of the provider's interface than its own. */
  readonly api?: string;
}

/** `cloudfront:E1ABC+tags` → provider, id, and whether the CDN knows our tags. @throws VitrineError usage */
export function openCdn(spec: string, options: CdnOptions): Cdn {
  const { env, retries } = options;
  const [, url] = /^webhook:(https?:\/\/.+)$/.exec(spec) ?? [];
  if (url !== undefined) {
    refusePassword("The webhook's address", url, `${WEBHOOK.token} signs what it is sent`);
    const secret = env[WEBHOOK.token];
    return overHttp(WEBHOOK, { ...options, name: redactSecrets(spec), url, id: "", tags: true, secret });
  }
  const [, named = "", id = "", suffix] =
    /^(cloudfront|cloudflare|fastly):([A-Za-z0-9_-]+)(\+tags)?$/.exec(spec) ?? [];
  const tags = suffix !== undefined;
  if (named === "cloudfront")
    return createCloudFront({ distribution: id, tags, ...(retries && { retries }) });
  const provider = { cloudflare: CLOUDFLARE, fastly: FASTLY }[named];
  if (provider === undefined) {
    throw new VitrineError(
      "usage",
      `"${spec}" names no CDN: write cloudfront:DISTRIBUTION, cloudflare:ZONE, fastly:SERVICE (each with +tags where the ` +
        "CDN reads the cache tag) or webhook:https://….",
    );
  }
  const secret = env[provider.token];
  if (secret) {
    const url = options.api ?? provider.api;
    return overHttp(provider, { ...options, name: `${named}:${id}`, url, id, tags, secret });
  }
  throw new VitrineError("usage", `--purge ${spec} needs a token in the environment: set ${provider.token}.`);
}
