/** A thread that does one piece of work and ends, so that the caller's thread goes on. An error in it is thrown to the caller. */
import { parentPort, type ResourceLimits, Worker, workerData } from "node:worker_threads";
import { type ErrorCode, messageOf, systemCodeOf, VitrineError } from "./error.ts";

/**
 * A thread's data is short-lived. With the default limit, V8 lets its young generation grow to several times the memory
 * before it collects.
 */
const SHORT_LIVED: ResourceLimits = { maxYoungGenerationSizeMb: 16 };

/** An error as data: a class cannot be sent between threads. */
interface SentError {
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: string;
  readonly isOurs: boolean;
  /** What caused it: decides whether a file is damaged. */
  readonly cause: SentError | null;
}

type ThreadAnswer<Response> = { readonly done: Response } | { readonly failed: SentError };

function failureOf(error: unknown): SentError {
  return {
    message: messageOf(error),
    stack: error instanceof Error ? error.stack : undefined,
    code: systemCodeOf(error),
    isOurs: error instanceof VitrineError,
    cause: error instanceof Error && error.cause instanceof Error ? failureOf(error.cause) : null,
  };
}

function errorOf({ message, stack, code, isOurs, cause }: SentError): Error {
  const options = cause === null ? {} : { cause: errorOf(cause) };
  if (isOurs) return new VitrineError(code as ErrorCode, message, options);
  const error = Object.assign(new Error(message, options), code === "" ? {} : { code });
  if (stack !== undefined) error.stack = stack;
  return error;
}

/**
 * Starts a thread for a task, and returns its result. At the signal the thread ends with its work undone.
 * @param module calls {@link answerTask}
 */
export async function runInThread<Task, Result>(
  module: URL,
  task: Task,
  signal?: AbortSignal,
): Promise<Result> {
  signal?.throwIfAborted();
  const worker = new Worker(module, { workerData: task, resourceLimits: SHORT_LIVED });
  const end = () => void worker.terminate();
  signal?.addEventListener("abort", end);
  try {
    return await new Promise<Result>((resolve, reject) => {
      worker.once("message", (answer: ThreadAnswer<Result>) => {
        if ("done" in answer) resolve(answer.done);
        else reject(errorOf(answer.failed));
      });
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("A thread has ended before its work was done.")));
    });
  } finally {
    signal?.removeEventListener("abort", end);
    await worker.terminate();
  }
}

/**
 * Called once in a thread: does the task that it was started for.
 * @param handedOver memory of the result that is moved to the caller
 */
export async function answerTask<Task, Result>(
  work: (task: Task) => Result | Promise<Result>,
  handedOver: (result: Result) => ArrayBuffer[] = () => [],
): Promise<void> {
  try {
    const done = await work(workerData as Task);
    parentPort?.postMessage({ done } satisfies ThreadAnswer<Result>, handedOver(done));
  } catch (error) {
    parentPort?.postMessage({ failed: failureOf(error) } satisfies ThreadAnswer<Result>);
  }
}
