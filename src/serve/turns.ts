/**
 * One connection's requests, one at a time. Node parses all requests that stand in a packet at once, a thousand in 64 kB;
 * here its parser gets the bytes of one request's head, and the next ones when the response to it is written. Meanwhile
 * nothing more is read. So what a client sends in advance costs one packet of memory and nobody else's time.
 */
import type { Socket } from "node:net";

const HEAD_END = Buffer.from("\r\n\r\n");
const NOTHING = Buffer.alloc(0);

interface Turns {
  /** A response is on its way. */
  busy: boolean;
  /** Bytes that are read, but not handed to the parser yet. */
  held: Buffer | null;
  /** The last bytes that the parser got, where they may be the beginning of {@link HEAD_END}. */
  last: Buffer;
  /** Null until there is a parser. */
  parse: ((bytes: Buffer) => void) | null;
  readonly ports: TurnPorts;
}

export interface TurnPorts {
  /** Responds at once to a whole head that no parser has seen; false where it leaves that to the parser. */
  readonly answerUnparsed: (head: Buffer, socket: Socket) => boolean;
  /** Has Node's parser listen to a connection's data. */
  readonly attachParser: (socket: Socket) => void;
}

const turnsOf = new WeakMap<object, Turns>();

/** Where the first head in some bytes ends, or -1; it may have begun to end in the bytes before. */
function endOfHead(last: Buffer, bytes: Buffer): number {
  if (last.length > 0) {
    const seam = Buffer.concat([last, bytes.subarray(0, HEAD_END.length - 1)]).indexOf(HEAD_END);
    if (seam >= 0) return seam + HEAD_END.length - last.length;
  }
  const found = bytes.indexOf(HEAD_END);
  return found < 0 ? -1 : found + HEAD_END.length;
}

/** Hands the parser one head after the other (and bodies with what follows them), until one makes a request. */
function advance(socket: Socket, turns: Turns): void {
  while (turns.held !== null && !turns.busy && !socket.destroyed) {
    const { held } = turns;
    const end = endOfHead(turns.last, held);
    const bytes = end < 0 ? held : held.subarray(0, end);
    turns.held = bytes.length < held.length ? held.subarray(bytes.length) : null;
    const isWhole = end >= 0 && turns.last.length === 0;
    turns.last = end < 0 ? bytes.subarray(-(HEAD_END.length - 1)) : NOTHING;
    if (isWhole && turns.ports.answerUnparsed(bytes, socket)) {
      turns.busy = turns.held !== null;
      endTurn(socket);
    } else {
      turns.parse ??= parserOf(socket, turns.ports);
      turns.parse(bytes);
    }
  }
  if (turns.held !== null) socket.pause();
}

/** Has Node's parser take a connection, and its listener to data away from it. */
function parserOf(socket: Socket, { attachParser }: TurnPorts): (bytes: Buffer) => void {
  const ours = socket.listeners("data") as ((bytes: Buffer) => void)[];
  attachParser(socket);
  const [parse] = (socket.listeners("data") as typeof ours).filter((listener) => !ours.includes(listener));
  if (parse === undefined) throw new Error("Node's parser does not listen to the data of a connection");
  socket.removeListener("data", parse);
  // The parser reads by itself until somebody else is found to listen.
  for (const listener of ours) socket.removeListener("data", listener).on("data", listener);
  return (bytes) => parse.call(socket, bytes);
}

/** Puts a new connection's bytes, to which nobody listens yet, under {@link takeTurn} and {@link endTurn}. */
export function readInTurns(socket: Socket, ports: TurnPorts): void {
  const turns: Turns = { busy: false, held: null, last: NOTHING, parse: null, ports };
  turnsOf.set(socket, turns);
  socket.on("data", (bytes: Buffer) => {
    turns.held = turns.held === null ? bytes : Buffer.concat([turns.held, bytes]);
    advance(socket, turns);
  });
}

/** Says that a response is on its way. It must end in {@link endTurn}. */
export function takeTurn(socket: object): void {
  const turns = turnsOf.get(socket);
  if (turns !== undefined) turns.busy = true;
}

/** Says that the response is written. What the client sent in advance waits until others had their turn. */
export function endTurn(socket: Socket): void {
  const turns = turnsOf.get(socket);
  if (turns === undefined) return;
  if (turns.held === null) {
    turns.busy = false;
    return;
  }
  setImmediate(() => {
    turns.busy = false;
    advance(socket, turns);
    if (turns.held === null && !socket.destroyed) socket.resume();
  });
}
