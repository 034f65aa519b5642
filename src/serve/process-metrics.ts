/** What every program tells Prometheus of its process. */
import { existsSync, readdirSync } from "node:fs";
import type { Family } from "../base/metrics.ts";

const OPEN_FILES = "/proc/self/fd";
/** Once, in whole seconds: as often as it is asked the clocks give another fraction, and each would count as a restart. */
const STARTED = Math.round(Date.now() / 1000 - process.uptime());

export function processFamilies(): Family[] {
  const { user, system } = process.cpuUsage();
  const families: Family[] = [
    {
      name: "process_cpu_seconds",
      kind: "counter",
      unit: "seconds",
      help: "Processor time used, user and system.",
      samples: [{ value: (user + system) / 1e6 }],
    },
    {
      name: "process_resident_memory_bytes",
      kind: "gauge",
      unit: "bytes",
      help: "Memory that the process holds.",
      samples: [{ value: process.memoryUsage.rss() }],
    },
    {
      name: "process_start_time_seconds",
      kind: "gauge",
      unit: "seconds",
      help: "When the process started, since 1970.",
      samples: [{ value: STARTED }],
    },
  ];
  if (!existsSync(OPEN_FILES)) return families;
  const value = readdirSync(OPEN_FILES).length;
  return [
    ...families,
    { name: "process_open_fds", kind: "gauge", help: "Open files and sockets.", samples: [{ value }] },
  ];
}
