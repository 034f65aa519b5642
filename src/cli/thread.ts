/** Work in a thread of its own: what it says there becomes a log, a report or an error again here. */
import { parentPort, type Worker } from "node:worker_threads";
import { type ErrorCode, VitrineError } from "../base/error.ts";
import type { Log, Progress } from "../base/log.ts";

/** A report is cloned, so it holds data alone. */
type ThreadMessage<Report> =
  | { readonly info: string }
  | { readonly progress: Progress }
  | { readonly report: Report }
  | { readonly refused: { readonly code: ErrorCode; readonly message: string } };

const PROGRESS_MILLISECONDS = 100;

/** Does the work of this thread, and tells those who wait for it. */
export async function reportFromThread<Report>(work: (log: Log) => Promise<Report>): Promise<void> {
  const post = (message: ThreadMessage<Report>) => parentPort?.postMessage(message);
  let posted = 0;
  const log: Log = {
    info: (info) => post({ info }),
    progress(message) {
      if (Date.now() - posted < PROGRESS_MILLISECONDS) return;
      posted = Date.now();
      post({ progress: message() });
    },
  };
  try {
    post({ report: await work(log) });
  } catch (error) {
    // Any other error ends the thread, and is told with its stack.
    if (!(error instanceof VitrineError)) throw error;
    post({ refused: { code: error.code, message: error.message } });
  }
}

/** What a thread reports of the work that it does now. @throws VitrineError as its work does */
export function reportOf<Report>(thread: Worker, log: Log): Promise<Report> {
  return new Promise((resolve, reject) => {
    const settle = (result: () => void) => {
      thread.off("message", hear).off("error", fail);
      result();
    };
    const fail = (error: unknown) => settle(() => reject(error));
    const hear = (message: ThreadMessage<Report>) => {
      if ("info" in message) log.info(message.info);
      else if ("progress" in message) log.progress(() => message.progress);
      else if ("report" in message) settle(() => resolve(message.report));
      else fail(new VitrineError(message.refused.code, message.refused.message));
    };
    thread.on("message", hear).on("error", fail);
  });
}
