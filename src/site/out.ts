/**
 * The output folder of a build: made, locked, and repaired before anything new is done there. One build alone may use it, or any
 * number of readers, and never both.
 */
import { accessSync, chmodSync, constants, existsSync, rmSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { VitrineError } from "../base/error.ts";
import { makeOpenFolder, makePrivateFolder, PRIVATE_FILE } from "../base/modes.ts";
import { EXCLUSIVE, SHARED, takeLock } from "../base/sqlite.ts";
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
  work: (layout: OutLayout) => Promise<Result>,
): Promise<Result> {
  try {
    const layout = prepareOut(out);
    const unlock = lockOut(layout.lock);
    try {
      finishCommit(layout);
      beginStaging(layout);
      return await work(layout);
    } finally {
      try {
        if (!existsSync(layout.moves)) rmSync(layout.next, { recursive: true, force: true });
      } finally {
        unlock();
      }
    }
  } catch (error) {
    throw explainWriteFailure(error, out);
  }
}

function busy(message: string): VitrineError {
  return new VitrineError("out_busy", message);
}

/** {@link takeLock}, whose file is made for this user alone. */
function takeOutLock(file: string, how: Parameters<typeof takeLock>[1]): ReturnType<typeof takeLock> {
  // The mode of one that exists is left: a publish may read a folder that it can't write.
  const isNew = !existsSync(file);
  const unlock = takeLock(file, how);
  if (isNew) chmodSync(file, PRIVATE_FILE);
  return unlock;
}

/** Takes the lock alone; the returned function gives it back. @throws VitrineError out_busy */
export function lockOut(file: string): () => void {
  const unlock = takeOutLock(file, EXCLUSIVE);
  if (unlock !== null) return unlock;
  throw busy(
    `Another build is at work on ${file}, or a publish reads what it would replace. Wait until it is done.`,
  );
}

interface Waiting {
  readonly seconds: number;
  /** Ends it once it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each pause. */
  readonly onPause?: () => void;
}

const MOST_PAUSE_MILLISECONDS = 50;

/** Takes a lock that another may hold for a while. @throws what `take` throws, VitrineError out_busy once the time is over */
export async function whenFree<Lock>(take: () => Lock, { seconds, signal, onPause }: Waiting): Promise<Lock> {
  const until = performance.now() + seconds * 1000;
  for (;;) {
    try {
      return take();
    } catch (error) {
      const isBusy = error instanceof VitrineError && error.code === "out_busy";
      if (!isBusy || signal?.aborted === true || performance.now() >= until) throw error;
    }
    onPause?.();
    // Others that wait do not come back together.
    await sleep(Math.random() * MOST_PAUSE_MILLISECONDS);
  }
}

/** Takes the lock together with other readers. @throws VitrineError out_busy */
export function lockForReading(file: string): () => void {
  const unlock = takeOutLock(file, SHARED);
  if (unlock !== null) return unlock;
  throw busy(`A build is at work on ${file}. Wait until it is done.`);
}
