/** The log of servers: a line of JSON for each request. */
import type { Log } from "../base/log.ts";
import type { AccessRecord, ServerPorts } from "../serve/http.ts";

export interface ServerLog extends Log, Disposable, Pick<ServerPorts, "access" | "failed"> {
  readonly access: (record: AccessRecord) => void;
}

/**
 * Lines are gathered, so that most requests write none; every second, and at the end, what is left is written. No write is
 * longer than a pipe takes in one piece: so lines of several threads do not mix.
 */
export async function openServerLog(isQuiet: boolean): Promise<ServerLog> {
  const { pino } = await import("pino");
  const lines = pino.destination({ sync: true, minLength: 4000, maxWrite: 4096 });
  setInterval(() => lines.flush(), 1000).unref();
  const log = pino({ level: isQuiet ? "warn" : "info" }, lines);
  return {
    access: (record) => log.info(record, "request"),
    failed: (error, target) => log.error({ err: error, target }, "failed"),
    info: (message) => log.warn(message),
    progress: () => {},
    [Symbol.dispose]: () => lines.flushSync(),
  };
}
