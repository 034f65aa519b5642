/** Threads that do the heavy work of builds and releases, one job after the other, each as it is ordered. */
import { ThreadPool } from "./base/thread-pool.ts";
import { startedModule } from "./package.ts";

/** The tasks of a worker, by their names in `worker-thread.ts`; the caller knows the types of input and result. */
export interface WorkerJob<Order, Answer> {
  readonly name: "make";
  /** For the compiler alone. */
  readonly types?: (order: Order) => Answer;
}

/** As it is sent. */
export interface WorkerOrder {
  readonly job: WorkerJob<unknown, unknown>["name"];
  readonly order: unknown;
}

/** The caller that starts them closes them. */
export class WorkerPool {
  readonly #threads: ThreadPool<WorkerOrder, unknown>;

  constructor(count: number) {
    this.#threads = new ThreadPool(startedModule("worker-thread"), count, null);
  }

  /** Asks the worker that has the least to do. */
  run<Order, Answer>({ name }: WorkerJob<Order, Answer>, order: Order): Promise<Answer> {
    const answer = this.#threads.run({ job: name, order }) as Promise<Answer>;
    // Some answers are awaited later, or never: without this a failure would end the process as an unhandled rejection.
    answer.catch(() => undefined);
    return answer;
  }

  /** Sends an order to every worker, ahead of all later ones. */
  broadcast<Order>({ name }: WorkerJob<Order, unknown>, order: Order): Promise<void> {
    return this.#threads.broadcast({ job: name, order });
  }

  close(): Promise<void> {
    return this.#threads.close();
  }
}
