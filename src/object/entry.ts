/**
 * The Worker of `vitrine edge cloudflare` without the address of a fallback: the usual one, with a Durable Object as its fallback.
 * The shop's publishes and its monitoring reach that object through the Worker, with a secret.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import worker, { type Env } from "../edge/cloudflare/entry.ts";
import { OBJECT_NAME, type ObjectNamespace } from "../edge/cloudflare/responses.ts";
import { splitTarget } from "../key/query.ts";
import { LOOK_PATH, METRICS_PATH, READY_PATH } from "./catalog-object.ts";

export { CatalogObject } from "./catalog-object.ts";

interface ObjectWorkerEnv extends Env {
  readonly CATALOG: ObjectNamespace;
  /** `true`: an object for each part of the world, near its readers. */
  readonly REGIONS?: string;
  /** Signs what a publish says (`--purge webhook:…`), and opens `readyz` and `metrics`. */
  readonly VITRINE_WEBHOOK_SECRET?: string;
}

type Context = Parameters<typeof worker.fetch>[2];

/** Below this, nothing of the API begins. */
const CONTROL = "/_vitrine/";
const PUBLISHED = `${CONTROL}published`;
const SEEN: Readonly<Record<string, string>> = {
  [`${CONTROL}readyz`]: READY_PATH,
  [`${CONTROL}metrics`]: METRICS_PATH,
};

/** Where an object is started for each part of the world, by the runtime's own names of both. */
const HINTS: Readonly<Record<string, string>> = {
  AF: "afr",
  AS: "apac",
  EU: "weur",
  NA: "enam",
  OC: "oc",
  SA: "sam",
};

/** The object that answers a request; all of them have the same releases. */
function nameFor(request: Request, { REGIONS }: ObjectWorkerEnv): string {
  const { cf } = request as { readonly cf?: { readonly continent?: string } };
  return REGIONS === "true" && HINTS[cf?.continent ?? ""] !== undefined
    ? (cf?.continent ?? OBJECT_NAME)
    : OBJECT_NAME;
}

function objectNamed({ CATALOG }: ObjectWorkerEnv, name: string): ReturnType<ObjectNamespace["get"]> {
  const hint = HINTS[name];
  return CATALOG.get(CATALOG.idFromName(name), hint === undefined ? {} : { locationHint: hint });
}

function isEqual(a: string, b: string): boolean {
  const digest = (text: string) => createHmac("sha256", "compare").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** The most bytes of a webhook's message. */
const MOST_MESSAGE_BYTES = 1024 * 1024;

/** The answer to a publish's webhook or to monitoring; null for all other requests. */
async function control(request: Request, env: ObjectWorkerEnv): Promise<Response | null> {
  const secret = env.VITRINE_WEBHOOK_SECRET ?? "";
  // Parsing an address takes as long as an answer from the cache: only control's own are.
  const { path: pathname } = splitTarget(request.url);
  if (secret === "" || !pathname.startsWith(CONTROL)) return null;
  const ask = (name: string, path: string, method: string) =>
    objectNamed(env, name).fetch(`http://object${path}`, { method });
  const seen = SEEN[pathname];
  if (seen !== undefined && request.method === "GET") {
    const isOpen = isEqual(request.headers.get("authorization") ?? "", `Bearer ${secret}`);
    return isOpen ? ask(nameFor(request, env), seen, "GET") : null;
  }
  if (pathname !== PUBLISHED || request.method !== "POST") return null;
  if (!(Number(request.headers.get("content-length")) <= MOST_MESSAGE_BYTES)) return null;
  const message = Buffer.from(await request.arrayBuffer());
  const signature = `sha256=${createHmac("sha256", secret).update(message).digest("hex")}`;
  if (!isEqual(request.headers.get("x-vitrine-signature") ?? "", signature)) return null;
  const names = env.REGIONS === "true" ? [OBJECT_NAME, ...Object.keys(HINTS)] : [OBJECT_NAME];
  const answers = await Promise.all(names.map((name) => ask(name, LOOK_PATH, "POST")));
  // The publish repeats what is not confirmed: an object that fetches a large release still looked.
  return new Response(null, {
    status: answers.every(({ status }) => status < 500 || status === 503) ? 204 : 502,
  });
}

export default {
  async fetch(request: Request, env: ObjectWorkerEnv, context: Context): Promise<Response> {
    const controlled = await control(request, env);
    if (controlled !== null) return controlled;
    return worker.fetch(request, { ...env, FALLBACK: objectNamed(env, nameFor(request, env)) }, context);
  },
};
