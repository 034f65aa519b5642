/** Identifies this process, and tells whether another one has certainly ended. For locks that outlive their process. */
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { systemCodeOf } from "./error.ts";

export interface ProcessMark {
  readonly pid: number;
  /** Identifies one boot of one kernel and one process namespace; "" if the system does not say. */
  readonly machine: string;
  /** When the process began, in the kernel's ticks since boot: distinguishes it from a later one with the same number. */
  readonly began: string;
}

function machineOf(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return createHash("sha256")
      .update(`${hostname()} ${boot} ${readlinkSync("/proc/self/ns/pid")}`)
      .digest("hex")
      .slice(0, 16);
  } catch {
    // A system without /proc.
    return "";
  }
}

/** Field 22 of `/proc/PID/stat` (proc(5)). Field 2 is the command in brackets, which may hold anything: fields are counted after it. */
function beganAt(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    // The process has ended, or this is a system without /proc.
    return "";
  }
}

export function markOfThisProcess(): ProcessMark {
  return { pid: process.pid, machine: machineOf(), began: beganAt(process.pid) };
}

/** True only if it is certain: the process ran here, and its number is free or a later process has it. */
export function isProcessGone({ pid, machine, began }: ProcessMark): boolean {
  if (machine === "" || machine !== machineOf()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return systemCodeOf(error) === "ESRCH";
  }
  const found = beganAt(pid);
  return began !== "" && found !== "" && found !== began;
}
