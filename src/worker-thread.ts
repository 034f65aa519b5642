/** A worker's thread: loads what a job takes when it is first ordered. */
import { answerMessages } from "./base/thread-pool.ts";
import type { WorkerOrder } from "./workers.ts";

const JOBS: Readonly<Record<WorkerOrder["job"], () => Promise<(order: never) => unknown>>> = {
  make: async () => (await import("./extract/makers.ts")).makeInWorker,
};

/** Texts of made records are bytes that move from thread to thread. */
function handedOver(answer: unknown): ArrayBuffer[] {
  const { texts } = (answer ?? {}) as { readonly texts?: Uint8Array<ArrayBuffer> };
  return texts === undefined ? [] : [texts.buffer];
}

answerMessages(async ({ job, order }: WorkerOrder) => {
  const run = await JOBS[job]();
  return run(order as never);
}, handedOver);
