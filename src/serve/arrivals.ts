/**
 * Connections that come many at once. Node takes one of them a turn of the event loop, and in the same turn reads from all
 * that it has: a thousand of them that ask make a turn of 100 ms, and whoever is behind them waits for seconds to be taken.
 * So nothing is read from a new connection while others come.
 */
import type { Server } from "node:http";
import type { Socket } from "node:net";

/** How long a connection waits for others, at most. */
const LONGEST_HOLD_MILLISECONDS = 150;

export class Arrivals {
  readonly #held: { readonly socket: Pick<Socket, "resume">; readonly since: number }[] = [];
  /** One came since the last turn. */
  #hasCome = false;

  /** Lets a server's new connections be paused, as `pauseOnConnect` does, which node:http does not pass on to node:net. */
  static pause(server: Server): void {
    Object.assign(server, { pauseOnConnect: true });
  }

  /** Resumes a paused connection in a turn in which no other came. */
  add(socket: Pick<Socket, "resume">): void {
    this.#hasCome = true;
    this.#held.push({ socket, since: performance.now() });
    if (this.#held.length === 1) setImmediate(() => this.#turn());
  }

  #turn(): void {
    const until = this.#hasCome ? performance.now() - LONGEST_HOLD_MILLISECONDS : Number.POSITIVE_INFINITY;
    this.#hasCome = false;
    const staying = this.#held.findIndex(({ since }) => since > until);
    const leaving = this.#held.splice(0, staying < 0 ? this.#held.length : staying);
    for (const { socket } of leaving) socket.resume();
    if (this.#held.length > 0) setImmediate(() => this.#turn());
  }
}
