/** Requests to a CDN's interface: repeated while it is busy, waiting as long as it asks for. */
import { messageOf, VitrineError } from "../../base/error.ts";
import type { Progress } from "../bucket.ts";
import { withDeadline } from "../deadline.ts";
import { createAttempts, type RetryPolicy } from "../retry.ts";

export interface HttpRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Cloudflare's slowest plan takes five tag purges a minute: a minute's wait must be within it. */
export const PURGE_RETRIES: RetryPolicy = {
  attempts: 10,
  baseMilliseconds: 500,
  maxMilliseconds: 30_000,
  callMilliseconds: 30_000,
  budgetMilliseconds: 900_000,
};
const MOST_WAIT_SECONDS = 120;
/** More of a response than this is nobody's confirmation. */
const MOST_TEXT = 64 * 1024;

interface PurgeResponse {
  readonly status: number;
  readonly text: string;
  /** What the other side asks to wait; undefined where it does not say. */
  readonly waitMilliseconds: number | undefined;
}

/** Sends once and reads all of the response. */
async function sendOnce({ url, ...init }: HttpRequest, signal: AbortSignal): Promise<PurgeResponse> {
  const response = await fetch(url, { ...init, signal });
  let text = "";
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.length > MOST_TEXT) throw new Error("its response is too long");
  }
  const seconds = Number(response.headers.get("retry-after") ?? "");
  const waitMilliseconds = seconds > 0 ? Math.min(seconds, MOST_WAIT_SECONDS) * 1000 : undefined;
  return { status: response.status, text, waitMilliseconds };
}

/** The body of a 2xx response. @throws VitrineError purge_failed */
export async function sendPurge(
  who: string,
  request: HttpRequest,
  retries: RetryPolicy,
  progress?: Progress,
): Promise<string> {
  const attempts = createAttempts(retries);
  for (;;) {
    const response = await withDeadline(retries.callMilliseconds, ({ signal }) =>
      sendOnce(request, signal),
    ).catch((failure: unknown) => ({ failure }));
    if ("failure" in response) {
      if (await attempts.again()) continue;
      throw purgeError(who, messageOf(response.failure), response.failure);
    }
    progress?.();
    const { status, text, waitMilliseconds } = response;
    if (status >= 200 && status < 300) return text;
    const repeats = status === 429 || status >= 500;
    if (!repeats || !(await attempts.again(waitMilliseconds))) {
      throw purgeError(who, `${status} ${text.slice(0, 200)}`);
    }
  }
}

export function purgeError(who: string, reason: string, cause?: unknown): VitrineError {
  return new VitrineError("purge_failed", `${who} did not take the purge: ${reason}.`, { cause });
}
