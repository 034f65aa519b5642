/** Who publishes: this process, and whether whoever holds a lock is still at work. */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { isProcessGone, markOfThisProcess } from "../base/process-mark.ts";
import type { Holder, Journal } from "./documents.ts";

/** Made once a process: a later one of the same number has another. A thread has one of its own. */
const PUBLISHER = randomUUID();
/** Attempts of this publisher that are under way. */
const underWay = new Set<string>();

export function thisHolder(): Holder {
  return { host: hostname(), publisher: PUBLISHER, ...markOfThisProcess() };
}

/** Notes that an attempt is under way; the returned function, that it is over. */
export function beginAttempt(attempt: string): () => void {
  underWay.add(attempt);
  return () => {
    underWay.delete(attempt);
  };
}

/** True only where it is certain: an earlier attempt of this very publisher, or one of a process that ran here and is gone. */
export function isHolderGone({ holder, attempt }: Pick<Journal, "holder" | "attempt">): boolean {
  if (holder.publisher === PUBLISHER) return !underWay.has(attempt);
  return isProcessGone(holder);
}
