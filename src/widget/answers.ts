/** The widgets' requests to the API. All widgets of a page share their answers, also across scripts. */
import { shared } from "./shared.ts";

/** The fields of a product that widgets read. */
export interface Product {
  readonly title: string;
  readonly public_url: string;
  /** May be empty. */
  readonly image: string;
  /** `published`, `preorder` or `coming_soon`. */
  readonly status: string;
  readonly pricing: { readonly current: number; readonly regular: number; readonly currency: string };
  readonly rating_summary: { readonly average: number; readonly count: number };
}

export interface Review {
  readonly rating: number;
  readonly title: string;
  readonly body: string;
  readonly customer_display_name: string;
  /** May be empty. */
  readonly customer_avatar: string;
  readonly verified_purchase: boolean;
  readonly created_at: string;
}

export interface Answer<Data> {
  readonly data: Data;
  readonly pagination?: { readonly total: number };
}

/** Sends a request: `ask("/product?slug=invoice-kit")`. An unsuccessful answer rejects with an error that has its `code`. */
export type Ask = <Data>(question: string) => Promise<Answer<Data>>;

const TRIES = 4;
const LONGEST_WAIT_SECONDS = 120;
const TIMEOUT_SECONDS = 20;

/** A 429 or 503 says when to try again. Waiting times and tries are bounded. */
async function askUntilAllowed(url: string, cancel: AbortController, tries: number): Promise<unknown> {
  const late = () => cancel.abort(new Error(`no answer within ${TIMEOUT_SECONDS} seconds`));
  const timer = setTimeout(late, TIMEOUT_SECONDS * 1000);
  try {
    const response = await fetch(url, { signal: cancel.signal });
    const seconds = Number(response.headers.get("Retry-After"));
    if (!(seconds > 0) || tries <= 1) {
      const answer = await response.json().catch(() => null);
      if (answer?.success) return answer;
      // A host of plain files answers with a web page if it has no file.
      const code = answer?.error?.code ?? (response.status === 404 ? "not_found" : "");
      throw Object.assign(new Error(answer?.error?.message ?? `HTTP ${response.status}`), { code });
    }
    clearTimeout(timer);
    await new Promise((resolve) => setTimeout(resolve, Math.min(LONGEST_WAIT_SECONDS, seconds) * 1000));
  } finally {
    clearTimeout(timer);
  }
  return askUntilAllowed(url, cancel, tries - 1);
}

/** A successful answer without waiting, for a page that is about to be printed. */
async function askAtOnce(url: string): Promise<unknown> {
  const request = new XMLHttpRequest();
  request.open("GET", url, false);
  request.send();
  const answer = JSON.parse(request.response);
  if (!answer.success) throw new Error(url);
  return answer;
}

/**
 * The answer of a URL, as long as a widget needs it: when the signals of all widgets that asked for it are aborted, the
 * request ends and its answer is forgotten. A failed answer is forgotten at once: the next widget asks again.
 */
export function ask<Data>(url: string, signal: AbortSignal, isAtOnce: boolean): Promise<Answer<Data>> {
  signal.throwIfAborted();
  const { answers } = shared;
  let asked = answers.get(url);
  if (asked === undefined) {
    const cancel = new AbortController();
    const askWaiting = () => askUntilAllowed(url, cancel, TRIES);
    asked = { answer: isAtOnce ? askAtOnce(url).catch(askWaiting) : askWaiting(), cancel, users: 0 };
    answers.set(url, asked);
  }
  const mine = asked;
  const forget = () => {
    if (answers.get(url) === mine) answers.delete(url);
  };
  mine.users++;
  signal.addEventListener("abort", () => {
    mine.users--;
    if (mine.users > 0) return;
    forget();
    mine.cancel.abort();
  });
  mine.answer.catch(forget);
  return mine.answer as Promise<Answer<Data>>;
}

/** Turns "not found" into an empty list: an empty list has no file, so a host of plain files answers 404. */
export function noneIfMissing(error: { readonly code?: string }): Answer<readonly never[]> {
  if (error.code !== "not_found") throw error;
  return { data: [] };
}
