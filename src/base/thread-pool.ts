/** Worker threads, each of which answers one message after the other. An error in a thread is thrown to the caller. */
import { availableParallelism } from "node:os";
import { parentPort, type ResourceLimits, Worker } from "node:worker_threads";
import { type ErrorCode, messageOf, systemCodeOf, VitrineError } from "./error.ts";

/** How many threads a build may start, and from how many rows on: starting one takes a tenth of a second. */
export interface Threads {
  /** 0: everything is done in the calling thread. */
  readonly count: number;
  readonly fromRows: number;
}

export function allCores(): Threads {
  return { count: availableParallelism(), fromRows: 4000 };
}

/** Messages queued in each thread, so that the next one is ready when the current one is answered. */
export const UNDER_WAY = 2;

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

class Thread<Request, Response> {
  readonly #worker: Worker;
  /** Callers that wait for answers, in order. */
  readonly #waiting: { resolve(response: Response): void; reject(error: Error): void }[] = [];
  #ended: Error | undefined;

  constructor(module: URL, data: unknown) {
    this.#worker = new Worker(module, { workerData: data, resourceLimits: SHORT_LIVED });
    this.#worker.on("message", (answer: ThreadAnswer<Response>) => {
      const next = this.#waiting.shift();
      if ("done" in answer) next?.resolve(answer.done);
      else next?.reject(errorOf(answer.failed));
    });
    this.#worker.once("error", (error) => this.#end(error));
    this.#worker.once("exit", () => this.#end(new Error("A thread has ended before its work was done.")));
  }

  get underWay(): number {
    return this.#waiting.length;
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#ended);
  }

  run(request: Request, handedOver: readonly ArrayBuffer[]): Promise<Response> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended);
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(request, handedOver);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** Call `close` when done. */
export class ThreadPool<Request, Response> {
  readonly #threads: readonly Thread<Request, Response>[];
  /** Requests that are not sent yet, in order. */
  readonly #backlog: (() => void)[] = [];

  /** @param module calls {@link answerMessages}; `data` is its `workerData` */
  constructor(module: URL, count: number, data: unknown) {
    this.#threads = Array.from({ length: count }, () => new Thread<Request, Response>(module, data));
  }

  /** Sends a request to the least busy thread. @param handedOver memory of the request that is moved to the thread */
  async run(request: Request, handedOver: readonly ArrayBuffer[] = []): Promise<Response> {
    const free = this.#freest();
    if (free.underWay >= UNDER_WAY) await new Promise<void>((resolve) => this.#backlog.push(resolve));
    try {
      return await this.#freest().run(request, handedOver);
    } finally {
      this.#backlog.shift()?.();
    }
  }

  #freest(): Thread<Request, Response> {
    const least = Math.min(...this.#threads.map(({ underWay }) => underWay));
    const thread = this.#threads.find(({ underWay }) => underWay === least);
    if (thread === undefined) throw new Error("A pool needs a thread");
    return thread;
  }

  /** Sends a message to every thread, ahead of all later ones. */
  async broadcast(request: Request): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.run(request, [])));
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

/**
 * Called once in a thread: answers the messages that it is sent, one after the other.
 * @param handedOver memory of an answer that is moved to the caller
 */
export function answerMessages<Request, Response>(
  answer: (request: Request) => Response | Promise<Response>,
  handedOver: (response: Response) => ArrayBuffer[] = () => [],
): void {
  const respond = async (request: Request): Promise<[ThreadAnswer<Response>, ArrayBuffer[]]> => {
    try {
      const done = await answer(request);
      return [{ done }, handedOver(done)];
    } catch (error) {
      return [{ failed: failureOf(error) }, []];
    }
  };
  let answered = Promise.resolve();
  parentPort?.on("message", (request: Request) => {
    answered = answered.then(async () => parentPort?.postMessage(...(await respond(request))));
  });
}
