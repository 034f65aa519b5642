/**
 * A server of node:http whose connections get a parser when there is something for it to parse. Of what it costs to refuse
 * a thousand clients who connect in one moment, or to wait for those who say nothing, Node's parser would be a good part.
 */
import { Server, type ServerOptions } from "node:http";
import type { Socket } from "node:net";

type OfSocket = (this: Socket) => void;
type AttachParser = (this: Server, socket: Socket) => void;

export interface Silence {
  /** How long a connection without a parser may be silent. */
  readonly milliseconds: number;
  /** Told when one has been. */
  readonly timedOut: (socket: Socket) => void;
}

export class LazyServer extends Server {
  readonly #attachParser: AttachParser;
  readonly #silence: Silence;
  readonly #unparsed = new Set<Socket>();
  /** Of sockets without a parser. */
  readonly #listeners: readonly (readonly [event: string, listener: OfSocket])[];

  /** Whoever listens to its connections calls {@link wait} for each, and {@link attachParser} where there is a request. */
  constructor(options: ServerOptions, silence: Silence) {
    super(options);
    const [attachParser, ...others] = this.listeners("connection") as AttachParser[];
    if (attachParser === undefined || others.length > 0) throw new Error("node:http listens otherwise");
    this.#attachParser = attachParser;
    this.removeListener("connection", attachParser);
    this.#silence = silence;
    const unparsed = this.#unparsed;
    this.#listeners = [
      ["timeout", on((socket) => silence.timedOut(socket))],
      // Node leaves it open, for a server that has more to say.
      ["end", on((socket) => socket.end())],
      ["error", on((socket) => socket.destroy())],
      ["close", on((socket) => unparsed.delete(socket))],
    ];
  }

  isUnparsed(socket: Socket): boolean {
    return this.#unparsed.has(socket);
  }

  /** Lets a new connection be without a parser until {@link attachParser}. */
  wait(socket: Socket): void {
    for (const [event, listener] of this.#listeners) socket.on(event, listener);
    socket.setTimeout(this.#silence.milliseconds);
    this.#unparsed.add(socket);
  }

  /** Has Node's parser listen to a connection. */
  attachParser(socket: Socket): void {
    for (const [event, listener] of this.#listeners) socket.removeListener(event, listener);
    this.#unparsed.delete(socket);
    this.#attachParser.call(this, socket);
  }

  override closeIdleConnections(): void {
    super.closeIdleConnections();
    // Who has not said anything yet may be about to: Node leaves those too.
    for (const socket of this.#unparsed) if (socket.bytesRead > 0) socket.destroySoon();
  }

  override closeAllConnections(): void {
    super.closeAllConnections();
    for (const socket of this.#unparsed) socket.destroy();
  }
}

/** One function for all sockets: each would take memory and time of its own. */
function on(react: (socket: Socket) => void): OfSocket {
  return function (this: Socket) {
    react(this);
  };
}
