/** Who this process is, and whether another one of this machine is still there. */
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { systemCodeOf } from "../base/error.ts";
import type { Holder, Journal } from "./documents.ts";

/** One boot of one kernel and one process space in it; "" where the system does not say (then leases decide). */
function machineOf(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return createHash("sha256")
      .update(`${hostname()} ${boot} ${readlinkSync("/proc/self/ns/pid")}`)
      .digest("hex")
      .slice(0, 16);
  } catch {
    return "";
  }
}

export function thisHolder(): Holder {
  return { host: hostname(), pid: process.pid, machine: machineOf() };
}

/** True only where it is certain: the process ran here and is gone. */
export function isHolderGone({ holder }: Journal): boolean {
  if (holder.machine === "" || holder.machine !== machineOf()) return false;
  try {
    process.kill(holder.pid, 0);
    return false;
  } catch (error) {
    return systemCodeOf(error) === "ESRCH";
  }
}
