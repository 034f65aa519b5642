/**
 * The Worker of `vitrine edge cloudflare` without the address of a fallback: the usual one, with a Durable Object as its fallback.
 * The shop's publishes and its monitoring reach that object through the Worker, with a secret.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { messageOf } from "../base/error.ts";
import worker, { type Env } from "../edge/cloudflare/entry.ts";
import { limited, OBJECT_NAME, type ObjectNamespace } from "../edge/cloudflare/responses.ts";
import { splitTarget } from "../key/query.ts";
import { LOOK_PATH, METRICS_PATH, READY_PATH, textResponse } from "./catalog-object.ts";

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

/** The most bytes of a webhook's message. */
const MOST_MESSAGE_BYTES = 1024 * 1024;
const SECRET = "VITRINE_WEBHOOK_SECRET";
const NO_SECRET = `This Worker has no ${SECRET}. Set it: npx wrangler secret put ${SECRET}`;

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

/** The answer to a publish's webhook or to monitoring; null for all other requests. */
async function control(request: Request, env: ObjectWorkerEnv): Promise<Response | null> {
  // Parsing an address takes as long as an answer from the cache: only control's own are.
  const { path: pathname } = splitTarget(request.url);
  if (pathname === PUBLISHED) return published(request, env);
  const seen = SEEN[pathname];
  if (seen === undefined || (request.method !== "GET" && request.method !== "HEAD")) return null;
  const secret = env.VITRINE_WEBHOOK_SECRET ?? "";
  if (secret === "") return refused(request, env, NO_SECRET);
  const isOpen = isEqual(request.headers.get("authorization") ?? "", `Bearer ${secret}`);
  return isOpen
    ? objectNamed(env, nameFor(request, env)).fetch(`http://object${seen}`, { method: request.method })
    : refused(request, env, `Send "Authorization: Bearer" with the ${SECRET} of this Worker.`);
}

/** Lets each object look at the place, because a publish says that it has changed. */
async function published(request: Request, env: ObjectWorkerEnv): Promise<Response> {
  if (request.method !== "POST")
    return refused(request, env, "vitrine publish asks here, by POST: --purge webhook:URL.", 405, {
      Allow: "POST",
    });
  const secret = env.VITRINE_WEBHOOK_SECRET ?? "";
  if (secret === "") return refused(request, env, NO_SECRET);
  const given = request.headers.get("x-vitrine-signature") ?? "";
  if (given === "")
    return refused(
      request,
      env,
      `The message is not signed. Set ${SECRET} where vitrine publish runs, to that of this Worker.`,
    );
  if (!(Number(request.headers.get("content-length") ?? NaN) <= MOST_MESSAGE_BYTES))
    return refused(request, env, `A message has a Content-Length of at most ${MOST_MESSAGE_BYTES}.`, 413);
  const message = Buffer.from(await request.arrayBuffer());
  const signature = `sha256=${createHmac("sha256", secret).update(message).digest("hex")}`;
  if (!isEqual(given, signature))
    return refused(
      request,
      env,
      `The message is signed with another ${SECRET} than that of this Worker. Set the same one at both.`,
    );
  const names = env.REGIONS === "true" ? [OBJECT_NAME, ...Object.keys(HINTS)] : [OBJECT_NAME];
  const failures = new Map<string, string[]>();
  await Promise.all(
    names.map(async (name) => {
      const failure = await look(env, name);
      if (failure !== null) failures.set(failure, [...(failures.get(failure) ?? []), name]);
    }),
  );
  // The publish repeats what is not confirmed, and shows what did not look.
  return failures.size === 0
    ? new Response(null, { status: 204 })
    : textResponse(
        502,
        [...failures].map(([failure, failed]) => `${failed.join(", ")}: ${failure}`).join(" "),
      );
}

/** Why an object could not look; null if it did, also if it now fetches a large release. */
async function look(env: ObjectWorkerEnv, name: string): Promise<string | null> {
  try {
    const answer = await objectNamed(env, name).fetch(`http://object${LOOK_PATH}`, { method: "POST" });
    return answer.ok ? null : (await answer.text()).trim();
  } catch (error) {
    return messageOf(error);
  }
}

/** Counts a request that is refused, so that guesses at the secret are limited. */
async function refused(
  request: Request,
  env: ObjectWorkerEnv,
  why: string,
  status = 403,
  headers: Record<string, string> = {},
): Promise<Response> {
  return (await limited(request, env)) ?? textResponse(status, why, headers);
}

export default {
  async fetch(request: Request, env: ObjectWorkerEnv, context: Context): Promise<Response> {
    const controlled = await control(request, env);
    if (controlled !== null) return controlled;
    return worker.fetch(request, { ...env, FALLBACK: objectNamed(env, nameFor(request, env)) }, context);
  },
};
