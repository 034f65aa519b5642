/** Describes the failure of a request and what a reader can do about it. Pure. */
import { type Answer, errorOf } from "./api.ts";
import { type Free, fileOf } from "./target.ts";
import type { Asked } from "./use-answer.ts";

export interface Failure {
  readonly title: string;
  readonly text: string;
  /** Text of the button that sends the request again; null if that would not help. */
  readonly again: string | null;
  /** Parameters to remove, so that a file can answer. */
  readonly free: Free | null;
}

/** Also the title of the view of an unknown record. */
export const NOT_FOUND = "Not found";
const ONLY_SERVER = "Only a server can answer this";

function offline(rest: string): Failure {
  const { free, reason } = fileOf(rest);
  const text =
    free === null
      ? "This page can't reach the store. Check the connection."
      : `${sentence(reason)}: a server must answer it, and this page can't reach one. Check the connection.`;
  return { title: "No connection", text, again: "Try again", free };
}

/** Nothing is broken: no file can answer this, and there is no server to make the answer. */
function unanswered({ rest, status }: Answer): Failure {
  const { free, reason } = fileOf(rest);
  const why = sentence(reason === "" ? "this snapshot has no file for this" : reason);
  if (status >= 500) {
    const text = `${why}: a server must answer it, and that is not available now. Everything else works.`;
    return { title: ONLY_SERVER, text, again: "Try again", free };
  }
  const advice = free === null ? "Try fewer filters, or an earlier page." : "Everything else works.";
  return {
    title: ONLY_SERVER,
    text: `${why}: a server must answer it, and this address has none. ${advice}`,
    again: null,
    free,
  };
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Null if nothing failed. */
export function failureOf({ rest, answer, isCurrent, isOffline, waitSeconds }: Asked): Failure | null {
  if (isOffline) return offline(rest ?? "");
  const error = isCurrent ? errorOf(answer) : null;
  if (answer === null || error === null) return null;
  if (answer.isUnanswered) return unanswered(answer);
  if (answer.status === 429) {
    const text = waitSeconds === null ? error.message : `Trying again in ${waitSeconds} seconds.`;
    return { title: "Too many requests", text, again: "Try now", free: null };
  }
  if (answer.isMissing) return { title: NOT_FOUND, text: error.message, again: null, free: null };
  const isFault = answer.status >= 500;
  const title = isFault ? "The store answered with an error" : "This request is not valid";
  return { title, text: error.message, again: isFault ? "Try again" : null, free: null };
}
