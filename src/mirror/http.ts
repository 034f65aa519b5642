/** A shop's files at an address, or in a folder. What answers there may be anybody: every wait ends, and every answer is bounded. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { API_PATH } from "../api/endpoints.ts";
import { messageOf, systemCodeOf, VitrineError } from "../base/error.ts";
import { gather, type RetryPolicy, Transient, waitOf, withDeadline, withRetries } from "../publish/calls.ts";
import { invalid } from "./schemas.ts";
import type { Got, Remote } from "./sync.ts";

export interface Asking {
  /** How often and how long a file is asked for. */
  readonly policy: RetryPolicy;
  /** Ends what is being asked for. */
  readonly stop?: AbortSignal;
}

const RETRIES: RetryPolicy = {
  attempts: 5,
  ...{ baseMilliseconds: 500, maxMilliseconds: 20_000 },
  ...{ callMilliseconds: 20_000, budgetMilliseconds: 120_000 },
};
/** The longest wait that a shop may ask for. */
const MOST_WAIT_SECONDS = 60;

async function ask(
  url: string,
  mostBytes: number,
  etag: string | null | undefined,
  { policy, stop }: Asking,
): Promise<Got | "unchanged" | null> {
  return withDeadline(policy.callMilliseconds, async ({ signal: late, moved }) => {
    const signal = AbortSignal.any([late, ...(stop ? [stop] : [])]);
    const headers: Record<string, string> = etag ? { "If-None-Match": etag } : {};
    const response = await fetch(url, { signal, headers, redirect: "manual" });
    const { status } = response;
    if (status === 200) {
      const long = () => invalid(url, `is larger than ${mostBytes} bytes`);
      const bytes = await gather(response.body ?? [], mostBytes, long, moved);
      return { bytes, etag: response.headers.get("ETag")?.slice(0, 500) ?? null };
    }
    await response.body?.cancel();
    if (status === 304 && etag) return "unchanged";
    // A bucket that lists nothing says 403 of what is not there.
    if (status === 404 || status === 410 || status === 403) return null;
    const said = `${url} answers ${status}`;
    if (status === 429 || status >= 500) throw new Transient(said, waitOf(response, MOST_WAIT_SECONDS));
    throw new VitrineError(
      "remote_failed",
      `${said}${status < 400 ? ", and is not followed elsewhere" : ""}.`,
    );
  });
}

/** @param base `https://api.shop.example`: what the files' keys stand below */
function remoteAt(base: string, asking: Asking): Remote {
  const nameOf = (key: string) => `${base}/${key}`;
  return {
    nameOf,
    async get(key, mostBytes, etag) {
      const isTransient = (error: unknown) =>
        !(error instanceof VitrineError) && asking.stop?.aborted !== true;
      const attempt = () => ask(nameOf(key), mostBytes, etag, asking);
      return await withRetries(asking.policy, isTransient, attempt).catch((error: unknown) => {
        if (!isTransient(error)) throw error;
        const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
        const said = error instanceof Transient ? error.message : `${nameOf(key)}: ${messageOf(cause)}`;
        const next = "What is held stands as it was: try again later.";
        throw new VitrineError("remote_failed", `${said}. ${next}`, { cause: error });
      });
    },
  };
}

function remoteIn(folder: string): Remote {
  const nameOf = (key: string) => join(folder, key);
  return {
    nameOf,
    async get(key, mostBytes) {
      try {
        const file = nameOf(key);
        if (statSync(file).size > mostBytes) throw invalid(file, `is larger than ${mostBytes} bytes`);
        return { bytes: readFileSync(file), etag: null };
      } catch (error) {
        if (["ENOENT", "ENOTDIR"].includes(systemCodeOf(error))) return null;
        throw error;
      }
    },
  };
}

/** The files of a shop: by the API's base address, with or without `/api/v1`, or of a folder that they stand in. */
export function openRemote(from: string, asking: Partial<Asking> = {}): Remote {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(from)) return remoteIn(from);
  const url = URL.parse(from);
  if (url?.protocol === "file:") return remoteIn(fileURLToPath(url));
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "")
    throw new VitrineError(
      "usage",
      `--from takes an address like https://api.shop.example${API_PATH}, or a folder, not ${from}.`,
    );
  const base = url.href.replace(/\/$/, "");
  const root = base.endsWith(API_PATH) ? base.slice(0, -API_PATH.length) : base;
  return remoteAt(root, { policy: RETRIES, ...asking });
}
