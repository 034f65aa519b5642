/**
 * One connection's requests, one at a time. Node parses all requests that stand in a packet at once and calls for each;
 * here each waits until the response before it is written, and meanwhile nothing more is read. Knows no HTTP.
 */
import type { Duplex } from "node:stream";

/** More requests than this in a row, none of them answered yet, end the connection: no client of 120 a minute needs it. */
export const MAX_WAITING = 100;

interface Turns {
  busy: boolean;
  waiting: (() => void)[];
}

const turnsOf = new WeakMap<Duplex, Turns>();

/** Stops reading once Node has handled what it has read: in between it asks for more of its own accord. */
function pauseSoon(socket: Duplex, turns: Turns): void {
  setImmediate(() => {
    if (turns.waiting.length > 0) socket.pause();
  });
}

/** Runs `work` when all that came before it on this connection is written. It must end in {@link endTurn}. */
export function takeTurn(socket: Duplex, work: () => void): void {
  if (socket.destroyed) return;
  let turns = turnsOf.get(socket);
  if (turns === undefined) {
    turns = { busy: false, waiting: [] };
    turnsOf.set(socket, turns);
  }
  if (!turns.busy) {
    turns.busy = true;
    work();
    return;
  }
  if (turns.waiting.length >= MAX_WAITING) {
    turns.waiting = [];
    socket.destroy();
    return;
  }
  turns.waiting.push(work);
  if (turns.waiting.length === 1) pauseSoon(socket, turns);
}

/** Says that the response of the running turn is written. */
export function endTurn(socket: Duplex): void {
  const turns = turnsOf.get(socket);
  if (turns === undefined) return;
  const next = turns.waiting.shift();
  if (next === undefined) {
    turns.busy = false;
    if (socket.isPaused()) socket.resume();
    return;
  }
  if (turns.waiting.length > 0) pauseSoon(socket, turns);
  next();
}
