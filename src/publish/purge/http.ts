/** Requests to a CDN's interface: repeated while it is busy, waiting as long as it asks for. */
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf, VitrineError } from "../../base/error.ts";
import { pause, type RetryPolicy } from "../retry.ts";

export interface HttpRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Cloudflare's slowest plan takes five tag purges a minute: a minute's wait must be within it. */
export const PURGE_RETRIES: RetryPolicy = { attempts: 10, baseMilliseconds: 500, maxMilliseconds: 30_000 };
const MOST_WAIT_SECONDS = 120;
const TIMEOUT_MILLISECONDS = 30_000;

async function waitAsAsked(answer: Response, retries: RetryPolicy, attempt: number): Promise<void> {
  const seconds = Number(answer.headers.get("retry-after") ?? "");
  if (seconds > 0) await sleep(Math.min(seconds, MOST_WAIT_SECONDS) * 1000);
  else await pause(retries, attempt);
}

async function tryOnce({ url, ...init }: HttpRequest): Promise<Response | { readonly failure: unknown }> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
  } catch (failure) {
    return { failure };
  }
}

/** The body of a 2xx answer. @throws VitrineError purge_failed */
export async function sendPurge(who: string, request: HttpRequest, retries = PURGE_RETRIES): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const answer = await tryOnce(request);
    const last = attempt + 1 >= retries.attempts;
    if ("failure" in answer) {
      if (!last) await pause(retries, attempt);
      else throw purgeError(who, messageOf(answer.failure), answer.failure);
      continue;
    }
    const text = await answer.text();
    if (answer.ok) return text;
    if (last || (answer.status !== 429 && answer.status < 500)) {
      throw purgeError(who, `${answer.status} ${text.slice(0, 200)}`);
    }
    await waitAsAsked(answer, retries, attempt);
  }
}

export function purgeError(who: string, reason: string, cause?: unknown): VitrineError {
  return new VitrineError("purge_failed", `${who} did not take the purge: ${reason}.`, { cause });
}
