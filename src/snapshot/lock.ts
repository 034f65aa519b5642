/** Who may use an output folder: one build alone, or any number of readers, and never both. */
import { VitrineError } from "../base/error.ts";
import { EXCLUSIVE, SHARED, takeLock } from "../base/sqlite.ts";

function busy(message: string): VitrineError {
  return new VitrineError("out_busy", message);
}

/** Takes the lock alone; the returned function gives it back. @throws VitrineError out_busy */
export function lockOut(file: string): () => void {
  const unlock = takeLock(file, EXCLUSIVE);
  if (unlock !== null) return unlock;
  throw busy(
    `Another build is at work on ${file}, or a publish reads what it would replace. Wait until it is done.`,
  );
}

/** Takes the lock together with other readers. @throws VitrineError out_busy */
export function lockForReading(file: string): () => void {
  const unlock = takeLock(file, SHARED);
  if (unlock !== null) return unlock;
  throw busy(`A build is at work on ${file}. Wait until it is done.`);
}
