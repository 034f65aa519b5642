/** How commands speak: progress on a terminal, quiet lines elsewhere, one JSON object for machines. */
import { messageOf, VitrineError } from "../base/error.ts";
import type { Log } from "../base/log.ts";
import { onInterrupt } from "./interrupt.ts";

const PROGRESS_MILLISECONDS = 100;

/** A log on standard error. On a terminal, progress is one line that is written over. */
export function terminalLog(quiet: boolean): Log & { done(): void } {
  const live = process.stderr.isTTY && !quiet;
  let shown = 0;
  let release: (() => void) | undefined;
  const clear = () => {
    if (live && shown > 0) process.stderr.write("\r\u001b[K");
    shown = 0;
  };
  return {
    info(message) {
      clear();
      if (!quiet) process.stderr.write(`${message}\n`);
    },
    progress(message) {
      const now = Date.now();
      if (!live || now - shown < PROGRESS_MILLISECONDS) return;
      release ??= onInterrupt(clear);
      process.stderr.write(`\r\u001b[K${message()}`);
      shown = now;
    },
    done() {
      clear();
      release?.();
      release = undefined;
    },
  };
}

/** What is said of an error: its message, or that it is a bug and where. */
export function describeError(error: unknown): string {
  if (error instanceof VitrineError) return error.message;
  const stack = error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
  return `this is a bug, please report it.\n${stack}`;
}

/** A command's result: an object for machines, or lines for people, on standard output. */
export function printResult(json: boolean, result: object, lines: readonly string[]): void {
  process.stdout.write(json ? `${JSON.stringify(result)}\n` : lines.map((line) => `${line}\n`).join(""));
}

/** JSON text in which what could steer the terminal or turn the text's direction is written as an escape. */
export function escapeForTerminal(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
