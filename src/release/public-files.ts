/**
 * Files of a public address, asked for as often as its limits allow. Whoever answers there may be anybody: redirects are not
 * followed, answers are bounded, and every call and every pause ends.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { RATE_LIMIT } from "../api/errors.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { counted, type Notes } from "../base/log.ts";
import { TOOL_VERSION } from "../package.ts";

export interface PublicFile {
  readonly bytes: Buffer;
  readonly etag: string | null;
  /** When it last changed, in milliseconds since 1970; NaN if that is not said. */
  readonly modified: number;
}

export interface PublicFiles extends Disposable {
  /** The address of a file, for messages. */
  urlOf(key: string): string;
  /**
   * Null if there is no such file, `unchanged` if it is still the one with this ETag.
   * @throws VitrineError remote_failed, remote_invalid
   */
  get(key: string, mostBytes: number, etag?: string | null): Promise<PublicFile | "unchanged" | null>;
  /** @throws VitrineError remote_failed once the files are closed */
  pause(milliseconds: number): Promise<void>;
}

export interface Patience {
  /** How often a file is asked for that cannot be had. Being asked to wait does not count. */
  readonly attempts: number;
  /** The first pause between two attempts; each further one is twice as long. */
  readonly pauseMilliseconds: number;
  /** A call that is not done by then has failed. */
  readonly callMilliseconds: number;
  /** The longest wait at once, whatever the other side asks for. */
  readonly mostWaitMilliseconds: number;
}

export const PATIENCE: Patience = {
  attempts: 5,
  pauseMilliseconds: 1000,
  callMilliseconds: 120_000,
  mostWaitMilliseconds: 600_000,
};

/** Above it `X-RateLimit-Reset` is a time, in seconds since 1970; below, seconds from now. Both are in use. */
const LEAST_RESET_TIME = 1_000_000_000;
const MOST_ETAG_LENGTH = 500;
/** How often the log says that it waits. */
const SAID_EVERY_MILLISECONDS = 60_000;

/** Milliseconds of `Retry-After`, which is a number of seconds or a date (RFC 9110 §10.2.3); NaN if it is missing. */
function retryAfter(headers: Headers, now: number): number {
  const text = headers.get("Retry-After") ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
}

/** Milliseconds until more requests are allowed, if this was the last one of the window; else 0. */
function untilReset(headers: Headers, now: number): number {
  const [remaining, reset] = ["Remaining", "Reset"].map((name) => headers.get(`X-RateLimit-${name}`) ?? "");
  if (remaining !== "0" || !/^\d{1,10}$/.test(reset ?? "")) return 0;
  const seconds = Number(reset);
  return seconds >= LEAST_RESET_TIME ? seconds * 1000 - now : seconds * 1000;
}

/** Worth another try: no answer, or one that says that there is none now. */
class Transient extends Error {
  readonly waitMilliseconds: number;

  constructor(message: string, waitMilliseconds = Number.NaN, cause?: unknown) {
    super(message, { cause });
    this.waitMilliseconds = waitMilliseconds;
  }
}

