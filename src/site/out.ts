/**
 * The output folder of a build: made, locked, and repaired before anything new is done there. One build alone may use it, or any
 * number of readers, and never both.
 */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { VitrineError } from "../base/error.ts";
import { makeOpenFolder, makePrivateFolder, PRIVATE_FILE } from "../base/modes.ts";
import { isProcessGone, markOfThisProcess, type ProcessMark } from "../base/process-mark.ts";
import { EXCLUSIVE, SHARED, takeLock } from "../base/sqlite.ts";
import { type Waiting, whenFree } from "../base/when-free.ts";
import { explainWriteFailure } from "../base/write-failure.ts";
import { layoutOf, type OutLayout } from "./layout.ts";
import { finishCommit } from "./writer.ts";

/** Makes the output folder where there is none. @throws VitrineError usage where it is a file */
function prepareOut(out: string): OutLayout {
  if (statSync(out, { throwIfNoEntry: false })?.isFile() === true) {
    throw new VitrineError("usage", `${out} is a file. Name the folder of the snapshot with --out.`);
  }
  makeOpenFolder(out);
  accessSync(out, constants.W_OK | constants.X_OK);
  return layoutOf(out);
}

/** Makes the folder in which a snapshot is staged; a commit ends with removing it. */
export function beginStaging({ next, nextFiles }: OutLayout): void {
  makePrivateFolder(next);
  makePrivateFolder(nextFiles);
}

/** Runs `work` with the lock of an output folder, after finishing what an interrupted build left there. */
export async function withOut<Result>(
  out: string,
  waiting: Waiting,
  work: (layout: OutLayout) => Promise<Result>,
): Promise<Result> {
  try {
    const layout = prepareOut(out);
    using _lock = await lockOut(layout, "alone", waiting);
    finishCommit(layout);
    beginStaging(layout);
    try {
      return await work(layout);
    } finally {
      if (!existsSync(layout.moves)) rmSync(layout.next, { recursive: true, force: true });
    }
  } catch (error) {
    throw explainWriteFailure(error, out);
  }
}

/** {@link takeLock}, whose file is made for this user alone. */
function takePrivateLock(file: string, how: Parameters<typeof takeLock>[1]): ReturnType<typeof takeLock> {
  // The mode of one that exists is left: a publish may read a folder that it can't write.
  const isNew = !existsSync(file);
  const unlock = takeLock(file, how);
  if (isNew) chmodSync(file, PRIVATE_FILE);
  return unlock;
}

/** Takes a lock file alone; the returned function gives it back. Null where another holds it. */
export function takeAlone(file: string): (() => void) | null {
  return takePrivateLock(file, EXCLUSIVE);
}

/** Those who may read the folder and not write there have no turn to take. */
function takeTurn(file: string, how: "alone" | "reading"): (() => void) | null {
  try {
    return takeAlone(file);
  } catch (error) {
    if (how === "alone") throw error;
    return () => undefined;
  }
}

/** One who holds a folder's lock, for messages. */
interface OutHolder extends ProcessMark {
  readonly host: string;
  /** RFC 3339 */
  readonly since: string;
}

/** Others that wait for a folder look this often. */
const MOST_PAUSE_MILLISECONDS = 50;

/**
 * Takes a folder's lock, alone or together with other readers. Those who wait stand in line: the first holds the turn until it has
 * the lock, and a `watch` that builds again and again has to take the turn, too. A folder that can't be written needs no lock to be read.
 * @throws VitrineError out_busy once the wait is over
 */
export async function lockOut(
  layout: OutLayout,
  how: "alone" | "reading",
  waiting: Waiting,
): Promise<Disposable> {
  let giveTurn: (() => void) | null = null;
  try {
    const unlock = await whenFree(
      () => {
        giveTurn ??= takeTurn(layout.turn, how);
        const taken =
          giveTurn === null ? null : takePrivateLock(layout.lock, how === "alone" ? EXCLUSIVE : SHARED);
        if (taken !== null) return taken;
        throw new VitrineError("out_busy", `${layout.lock} is held by ${describeHolders(layout, how)}.`);
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
    if (how === "alone" || error instanceof VitrineError) throw error;
    return { [Symbol.dispose]: () => undefined };
  } finally {
    (giveTurn as (() => void) | null)?.();
  }
}

/** Says who holds the lock, and returns what takes that back. It is for messages alone: two that write at once may lose one. */
function writeHolder({ holders: file }: OutLayout): () => void {
  const own: OutHolder = { host: hostname(), since: new Date().toISOString(), ...markOfThisProcess() };
  const write = (holders: readonly OutHolder[]) => {
    try {
      if (holders.length === 0) rmSync(file, { force: true });
      else writeFileSync(file, JSON.stringify(holders), { mode: PRIVATE_FILE });
    } catch {
      // Another user's, or the disk is full.
    }
  };
  write([...readHolders(file), own]);
  return () => write(readHolders(file).filter(({ pid, since }) => pid !== own.pid || since !== own.since));
}

function readHolders(file: string): OutHolder[] {
  try {
    const holders = JSON.parse(readFileSync(file, "utf8")) as OutHolder[];
    return holders.filter((holder) => !isProcessGone(holder));
  } catch {
    return [];
  }
}

/** `another build, or by a publish that reads the folder: process 12 on shop-1, since 2026-11-26T03:41:12.000Z` */
function describeHolders({ holders: file }: OutLayout, how: "alone" | "reading"): string {
  const what = how === "alone" ? "another build, or by a publish that reads the folder" : "a build";
  const named = readHolders(file).map(({ pid, host, since }) => `process ${pid} on ${host}, since ${since}`);
  return named.length === 0 ? what : `${what}: ${named.join("; ")}`;
}
