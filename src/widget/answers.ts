/** The widgets' questions to the API. Widgets of one page share their answers, whichever script asked first. */
import { shared } from "./shared.ts";

/** What widgets read of a product: its record says much more. */
export interface Product {
  readonly title: string;
  readonly public_url: string;
  /** May be empty. */
  readonly image: string;
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

/** How a widget asks the API: `ask("/product?slug=invoice-kit")`. An answer without success is an error with its `code`. */
export type Ask = <Data>(question: string) => Promise<Answer<Data>>;

const TRIES = 4;
const LONGEST_WAIT_SECONDS = 120;
const TIMEOUT_SECONDS = 20;

/** A refusal for now (429, 503) says when to ask again; how long and how often is bounded. */
async function askUntilAllowed(url: string, cancel: AbortController, tries: number): Promise<unknown> {
  const late = () => cancel.abort(new Error(`no answer within ${TIMEOUT_SECONDS} seconds`));
  const timer = setTimeout(late, TIMEOUT_SECONDS * 1000);
  try {
    const response = await fetch(url, { signal: cancel.signal });
    const seconds = Number(response.headers.get("Retry-After"));
    if (!(seconds > 0) || tries <= 1) {
      const answer = await response.json().catch(() => null);
      if (answer?.success) return answer;
      // A host of files alone has a page of its own for what it does not have.
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

/**
 * The answer of a URL, for as long as a widget needs it: the request ends, and its answer is forgotten, when the signals of
 * all that asked for it are aborted. An answer that failed is forgotten at once: the next widget asks again.
 */
export function ask<Data>(url: string, signal: AbortSignal): Promise<Answer<Data>> {
  signal.throwIfAborted();
  const { answers } = shared;
  let asked = answers.get(url);
  if (asked === undefined) {
    const cancel = new AbortController();
    asked = { answer: askUntilAllowed(url, cancel, TRIES), cancel, users: 0 };
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

/** Of a list's error: a list without a record has no file, so a host of files alone does not have it. */
export function noneIfMissing(error: { readonly code?: string }): Answer<readonly never[]> {
  if (error.code !== "not_found") throw error;
  return { data: [] };
}