/** @throws VitrineError remote_invalid if there are more bytes */
async function gatherBody(response: Response, url: string, mostBytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of response.body ?? []) {
    sizeBytes += piece.length;
    if (sizeBytes > mostBytes)
      throw new VitrineError(
        "remote_invalid",
        `${url} is larger than ${mostBytes} bytes. Nothing was changed.`,
      );
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** @param base `https://api.shop.example`: the address that keys are below */
export function openPublicFiles(base: string, log: Notes, patience: Patience = PATIENCE): PublicFiles {
  const stop = new AbortController();
  /** No request begins before. */
  let pausedUntil = 0;
  let files = 0;
  let saidAt = 0;

  const pause = async (milliseconds: number) => {
    const bounded = Math.min(Math.max(0, milliseconds), patience.mostWaitMilliseconds);
    await sleep(bounded, undefined, { signal: stop.signal }).catch((error: unknown) => {
      throw new VitrineError("remote_failed", `${base} is not asked any more.`, { cause: error });
    });
  };

  /** Waits until the other side takes requests again. */
  const paced = async () => {
    for (let now = Date.now(); now < pausedUntil; now = Date.now()) await pause(pausedUntil - now);
  };

  const waitAtLeast = (milliseconds: number, why: string) => {
    if (!(milliseconds > 0)) return;
    const now = Date.now();
    const bounded = Math.min(milliseconds, patience.mostWaitMilliseconds);
    pausedUntil = Math.max(pausedUntil, now + bounded);
    if (now - saidAt < SAID_EVERY_MILLISECONDS) return;
    saidAt = now;
    log.warn(
      `${base} ${why}: going on in ${counted(Math.ceil(bounded / 1000), ["second"])}, ${counted(files, ["file"])} fetched so far`,
    );
  };

  /** One request. @throws Transient; VitrineError for what another try would not change */
  const ask = async (key: string, mostBytes: number, etag: string | null) => {
    const url = `${base}/${key}`;
    const response = await fetch(url, {
      signal: AbortSignal.any([stop.signal, AbortSignal.timeout(patience.callMilliseconds)]),
      headers: {
        // Digests are those of the files as they are.
        "Accept-Encoding": "identity",
        "User-Agent": `vitrine/${TOOL_VERSION}`,
        ...(etag === null ? {} : { "If-None-Match": etag }),
      },
      redirect: "manual",
    });
    const { status, headers } = response;
    waitAtLeast(untilReset(headers, Date.now()), "allows no more requests now");
    if (status === 200) {
      const bytes = await gatherBody(response, url, mostBytes);
      files += 1;
      const known = headers.get("ETag");
      return {
        bytes,
        etag: known !== null && known.length <= MOST_ETAG_LENGTH ? known : null,
        modified: Date.parse(headers.get("Last-Modified") ?? ""),
      };
    }
    await response.body?.cancel();
    if (status === 304 && etag !== null) return "unchanged" as const;
    // A bucket whose keys may not be listed says 403 for a missing key.
    if (status === 404 || status === 410 || status === 403) return null;
    const wait = retryAfter(headers, Date.now());
    if (status === 429) {
      waitAtLeast(wait > 0 ? wait : RATE_LIMIT.windowSeconds * 1000, "allows no more requests now");
      return "busy" as const;
    }
    if (status >= 500) throw new Transient(`${url} answers ${status}`, wait);
    const isRedirect = status >= 300 && status < 400 && status !== 304;
    const why = isRedirect ? ", and redirects are not followed: name the address that it leads to" : "";
    throw new VitrineError("remote_failed", `${url} answers ${status}${why}. Nothing was changed.`);
  };

  return {
    urlOf: (key) => `${base}/${key}`,
    pause,
    async get(key, mostBytes, etag = null) {
      for (let failures = 0; ; ) {
        await paced();
        try {
          const got = await ask(key, mostBytes, etag);
          if (got !== "busy") return got;
        } catch (error) {
          if (error instanceof VitrineError) throw error;
          stop.signal.throwIfAborted();
          failures += 1;
          if (failures === patience.attempts) {
            // fetch says only that it failed, and its cause says why.
            const why = error instanceof Error && error.cause instanceof Error ? error.cause : error;
            const said = error instanceof Transient ? error.message : `${base}/${key}: ${messageOf(why)}`;
            throw new VitrineError("remote_failed", `${said}. Nothing was changed.`, {
              cause: error,
            });
          }
          const wait = error instanceof Transient ? error.waitMilliseconds : Number.NaN;
          // Many mirrors that failed together do not come back together.
          const own = patience.pauseMilliseconds * 2 ** (failures - 1) * (0.5 + Math.random() / 2);
          await pause(wait > 0 ? wait : own);
        }
      }
    },
    [Symbol.dispose]: () => stop.abort(),
  };
}
