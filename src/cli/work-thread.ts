/** The thread in which a command's work is done, so that the main thread is left free for signals. Each kind of work is one entry. */
import { parentPort } from "node:worker_threads";
import { type ErrorCode, VitrineError } from "../base/error.ts";
import type { Log, Progress } from "../base/log.ts";
import type { EraseOptions } from "../build/erase.ts";
import type { PublishOptions } from "../build/publish.ts";
import type { BuildInputs } from "../config/inputs.ts";
import type { ResidentBuilder } from "./resident.ts";

interface Ports {
  readonly log: Log;
  /** Aborted when a signal came. */
  readonly signal: AbortSignal;
}

type Order<Options> = Omit<Options, keyof Ports>;

let resident: ResidentBuilder | undefined;

/** What is ordered and what comes of it are data: they go from thread to thread. */
const WORK = {
  build: async (inputs: BuildInputs, { log }: Ports) =>
    (await import("../build/build.ts")).buildSnapshot(inputs, log),
  /** `folder`: empty, for what is made on the way. */
  plan: async ({ inputs, folder }: { readonly inputs: BuildInputs; readonly folder: string }) =>
    (await import("../build/plan.ts")).planBuild(inputs, folder),
  /** A build after others of the same inputs, which has in memory what they had. */
  buildAgain: async (
    { inputs, now }: { readonly inputs: BuildInputs; readonly now: Date },
    { log }: Ports,
  ) => {
    resident ??= new (await import("./resident.ts")).ResidentBuilder(inputs);
    return resident.build(now, log);
  },
  publish: async (order: Order<PublishOptions>, ports: Ports) =>
    (await import("../build/publish.ts")).publish({ ...order, ...ports }),
  /** `release`: null for the one before the live one. */
  rollback: async (
    { release, options }: { readonly release: string | null; readonly options: Order<PublishOptions> },
    ports: Ports,
  ) => (await import("../build/rollback.ts")).rollback(release ?? undefined, { ...options, ...ports }),
  erase: async (order: Order<EraseOptions>, ports: Ports) =>
    (await import("../build/erase.ts")).erase({ ...order, ...ports }),
};
export type Work = typeof WORK;

export type Heard = "interrupted" | { readonly work: keyof Work; readonly order: unknown };
export type ThreadMessage =
  | { readonly info: string }
  | { readonly progress: Progress }
  | { readonly report: unknown }
  | { readonly refused: { readonly code: ErrorCode; readonly message: string } };

const PROGRESS_MILLISECONDS = 100;
const abort = new AbortController();
const post = (message: ThreadMessage) => parentPort?.postMessage(message);

function threadLog(): Log {
  let postedAt = 0;
  return {
    info: (info) => post({ info }),
    progress(state) {
      if (Date.now() - postedAt < PROGRESS_MILLISECONDS) return;
      postedAt = Date.now();
      post({ progress: state() });
    },
  };
}

parentPort?.on("message", async (heard: Heard) => {
  if (heard === "interrupted") return abort.abort();
  const { work, order } = heard;
  const run = WORK[work] as (order: unknown, ports: Ports) => Promise<unknown>;
  try {
    post({ report: await run(order, { log: threadLog(), signal: abort.signal }) });
  } catch (error) {
    // Any other error ends the thread, and is shown with its stack.
    if (!(error instanceof VitrineError)) throw error;
    post({ refused: { code: error.code, message: error.message } });
  }
});
