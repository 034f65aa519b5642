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
  /** The parser has seen something of this connection. */
  parsed: boolean;
  readonly parse: (bytes: Buffer) => void;
  readonly answerUnparsed: AnswerUnparsed;
}

/** Responds at once to a whole head that no parser has seen; false where it leaves that to the parser. */
export type AnswerUnparsed = (head: Buffer, socket: Socket) => boolean;

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
    if (isWhole && turns.answerUnparsed(bytes, socket)) {
      turns.busy = turns.held !== null;
      endTurn(socket);
    } else {
      turns.parsed = true;
      turns.parse(bytes);
    }
  }
  if (turns.held !== null) socket.pause();
}

/** Puts a new connection's bytes under {@link takeTurn} and {@link endTurn}. Node's parser must listen to it already. */
export function readInTurns(socket: Socket, answerUnparsed: AnswerUnparsed): void {
  const [parse] = socket.listeners("data") as [Turns["parse"]?];
  if (parse === undefined) return;
  const turns: Turns = {
    busy: false,
    held: null,
    last: NOTHING,
    parsed: false,
    parse: (bytes) => parse.call(socket, bytes),
    answerUnparsed,
  };
  turnsOf.set(socket, turns);
  socket.removeListener("data", parse);
  socket.on("data", (bytes: Buffer) => {
    turns.held = turns.held === null ? bytes : Buffer.concat([turns.held, bytes]);
    advance(socket, turns);
  });
}

/** True where the parser has seen nothing of a connection, whatever was answered without it. */
export function isUnparsed(socket: object): boolean {
  return turnsOf.get(socket)?.parsed === false;
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
