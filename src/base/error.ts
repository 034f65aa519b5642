/** The one error class: what went wrong, where, and what to do next. Printed once, in `cli`. */

import { redactSecrets } from "./redact.ts";

/** Permanent codes, each with the exit code of the command that ends with it (CONTRIBUTING.md: "Errors"). */
export const EXIT_CODES = {
  usage: 2,
  config_invalid: 2,
  store_unreadable: 3,
  allow_list_invalid: 3,
  rows_invalid: 3,
  catalog_unreadable: 4,
  snapshot_unreadable: 4,
  check_failed: 4,
  answer_is_error: 4,
  remote_failed: 5,
  remote_invalid: 5,
  purge_failed: 5,
  command_failed: 5,
  remote_stale: 5,
  out_busy: 6,
  write_failed: 6,
  publisher_busy: 6,
  release_held: 6,
  older_snapshot: 6,
  conditions_ignored: 6,
  guard_refused: 6,
  shop_closed: 6,
  newer_format: 6,
} as const;

export type ErrorCode = keyof typeof EXIT_CODES;

/** Everything that a user can cause or fix; any other error is a bug in Vitrine. */
export class VitrineError extends Error {
  readonly code: ErrorCode;
  readonly exitCode: number;
  /** What to do about it, if the message does not say: in lower case, without a full stop. */
  readonly hint: string | undefined;

  /**
   * @param message what, where and what to do next, for a person to read; secrets are redacted.
   * @param options `exitCode`: the exit code of another command that failed, instead of the code's own.
   */
  constructor(
    code: ErrorCode,
    message: string,
    options?: { cause?: unknown; exitCode?: number; hint?: string | undefined },
  ) {
    super(redactSecrets(endedOnce(message)), options);
    this.name = "VitrineError";
    this.code = code;
    this.exitCode = options?.exitCode ?? EXIT_CODES[code];
    this.hint = options?.hint === undefined ? undefined : redactSecrets(options.hint);
  }
}

/** True if another process kept a database locked for longer than SQLite waits. */
export function isLocked(error: unknown): boolean {
  return systemCodeOf(error).startsWith("SQLITE_BUSY");
}

/** True if this user may not read or write a file, or not even enter its folder: it may exist. */
export function isForbidden(error: unknown): boolean {
  return systemCodeOf(error) === "EACCES";
}

/** What to do about a locked database. */
export const AFTER_LOCK = "Try again once that process has ended.";

/** The message of an unknown thrown value, without secrets, with its hint if it has one. */
export function messageOf(error: unknown): string {
  // SQLite only says "database is locked".
  if (isLocked(error)) return "another process keeps it locked";
  if (error instanceof VitrineError && error.hint !== undefined)
    return `${error.message} ${asSentence(error.hint)}.`;
  // Of a request, Node says this alone, and the reason in its cause: no name, no connection, a certificate.
  if (error instanceof TypeError && error.message === "fetch failed" && error.cause instanceof Error)
    return `fetch failed: ${redactSecrets(error.cause.message) || systemCodeOf(error.cause)}`;
  return redactSecrets(error instanceof Error ? error.message : String(error));
}

/** Hints that begin with a command or a path keep their first letter. */
const TYPED = /^(?:docs\/|(?:vitrine|fuser|df|ls|ulimit|findmnt) )/;

function asSentence(hint: string): string {
  return TYPED.test(hint) ? hint : hint.charAt(0).toUpperCase() + hint.slice(1);
}

/**
 * Messages quote other messages, which may end in a full stop or not, and continue after them. This ends each sentence
 * once: `No space left.. Make room.` → `No space left. Make room.`
 */
export function endedOnce(text: string): string {
  return text.replace(/(?<=[^\s./])([.?!…])(?:\s*\.)+(?=\s|$)/g, "$1");
}

/** The system's code of a failed call, for example `ENOSPC` or `SQLITE_NOTADB`; "" if it has none. */
export function systemCodeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
