/**
 * A server's connections. Requests on a connection are answered one after the other. If there are too many connections, the address
 * with the most of them loses one.
 */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { CLOCK } from "../base/clock.ts";
import { clientKey } from "../key/client.ts";

/** Requests that a client may send before the first one is answered. Browsers, CDNs and proxies never send a second one. */
const MOST_AHEAD = 8;

/** Why a connection was closed: there were too many, or it sent too many requests ahead. */
export type ClosedReason = "full" | "pipelined";
export const CLOSED_REASONS: readonly ClosedReason[] = ["full", "pipelined"];

/** Begins a response, and calls `done` when all of it is sent. */
type RequestWork = (done: () => void) => void;

export class Connection {
  readonly socket: Socket;
  readonly address: string;
  /** The last request that was read. */
  request: IncomingMessage | undefined;
  isBusy = false;
  /** When it last became busy or idle, by `Clock.elapsed`. */
  since = CLOCK.elapsed();
  readonly #waiting: RequestWork[] = [];

  constructor(socket: Socket) {
    this.socket = socket;
    this.address = clientKey(socket.remoteAddress ?? "");
  }

  /** Does the work after all work before it; false if too much is waiting already. */
  add(work: RequestWork): boolean {
    if (this.#waiting.length >= MOST_AHEAD) return false;
    this.#waiting.push(work);
    if (!this.isBusy) this.#next();
    return true;
  }

  #next(): void {
    // If the connection is closed, the waiting requests are dropped.
    const work = this.socket.destroyed ? undefined : this.#waiting.shift();
    this.isBusy = work !== undefined;
    this.since = CLOCK.elapsed();
    work?.(() => this.#next());
  }
}

/** Of these connections, the one that has been idle, or busy, for the longest time. */
function oldest(connections: Iterable<Connection>, isBusy: boolean): Connection | undefined {
  let found: Connection | undefined;
  for (const one of connections)
    if (one.isBusy === isBusy && (found === undefined || one.since < found.since)) found = one;
  return found;
}

export class Connections {
  readonly #most: number;
  readonly #closed: (reason: ClosedReason) => void;
  readonly #ofSocket = new WeakMap<Duplex, Connection>();
  readonly #ofAddress = new Map<string, Set<Connection>>();
  #count = 0;

  constructor(most: number, closed: (reason: ClosedReason) => void) {
    this.#most = most;
    this.#closed = closed;
  }

  of(socket: Duplex): Connection | undefined {
    return this.#ofSocket.get(socket);
  }

  close({ socket }: Connection, reason: ClosedReason): void {
    this.#closed(reason);
    socket.destroy();
  }

  add(socket: Socket): void {
    const connection = new Connection(socket);
    const { address } = connection;
    const others = this.#ofAddress.get(address) ?? new Set();
    this.#ofSocket.set(socket, connection);
    this.#ofAddress.set(address, others.add(connection));
    this.#count += 1;
    socket.once("close", () => {
      this.#count -= 1;
      others.delete(connection);
      if (others.size === 0 && this.#ofAddress.get(address) === others) this.#ofAddress.delete(address);
    });
    if (this.#count > this.#most) this.close(this.#leastNeeded(connection), "full");
  }

  /**
   * The connection to close when one more has come: of the address with the most connections, the one that has been idle the longest.
   * If all of those are busy, their clients may not be reading: then the oldest one, unless the newcomer's address has as many. So one
   * address cannot use up the room of others, and behind a proxy, where all clients share its address, no request in progress is cut
   * off.
   */
  #leastNeeded(newcomer: Connection): Connection {
    const own = this.#ofAddress.get(newcomer.address) ?? new Set();
    let most = own;
    for (const some of this.#ofAddress.values()) if (some.size > most.size) most = some;
    return oldest(most, false) ?? (most === own ? undefined : oldest(most, true)) ?? newcomer;
  }
}
