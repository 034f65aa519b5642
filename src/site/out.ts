/**
 * The output folder of a build: created, locked, and repaired before each use. Either one build uses it or any number of readers,
 * never both.
 */

import { accessSync, chmodSync, constants, existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { CLOCK } from "../base/clock.ts";
import { VitrineError } from "../base/error.ts";
import { makeOpenFolder, makePrivateFolder, PRIVATE_FILE, readPlainFile, refusePipe } from "../base/files.ts";
import { SILENT } from "../base/log.ts";
import { isAbsent, isDamage, isMachineTrouble } from "../base/memory.ts";
import { isProcessGone, markOfThisProcess, type ProcessMark } from "../base/process-mark.ts";
import { EXCLUSIVE, SHARED, takeLock } from "../base/sqlite.ts";
import { type Waiting, whenFree } from "../base/when-free.ts";
import { explainWriteFailure } from "../base/write-failure.ts";
import { refuseForeign } from "./foreign-out.ts";
import { layoutOf, type OutLayout } from "./layout.ts";
import { finishCommit } from "./writer.ts";

/** Makes the output folder if it is missing. @throws VitrineError usage if it is a file; guard_refused if it is something else's */
function prepareOut(out: string): OutLayout {
  if (statSync(out, { throwIfNoEntry: false })?.isFile() === true) {
    throw new VitrineError("usage", `${out} is a file. Name the folder of the snapshot with --out.`);
  }
  makeOpenFolder(out);
  accessSync(out, constants.W_OK | constants.X_OK);
  const layout = layoutOf(out);
  refuseForeign(out, layout);
  refuseOtherDisk(out, layout);
  return layout;
}

/** Files are moved into place, which only works within one file system. @throws VitrineError guard_refused */
function refuseOtherDisk(out: string, { site }: OutLayout): void {
  const found = statSync(site, { throwIfNoEntry: false });
  if (found === undefined || found.dev === statSync(out).dev) return;
  throw new VitrineError(
    "guard_refused",
    `${site} is on another file system than ${out}: files can't be moved there. Nothing was written. Mount or link the ` +
      "whole folder instead, or publish to the other file system.",
  );
}

/**
 * Refuses root in the folder of another builder, who could not replace what root makes: its next build would end in the middle of its
 * moves. Where all files belong to one user (a mount with uid=, NFS with root_squash), root's do as well. @throws VitrineError guard_refused
 */
function refuseOtherBuilder(out: string, { manifest, next }: OutLayout): void {
  const builder = statSync(manifest, { throwIfNoEntry: false })?.uid;
  if (process.getuid?.() !== 0 || builder === undefined || builder === statSync(next).uid) return;
  throw new VitrineError(
    "guard_refused",
    `${out} was built by user ${builder}, who could not replace what root makes there. Nothing was written. Run this as that user.`,
    {
      hint: `runuser -u "$(id -nu ${builder})" -- vitrine … runs a command so; chown -R root '${out}' lets root build there from now on`,
    },
  );
}

/** Makes the folder in which a snapshot is staged; a commit ends with removing it. */
export function beginStaging({ next, nextFiles }: OutLayout): void {
  makePrivateFolder(next);
  makePrivateFolder(nextFiles);
}

/** Runs `work` with the lock of an output folder, after finishing what an interrupted build left behind. */
export async function withOut<Result>(
  out: string,
  waiting: Waiting,
  work: (layout: OutLayout) => Promise<Result>,
): Promise<Result> {
  try {
    const layout = prepareOut(out);
    using _lock = await lockOut(layout, "exclusive", waiting);
    finishCommit(layout, waiting.log ?? SILENT);
    beginStaging(layout);
    try {
      refuseOtherBuilder(out, layout);
      return await work(layout);
    } finally {
      if (!existsSync(layout.moves)) rmSync(layout.next, { recursive: true, force: true });
    }
  } catch (error) {
    throw explainWriteFailure(error, out);
  }
}

/** {@link takeLock}, with a file that only this user may read and write. */
function takePrivateLock(file: string, how: Parameters<typeof takeLock>[1]): ReturnType<typeof takeLock> {
  // An existing file keeps its mode: a publish may read a folder that it cannot write to.
  const isNew = !existsSync(file);
  const unlock = takeLock(file, how);
  if (isNew) chmodSync(file, PRIVATE_FILE);
  return unlock;
}

/** Locks a file exclusively; the returned function releases the lock. Null if another process has it. */
export function takeExclusive(file: string): (() => void) | null {
  return takePrivateLock(file, EXCLUSIVE);
}

/** True for the errors of a reader's lock that mean: this user cannot write there, so no build of this machine does. */
function canGoWithout(error: unknown): boolean {
  return isMachineTrouble(error) || isAbsent(error) || isDamage(error);
}

/** Like {@link takeExclusive}; a reader that cannot write to the folder takes no turn. */
function takeTurn(file: string, how: "exclusive" | "shared"): (() => void) | null {
  try {
    return takeExclusive(file);
  } catch (error) {
    if (how === "exclusive" || !canGoWithout(error)) throw error;
    return () => undefined;
  }
}

/** A process that holds a folder's lock, for messages. */
interface OutHolder extends ProcessMark {
  readonly host: string;
  /** RFC 3339 */
  readonly since: string;
}

/** How often a waiting process tries again. */
const MOST_PAUSE_MILLISECONDS = 50;

/**
 * Takes a folder's lock, exclusively for a build or shared by readers. Waiting processes queue: the first holds the turn until it has
 * the lock, and a `watch` that builds again and again queues as well. A reader that cannot write to the folder takes no lock.
 * @throws VitrineError out_busy once the wait is over
 */
export async function lockOut(
  layout: OutLayout,
  how: "exclusive" | "shared",
  waiting: Waiting,
): Promise<Disposable> {
  let giveTurn: (() => void) | null = null;
  try {
    const unlock = await whenFree(
      () => {
        giveTurn ??= takeTurn(layout.turn, how);
        const taken =
          giveTurn === null ? null : takePrivateLock(layout.lock, how === "exclusive" ? EXCLUSIVE : SHARED);
        if (taken !== null) return taken;
        throw new VitrineError("out_busy", `${layout.lock} is locked by ${describeHolders(layout, how)}.`);
      },
      waiting,
      MOST_PAUSE_MILLISECONDS,
    );
    const forget = writeHolder(layout);
    return {
      [Symbol.dispose]() {
        forget();
        unlock();
      },
    };
  } catch (error) {
    if (how === "exclusive" || error instanceof VitrineError || !canGoWithout(error)) throw error;
    return { [Symbol.dispose]: () => undefined };
  } finally {
    (giveTurn as (() => void) | null)?.();
  }
}

/** Records that this process holds the lock; the returned function removes the record. Only for messages: of two parallel writes, one may be lost. */
function writeHolder({ holders: file }: OutLayout): () => void {
  const own: OutHolder = { host: hostname(), since: CLOCK.now().toISOString(), ...markOfThisProcess() };
  const write = (holders: readonly OutHolder[]) => {
    try {
      if (holders.length === 0) rmSync(file, { force: true });
      else {
        refusePipe(file);
        writeFileSync(file, JSON.stringify(holders), { mode: PRIVATE_FILE });
      }
    } catch {
      // The file belongs to another user, or the disk is full.
    }
  };
  write([...readHolders(file), own]);
  return () => write(readHolders(file).filter(({ pid, since }) => pid !== own.pid || since !== own.since));
}

function readHolders(file: string): OutHolder[] {
  try {
    const holders = JSON.parse(readPlainFile(file).toString()) as OutHolder[];
    return holders.filter((holder) => !isProcessGone(holder));
  } catch {
    // Missing, cut off, or another user's: it only makes messages clearer.
    return [];
  }
}

/** `another build, or by a publish that reads the folder: process 12 on shop-1, since 2026-11-26T03:41:12.000Z` */
function describeHolders({ holders: file }: OutLayout, how: "exclusive" | "shared"): string {
  const what = how === "exclusive" ? "another build, or by a publish that reads the folder" : "a build";
  const named = readHolders(file).map(({ pid, host, since }) => `process ${pid} on ${host}, since ${since}`);
  return named.length === 0 ? what : `${what}: ${named.join("; ")}`;
}
