/** Shared by commands that serve: listening, logging and stopping. */
import type { Server } from "node:http";
import { every } from "../base/clock.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import type { Log } from "../base/log.ts";
import type { AccessRecord, ServerPorts } from "../serve/http.ts";
import { untilStopped } from "./stop.ts";

export interface ServerFlags {
  readonly host: string;
  readonly port: number;
  /** Seconds for which it listens after a signal to stop. */
  readonly drain?: number;
}

/**
 * Listens until the process gets a signal to stop, then finishes open requests. `onListen` starts what a listening server needs; its
 * result is disposed last.
 */
export async function runServer(
  server: Server,
  flags: ServerFlags,
  log: Log,
  onListen: (url: string) => Promise<AsyncDisposable | null> = () => Promise.resolve(null),
): Promise<void> {
  const { listen, stop } = await import("../serve/http.ts");
  const url = await listen(server, flags.host, flags.port).catch((error: unknown) => {
    throw new VitrineError("usage", `${messageOf(error)}. Choose another with --port or --host.`, {
      cause: error,
    });
  });
  try {
    await using _ = await onListen(url);
    // Signals end it from here on: one may follow the line at once.
    const stopped = untilStopped();
    log.info(`listening on ${url}`);
    await stopped;
    await stop(server, (flags.drain ?? 0) * 1000);
  } finally {
    server.close().closeAllConnections();
  }
}

/** The log of a server: a line of JSON for each event, and for each request unless `--quiet` is given. */
export interface ServerLog extends Log, Disposable, Pick<ServerPorts, "access" | "failed"> {
  readonly access: (record: AccessRecord) => void;
}

/** Characters of lines that are kept for a disk that is full: later ones are dropped. */
const MOST_KEPT = 1_000_000;

/**
 * Lines of requests are gathered, so that most of them write nothing: at most for a second. Any other line is written at once. A server
 * goes on without its log if that can't be written.
 */
export async function openServerLog(isQuiet: boolean): Promise<ServerLog> {
  const { pino } = await import("pino");
  const lines = pino.destination({ sync: true, minLength: 4000, maxLength: MOST_KEPT });
  let isWritten = true;
  lines.on("error", (error: unknown) => {
    // Standard error may lead elsewhere.
    if (isWritten)
      process.stderr.write(`the log cannot be written, and the server goes on: ${messageOf(error)}\n`);
    isWritten = false;
  });
  lines.on("write", () => {
    isWritten = true;
  });
  every(1000, () => lines.flush());
  const log = pino(lines);
  const atOnce = (write: () => void) => {
    write();
    lines.flush();
  };
  return {
    access: isQuiet ? () => {} : (record) => log.info(record, "request"),
    failed: (error, target) => atOnce(() => log.error({ err: error, target }, "failed")),
    info: (message) => atOnce(() => log.info(message)),
    warn: (message) => atOnce(() => log.warn(message)),
    progress: () => {},
    [Symbol.dispose]() {
      lines.flush();
      // The other one tries for ever if the disk is full.
      if (isWritten) lines.flushSync();
    },
  };
}
