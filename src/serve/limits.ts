/** When a server refuses a request that it could answer: one client asks too often, or there is more work than time. */
import { RATE_LIMIT } from "../api/errors.ts";
import { CLOCK, type Clock } from "../base/clock.ts";
import { clientKey, isAddress, proxyHeader } from "../key/client.ts";

/** Counts one request of an address; null if it may pass, otherwise the seconds until it may try again. */
export type RateLimiter = (address: string) => number | null;

/**
 * A client's window begins with its first request, and is forgotten after its end.
 * @param requests returns the current limit: a new catalog may bring another one
 */
export function createRateLimiter(requests: () => number, clock: Clock = CLOCK): RateLimiter {
  // In the order of their ends, because all windows are equally long.
  const windows = new Map<string, { count: number; readonly endsAt: number }>();
  return (address) => {
    const now = clock.elapsed();
    for (const [client, { endsAt }] of windows) {
      if (endsAt > now) break;
      windows.delete(client);
    }
    const client = clientKey(address);
    const window = windows.get(client) ?? { count: 0, endsAt: now + RATE_LIMIT.windowSeconds * 1000 };
    windows.set(client, window);
    window.count += 1;
    return window.count <= requests() ? null : Math.max(1, Math.ceil((window.endsAt - now) / 1000));
  };
}

/** The address of the client: the socket's, or the last one that a trusted proxy has added. */
export function clientAddress(
  socketAddress: string,
  forwardedFor: string | undefined,
  trustProxy: boolean,
): string {
  if (!trustProxy || forwardedFor === undefined) return socketAddress;
  const last = forwardedFor.split(",").at(-1)?.trim() ?? "";
  return isAddress(last) ? last : socketAddress;
}

/** A request that the limit refused. */
export interface RefusedRequest {
  readonly header: (name: string) => string | undefined;
  /** The address that was counted. */
  readonly address: string;
  readonly socketAddress: string;
}

const NOTICE_MILLISECONDS = 3_600_000;

/**
 * Reports a refused client that looks like a cache or proxy, whose readers are then one client: at most once an hour, because any
 * client can look like one.
 */
export function createProxyNotice(
  warn: (message: string) => void,
  trustProxy: boolean,
  clock: Clock = CLOCK,
): (request: RefusedRequest) => void {
  let reportedAt = -Infinity;
  const cure = trustProxy
    ? "Let it append its client's address to X-Forwarded-For, as the last one; behind two proxies use vitrine edge nginx --trust"
    : "Start with --trust-proxy, and let it append its client's address to X-Forwarded-For";
  return ({ header, address, socketAddress }) => {
    const now = clock.elapsed();
    if (now - reportedAt < NOTICE_MILLISECONDS) return;
    const found = proxyHeader(header, address, socketAddress);
    if (found === null) return;
    reportedAt = now;
    warn(
      `${address} gets 429 and sends ${found}: if it is a cache or proxy of yours, all its readers count as one client. ${cure}.`,
    );
  };
}

/** How long a server answers before it takes in what has come meanwhile. */
const STRETCH_MILLISECONDS = 20;
/** How long it takes in at most before it answers again. */
const INTAKE_MILLISECONDS = 50;
/** If a request has waited longer than this, more came than could be answered: then all but a few are refused. */
const MOST_MILLISECONDS = 75;
/** The requests that are never refused, so that a few slow ones cause no refusals: as many as nginx sends to a fallback at once. */
const FEW = 64;

/** A request that was read. One of the two functions is called, unless the client has gone. */
export interface WaitingRequest {
  isGone(): boolean;
  answer(): void;
  refuse(): void;
}

/**
 * The requests that wait for a server that answers synchronously. Node accepts one connection in a turn of the event loop, so those of
 * a burst would be answered one by one, each after all before it, and none would look late. So the server alternates: it answers for a
 * while, then lets the loop turn until nothing new comes, and refuses the newest of what it then has if the oldest waits too long.
 */
export class ServerLoad {
  readonly #waiting: (WaitingRequest & { readonly since: number })[] = [];
  /** When the current stretch of answers began; undefined if the server has nothing to do. */
  #began: number | undefined;
  /** When the last answer ended. */
  #ended = 0;
  #hasNews = false;
  #isTurning = false;

  /** Notes that a connection or a request has come, and that more may. */
  arrived(): void {
    this.#hasNews = true;
    if (this.#isTurning) return;
    this.#isTurning = true;
    setImmediate(this.#turn);
  }

  /** Answers a request that was just read: at once if there is time, else when its turn comes, or refuses it. */
  add({ isGone, answer, refuse }: WaitingRequest): void {
    const since = CLOCK.elapsed();
    this.arrived();
    this.#began ??= since;
    if (this.#waiting.length > 0 || since - this.#began > STRETCH_MILLISECONDS) {
      this.#waiting.push({ isGone, answer, refuse, since });
    } else {
      answer();
      this.#ended = CLOCK.elapsed();
    }
  }

  readonly #turn = (): void => {
    const hadNews = this.#hasNews;
    this.#hasNews = false;
    const isTakingIn = hadNews && CLOCK.elapsed() - this.#ended < INTAKE_MILLISECONDS;
    if (!isTakingIn) this.#answerForAWhile();
    if (hadNews || this.#waiting.length > 0) setImmediate(this.#turn);
    else {
      this.#isTurning = false;
      this.#began = undefined;
    }
  };

  #answerForAWhile(): void {
    let now = CLOCK.elapsed();
    this.#began = now;
    while (now - this.#began <= STRETCH_MILLISECONDS) {
      this.#refuseIfLate(now);
      const next = this.#waiting.shift();
      if (next === undefined) break;
      if (!next.isGone()) next.answer();
      now = CLOCK.elapsed();
    }
    this.#ended = now;
  }

  #refuseIfLate(now: number): void {
    const [oldest] = this.#waiting;
    if (oldest === undefined || now - oldest.since <= MOST_MILLISECONDS || this.#waiting.length <= FEW)
      return;
    const present = this.#waiting.splice(0).filter((request) => !request.isGone());
    this.#waiting.push(...present.slice(0, FEW));
    for (const request of present.slice(FEW)) request.refuse();
  }
}
