/**
 * Checks that only root and this user can change where a path leads, as sshd does for a user's keys (StrictModes in sshd_config(5)).
 * Below such a folder no other user can plant a link or swap a file, so paths can be used as they are.
 */
import { lstatSync, readlinkSync, type Stats, statfsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { systemCodeOf, VitrineError } from "../../base/error.ts";

/** Linux follows at most this many links in one path. */
const MOST_LINKS = 40;
/** Mode bits: writable by the group or by others. */
const WRITTEN_BY_OTHERS = 0o022;
const STICKY = 0o1000;

interface Step {
  readonly path: string;
  readonly stats: Stats;
  /** True for the folder that the whole path names. */
  readonly isLast: boolean;
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCodeOf(error))) return undefined;
    throw error;
  }
}

/** Folders and links on the way to an absolute path, as the system resolves it; ends at the first missing one. */
function* stepsTo(path: string): Generator<Step> {
  const namesOf = (text: string) => text.split("/").filter((name) => name !== "" && name !== ".");
  let left = namesOf(path);
  let at = "/";
  yield { path: at, stats: lstatSync(at), isLast: left.length === 0 };
  for (let links = 0; left.length > 0; ) {
    const [name = "", ...rest] = left;
    left = rest;
    if (name === "..") {
      at = dirname(at);
      continue;
    }
    const next = join(at, name);
    const stats = lookAt(next);
    if (stats === undefined) return;
    yield { path: next, stats, isLast: left.length === 0 };
    if (!stats.isSymbolicLink()) {
      at = next;
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) return;
    const target = readlinkSync(next);
    if (isAbsolute(target)) at = "/";
    left = [...namesOf(target), ...left];
  }
}

/** True for a folder like /tmp: all users write to it, but only the owner of a file renames or removes it. */
function isSticky(stats: Stats): boolean {
  return stats.isDirectory() && stats.uid === 0 && (stats.mode & STICKY) !== 0;
}

/** What helps: commands, another user to run as, or another folder. */
function adviceFor(path: string, stats: Stats, user: number): string {
  if (isSticky(stats)) return "Name a folder below it.";
  const commands: string[] = [];
  const isForeign = stats.uid !== 0 && stats.uid !== user;
  if (isForeign) commands.push(`chown ${stats.isSymbolicLink() ? "-h " : ""}${user} '${path}'`);
  if (!stats.isSymbolicLink() && (stats.mode & WRITTEN_BY_OTHERS) !== 0)
    commands.push(`chmod go-w '${path}'`);
  const run = user === 0 || user === stats.uid ? "run" : "run as root";
  const mend = `${run}: ${commands.join(" && ")}.`;
  // A follower must not take the publisher's folder away from it.
  if (isForeign) return `Run vitrine as user ${stats.uid}. If no other user publishes there, ${mend}`;
  return mend.charAt(0).toUpperCase() + mend.slice(1);
}

/** Linux's numbers of file systems whose mount options may decide the mode and owner of every file: chmod then succeeds in vain. */
const MOUNTED_MODES: ReadonlySet<number> = new Set([
  0x4d44, // FAT
  0x2011bab0, // exFAT
  0x5346544e, // NTFS
  0x7366746e, // NTFS3
  0xff534d42, // CIFS
  0xfe534d42, // SMB
  0x65735546, // FUSE: ntfs-3g, exfat-fuse, sshfs
]);

/** What helps on such a file system; undefined on others. */
function mountHint(path: string, user: number, typeOf: (path: string) => number): string | undefined {
  if (!MOUNTED_MODES.has(typeOf(path))) return undefined;
  return (
    `if the mode stays the same, the options of the mount decide it, as for FAT, NTFS and SMB: findmnt -T '${path}' shows them; ` +
    `mount it with uid=${user},umask=022 (SMB: uid=${user},dir_mode=0755,file_mode=0644), or publish to another disk`
  );
}

/**
 * Refuses what belongs to another user or is writable by others.
 * @param root the folder to publish to, for the message
 * @param typeOf the number of the file system that has a path
 * @throws VitrineError guard_refused
 */
export function refuseIfShared(
  path: string,
  stats: Stats,
  root: string,
  typeOf: (path: string) => number = (each) => statfsSync(each).type,
): void {
  const user = process.getuid?.();
  // Windows has no such modes.
  if (user === undefined) return;
  // A link's own mode says nothing.
  const isOpen = !stats.isSymbolicLink() && (stats.mode & WRITTEN_BY_OTHERS) !== 0;
  if (!isOpen && (stats.uid === 0 || stats.uid === user)) return;
  const mode = (stats.mode & 0o7777).toString(8).padStart(4, "0");
  throw new VitrineError(
    "guard_refused",
    `${path} has mode ${mode} and belongs to user ${stats.uid}: users other than root and this user (${user}) could put anything ` +
      `into ${root}, or make it lead elsewhere. Nothing was written. ${adviceFor(path, stats, user)}`,
    { hint: mountHint(path, user, typeOf) },
  );
}

/** Checks every folder and link on the way to a folder, which may not exist yet. @throws VitrineError guard_refused */
export function refuseIfReachedByOthers(root: string): void {
  if (process.getuid === undefined) return;
  for (const { path, stats, isLast } of stepsTo(root)) {
    if (isLast || !isSticky(stats)) refuseIfShared(path, stats, root);
  }
}
