/** The folder of the snapshot: whether there is room, and whether its file system can do what a build does. */
import * as nodeFiles from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "../base/error.ts";
import { formatBytes, formatCount } from "../base/log.ts";
import { removeForgotten, type TemporaryFolder, temporaryFolder } from "../base/temporary-folder.ts";
import { layoutOf } from "../snapshot/layout.ts";
import { openManifest } from "../snapshot/manifest.ts";
import { type Found, ok, problem, warning } from "./finding.ts";

/** What is asked of a file system; tests stand in for those that cannot do it. */
export type Files = Pick<
  typeof nodeFiles,
  | "closeSync"
  | "existsSync"
  | "fsyncSync"
  | "linkSync"
  | "mkdirSync"
  | "openSync"
  | "readFileSync"
  | "renameSync"
  | "statSync"
  | "statfsSync"
  | "writeFileSync"
>;

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

/** @throws VitrineError snapshot_unreadable */
export function checkDisk(out: string, maxFiles: number | null, files: Files = nodeFiles): Found[] {
  const { bavail, bsize, files: all, ffree } = files.statfsSync(existing(out, files));
  // Some file systems count no files, for they have room for any number.
  const free: Weight = { files: all === 0 ? Infinity : ffree, sizeBytes: bavail * bsize };
  const many = all === 0 ? "any number of" : formatCount(ffree);
  const room = `${formatBytes(free.sizeBytes)} and ${many} files are free for ${out}`;
  const needed = weigh(out, bsize, files);
  if (needed === null) {
    if (maxFiles !== null && free.files < maxFiles)
      return [
        warning(
          `${room}, and maxFiles allows ${formatCount(maxFiles)}`,
          `Lower grid.maxFiles, ${ELSEWHERE} vitrine plan says how many there would be.`,
        ),
      ];
    return [ok(`${room}; there is no snapshot yet, and vitrine plan says what one takes`)];
  }
  const takes = `making all anew takes up to ${formatBytes(needed.sizeBytes)} and ${formatCount(needed.files)} files`;
  if (free.sizeBytes >= needed.sizeBytes && free.files >= needed.files) return [ok(`${room}; ${takes}`)];
  return [problem(`Only ${room}, and ${takes}`, `Make room, ${ELSEWHERE}`)];
}

interface Trial {
  readonly name: string;
  /** Tried in an empty folder of its own; an error means no, too. */
  readonly holds: (folder: string, files: Files) => boolean;
}

const LONGEST_NAME = "n".repeat(255);

const TRIALS: readonly Trial[] = [
  {
    name: "hard links",
    holds(folder, files) {
      const [file, link] = [join(folder, "file"), join(folder, "link")];
      files.writeFileSync(file, "");
      files.linkSync(file, link);
      return files.statSync(file).ino === files.statSync(link).ino;
    },
  },
  {
    name: "renaming over a file",
    holds(folder, files) {
      const [file, draft] = [join(folder, "file"), join(folder, "draft")];
      files.writeFileSync(file, "old");
      files.writeFileSync(draft, "new");
      files.renameSync(draft, file);
      return files.readFileSync(file, "utf8") === "new" && !files.existsSync(draft);
    },
  },
  {
    name: "renaming a folder",
    holds(folder, files) {
      files.mkdirSync(join(folder, "from"));
      files.writeFileSync(join(folder, "from/file"), "");
      files.renameSync(join(folder, "from"), join(folder, "to"));
      return files.existsSync(join(folder, "to/file"));
    },
  },
  {
    name: "fsync",
    holds(folder, files) {
      const file = files.openSync(join(folder, "file"), "w");
      try {
        files.fsyncSync(file);
      } finally {
        files.closeSync(file);
      }
      return true;
    },
  },
  {
    name: "names of 255 bytes",
    holds(folder, files) {
      files.writeFileSync(join(folder, LONGEST_NAME), "");
      return files.existsSync(join(folder, LONGEST_NAME));
    },
  },
];

/** Linux's numbers of file systems whose locks and renames are another machine's. */
const REMOTE: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x01021997, "9p"],
  [0x65735546, "FUSE"],
]);

function tryOut({ name, holds }: Trial, folder: string, files: Files): Found | null {
  const place = join(folder, name.replaceAll(" ", "-"));
  files.mkdirSync(place);
  let reason = "";
  try {
    if (holds(place, files)) return null;
  } catch (error) {
    reason = `: ${messageOf(error)}`;
  }
  const next = "Name a folder on a local file system with --out (ext4, XFS, Btrfs, ZFS, APFS or NTFS).";
  return problem(`The file system of the output folder lacks ${name}${reason}`, next);
}

/**
 * Tries in a folder of its own, in the output folder or where that would be made. Nothing of it stays; where this is killed, the
 * next removes it.
 */
export async function checkFileSystem(out: string, files: Files = nodeFiles): Promise<Found[]> {
  const place = existing(out, files);
  let folder: TemporaryFolder;
  try {
    // There it was while there was no output folder yet.
    await removeForgotten(existing(dirname(out), files)).catch(() => undefined);
    folder = await temporaryFolder(place);
  } catch (error) {
    const next = `Let this user write there, ${ELSEWHERE}`;
    return [problem(`Cannot write to ${place}: ${messageOf(error)}`, next)];
  }
  await using trials = folder;
  const failed = TRIALS.map((trial) => tryOut(trial, trials.path, files)).filter((found) => found !== null);
  files.writeFileSync(join(trials.path, "case"), "");
  const cases = files.existsSync(join(trials.path, "CASE"))
    ? "A and a are one name, which keys do not mind"
    : "A and a are two names";
  const remote = REMOTE.get(files.statfsSync(place).type);
  return [
    ...(failed.length > 0 ? failed : [ok(`${TRIALS.map(({ name }) => name).join(", ")}; ${cases}`)]),
    ...(remote === undefined
      ? []
      : [
          warning(
            `${place} is on ${remote}, where locks may not hold`,
            `Build on a local disk, ${ELSEWHERE}`,
          ),
        ]),
  ];
}
