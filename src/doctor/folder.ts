/** The disk of the snapshot: whether there is room, whether this user may write there, and whose it is. */
import * as nodeFiles from "node:fs";
import { dirname } from "node:path";
import { messageOf } from "../base/error.ts";
import { formatBytes, formatCount } from "../base/log.ts";
import { layoutOf } from "../snapshot/layout.ts";
import { openManifest } from "../snapshot/manifest.ts";
import { type Found, ok, problem, warning } from "./finding.ts";

/** What is asked of a file system; tests stand in for those that are full, closed or remote. */
export type Files = Pick<typeof nodeFiles, "accessSync" | "existsSync" | "statSync" | "statfsSync">;

const ELSEWHERE = "or name another folder with --out.";

/** The folder itself, or the one in which it would be made. */
function existing(folder: string, files: Files): string {
  return files.existsSync(folder) ? folder : existing(dirname(folder), files);
}

interface Weight {
  readonly files: number;
  readonly sizeBytes: number;
}

/** What a snapshot takes at most on a disk with blocks of this size; null where there is none. */
function weigh(out: string, blockBytes: number, files: Files): Weight | null {
  const layout = layoutOf(out);
  if (!files.existsSync(layout.manifest)) return null;
  const manifest = openManifest(layout.manifest);
  const totals = manifest.totals();
  manifest.close();
  const beside = [layout.manifest, layout.catalog, layout.readings].filter((file) => files.existsSync(file));
  const besideBytes = beside.reduce((sum, file) => sum + files.statSync(file).size, 0);
  return { files: totals.files, sizeBytes: totals.sizeBytes + totals.files * blockBytes + besideBytes };
}

/** Linux's numbers of file systems whose locks and renames are another machine's. */
const REMOTE: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x01021997, "9p"],
  [0x65735546, "FUSE"],
]);

function checkRoom(out: string, place: string, maxFiles: number | null, files: Files): Found {
  const { bavail, bsize, files: all, ffree } = files.statfsSync(place);
  // Some file systems count no files, for they have room for any number.
  const free: Weight = { files: all === 0 ? Infinity : ffree, sizeBytes: bavail * bsize };
  const many = all === 0 ? "any number of" : formatCount(ffree);
  const room = `${formatBytes(free.sizeBytes)} and ${many} files are free for ${out}`;
  const needed = weigh(out, bsize, files);
  if (needed === null) {
    if (maxFiles !== null && free.files < maxFiles)
      return warning(
        `${room}, and maxFiles allows ${formatCount(maxFiles)}`,
        `Lower grid.maxFiles, ${ELSEWHERE} vitrine plan says how many there would be.`,
      );
    return ok(`${room}; there is no snapshot yet, and vitrine plan says what one takes`);
  }
  const takes = `making all anew takes up to ${formatBytes(needed.sizeBytes)} and ${formatCount(needed.files)} files`;
  if (free.sizeBytes >= needed.sizeBytes && free.files >= needed.files) return ok(`${room}; ${takes}`);
  return problem(`Only ${room}, and ${takes}`, `Make room, ${ELSEWHERE}`);
}

/** @throws VitrineError snapshot_unreadable */
export function checkDisk(out: string, maxFiles: number | null, files: Files = nodeFiles): Found[] {
  const place = existing(out, files);
  const found = [checkRoom(out, place, maxFiles, files)];
  try {
    files.accessSync(place, nodeFiles.constants.W_OK);
  } catch (error) {
    found.push(
      problem(`Cannot write to ${place}: ${messageOf(error)}`, `Let this user write there, ${ELSEWHERE}`),
    );
  }
  const remote = REMOTE.get(files.statfsSync(place).type);
  if (remote !== undefined)
    found.push(
      warning(`${place} is on ${remote}, where locks may not hold`, `Build on a local disk, ${ELSEWHERE}`),
    );
  return found;
}
