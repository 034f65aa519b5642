/** Leaves out files that are larger than the snapshot's host takes: the fallback answers them, where there is one. */
import type { PublicConfig } from "../api/config.ts";
import { hostLimits } from "../hosts/hosts.ts";
import type { SnapshotWriter } from "../snapshot/staging.ts";

/** Bytes that a file may have. */
export function mostFileBytes({ for: host }: PublicConfig): number {
  return (host === undefined ? null : hostLimits(host).fileBytes) ?? Infinity;
}

/** Hands on what fits; `leaveOut` is told of each other key. */
export function fitWriter(
  writer: SnapshotWriter,
  config: PublicConfig,
  leaveOut: (key: string) => void = () => undefined,
): SnapshotWriter {
  const most = mostFileBytes(config);
  let isTooLarge = false;
  return {
    put(key, body) {
      isTooLarge = body.bytes.length > most;
      if (isTooLarge) leaveOut(key);
      else writer.put(key, body);
    },
    link(key) {
      if (isTooLarge) leaveOut(key);
      else writer.link(key);
    },
  };
}
