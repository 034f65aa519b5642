/** Which stores are large enough to be worth threads that help, and a process that is told how to keep its memory. */
import { statSync } from "node:fs";
import { isServerAddress } from "./address.ts";

/** A store of less is read before a thread that helps has started. */
export const LARGE_STORE_BYTES = 64_000_000;

/** True also for one on a server: its size is not known before it is read. */
export function isLargeStore(store: string): boolean {
  if (isServerAddress(store)) return true;
  return (statSync(store, { throwIfNoEntry: false })?.size ?? 0) >= LARGE_STORE_BYTES;
}
