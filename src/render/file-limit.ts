/** Leaves out files that are larger than the snapshot's host takes: the fallback answers them, where there is one. */
import type { PublicConfig } from "../api/config.ts";
import { hostLimits } from "../hosts/hosts.ts";
import type { SnapshotWriter } from "../snapshot/staging.ts";

/** Bytes that a file may have. */
export function mostFileBytes({ for: host }: PublicConfig): number {
  return (host === undefined ? null : hostLimits(host).fileBytes) ?? Infinity;
}

/** Hands on what fits; each other key is taken out. */
export function withinFileLimit(writer: SnapshotWriter, config: PublicConfig): SnapshotWriter {
  const most = mostFileBytes(config);
  return {
    put(key, body, aliases = []) {
      if (body.bytes.length <= most) writer.put(key, body, aliases);
      else for (const each of [key, ...aliases]) writer.remove(each);
    },
    remove: (key) => writer.remove(key),
  };
}
