/**
 * Files of a public address, requested as often as its rate limit allows. The server is not trusted: redirects are not
 * followed, answers are bounded, and every call and every pause ends.
 */
import { RATE_LIMIT } from "../api/errors.ts";
import { CLOCK, type ClockOption } from "../base/clock.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { counted, type Notes } from "../base/log.ts";
import { Pause } from "../base/pause.ts";
import { retryAfter, sharedLimitReason, wholeBody } from "../base/responses.ts";
import { createAttempts, type RetryPolicy, Transient, waitAskedBy } from "../base/retries.ts";
import { TOOL_VERSION } from "../package.ts";

export interface PublicFile {
  readonly bytes: Buffer;
  readonly etag: string | null;
  /** When it last changed, in milliseconds since 1970; NaN if the server does not say. */
  readonly modified: number;
}

export interface PublicFiles extends Disposable {
  /** The address of a file, for messages. */
  urlOf(key: string): string;
  /**
   * Null if there is no such file, `unchanged` if it still has this ETag.
   * @throws VitrineError remote_failed, remote_invalid
   */
  get(key: string, maxBytes: number, etag?: string | null): Promise<PublicFile | "unchanged" | null>;
  /** @throws VitrineError remote_failed once the files are closed */
  pause(milliseconds: number): Promise<void>;
}

/** Requested waits do not count as attempts, and are at most the longest pause. */
export const PATIENCE: RetryPolicy = {
  attempts: 5,
  baseMilliseconds: 1000,
  maxMilliseconds: 600_000,
  callMilliseconds: 120_000,
  budgetMilliseconds: Number.POSITIVE_INFINITY,
};

/** Larger values of `X-RateLimit-Reset` are a time in seconds since 1970, smaller ones seconds from now. Both are in use. */
const MIN_RESET_TIME = 1_000_000_000;
const MAX_ETAG_LENGTH = 500;
/** How often the log reports waiting. */
const REPORT_EVERY_MILLISECONDS = 60_000;

/** Milliseconds until more requests are allowed, if this was the last one of the window; otherwise 0. */
function untilReset(headers: Headers, now: number): number {
  const [remaining, reset] = ["Remaining", "Reset"].map((name) => headers.get(`X-RateLimit-${name}`) ?? "");
  if (remaining !== "0" || !/^\d{1,10}$/.test(reset ?? "")) return 0;
  const seconds = Number(reset);
  return seconds >= MIN_RESET_TIME ? seconds * 1000 - now : seconds * 1000;
}

export interface PublicPorts extends ClockOption {
  readonly log: Notes;
}

/** @param base `https://api.shop.example`: the address that keys are below */
export function openPublicFiles(
  base: string,
  { log, clock = CLOCK }: PublicPorts,
  patience: RetryPolicy = PATIENCE,
): PublicFiles {
  const stop = new AbortController();
  let files = 0;
  let sent = 0;
  let isLimited = false;
  let reportedAt = -Infinity;

  const stopped = (error: unknown): never => {
    throw new VitrineError("remote_failed", `Stopped fetching from ${base}.`, { cause: error });
  };

  const pause = (milliseconds: number) =>
    clock.sleep(Math.min(milliseconds, patience.maxMilliseconds), stop.signal).catch(stopped);

  const limit = new Pause(patience.maxMilliseconds, clock);

  const waitAtLeast = (milliseconds: number, why: string) => {
    if (!(milliseconds > 0)) return;
    const bounded = limit.atLeast(milliseconds);
    const now = clock.elapsed();
    if (now - reportedAt < REPORT_EVERY_MILLISECONDS) return;
    reportedAt = now;
    log.warn(
      `${base} ${why}: going on in ${counted(Math.ceil(bounded / 1000), ["second"])}, ${counted(files, ["file"])} fetched so far`,
    );
  };

  /** One request. @throws Transient; VitrineError for a failure that another try would not change */
  const ask = async (key: string, maxBytes: number, etag: string | null) => {
    const url = `${base}/${key}`;
    sent += 1;
    const response = await fetch(url, {
      signal: AbortSignal.any([stop.signal, AbortSignal.timeout(patience.callMilliseconds)]),
      headers: {
        // The index has digests of the files without a content coding.
        "Accept-Encoding": "identity",
        "User-Agent": `vitrine/${TOOL_VERSION}`,
        ...(etag === null ? {} : { "If-None-Match": etag }),
      },
      redirect: "manual",
    });
    const { status, headers } = response;
    waitAtLeast(untilReset(headers, clock.now().getTime()), "allows no more requests now");
    if (status === 200) {
      const long = () =>
        new VitrineError("remote_invalid", `${url} is larger than ${maxBytes} bytes. Nothing was changed.`);
      const bytes = await wholeBody(response.body ?? [], maxBytes, long);
      files += 1;
      const known = headers.get("ETag");
      return {
        bytes,
        etag: known !== null && known.length <= MAX_ETAG_LENGTH ? known : null,
        modified: Date.parse(headers.get("Last-Modified") ?? ""),
      };
    }
    await response.body?.cancel();
    if (status === 304 && etag !== null) return "unchanged" as const;
    // A bucket that does not allow listing answers 403 for a missing key.
    if (status === 404 || status === 410 || status === 403) return null;
    const wait = retryAfter(headers, clock.now().getTime());
    if (status === 429) {
      const shared = isLimited ? null : sharedLimitReason(headers, sent);
      if (shared !== null) log.warn(`${base} ${shared}`);
      isLimited = true;
      waitAtLeast(wait > 0 ? wait : RATE_LIMIT.windowSeconds * 1000, "allows no more requests now");
      return "busy" as const;
    }
    if (status >= 500) throw new Transient(`${url} answers ${status}`, wait > 0 ? wait : undefined);
    const isRedirect = status >= 300 && status < 400 && status !== 304;
    const why = isRedirect ? ", and redirects are not followed: give the address that it redirects to" : "";
    throw new VitrineError("remote_failed", `${url} answers ${status}${why}. Nothing was changed.`);
  };

  return {
    urlOf: (key) => `${base}/${key}`,
    pause,
    async get(key, maxBytes, etag = null) {
      const attempts = createAttempts({ ...patience, clock }, pause);
      for (;;) {
        await limit.isOver(stop.signal).catch(stopped);
        try {
          const got = await ask(key, maxBytes, etag);
          if (got !== "busy") return got;
        } catch (error) {
          if (error instanceof VitrineError) throw error;
          stop.signal.throwIfAborted();
          if (!(await attempts.again(waitAskedBy(error)))) {
            // fetch's message says only that it failed; its cause says why.
            const why = error instanceof Error && error.cause instanceof Error ? error.cause : error;
            const said = error instanceof Transient ? error.message : `${base}/${key}: ${messageOf(why)}`;
            throw new VitrineError("remote_failed", `${said}. Nothing was changed.`, {
              cause: error,
            });
          }
        }
      }
    },
    [Symbol.dispose]: () => stop.abort(),
  };
}
