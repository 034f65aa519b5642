/** The widgets' requests to the API. All widgets of a page share their answers, also across scripts. */
import { answerOf, askPatiently } from "../client/retry.ts";
import { shared } from "./shared.ts";

/** The fields of a product that widgets read. */
export interface Product {
  readonly title: string;
  readonly public_url: string;
  /** May be empty. */
  readonly image: string;
  /** `published`, `preorder` or `coming_soon`. */
  readonly status: string;
  readonly pricing: {
    readonly current: number;
    readonly regular: number;
    readonly preorder: number | null;
    readonly currency: string;
  };
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
export type Ask = <Data>(question: string, tries?: number) => Promise<Answer<Data>>;

interface Said {
  readonly success?: boolean;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Asks as the client does. Who asks once does not wait long. */
async function load(url: string, signal: AbortSignal, tries: number): Promise<unknown> {
  const send = async (each: AbortSignal) => {
    const response = await fetch(url, { signal: each });
    return answerOf<Said>(response, await response.text());
  };
  const { status, said, isMissing } = await askPatiently(send, signal, tries, 120, 5 * tries);
  if (said?.success) return said;
  const error = said?.error;
  const code = error?.code ?? (isMissing && "not_found");
  throw Object.assign(new Error(error?.message ?? `HTTP ${status}`), { code });
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
export function ask<Data>(
  url: string,
  signal: AbortSignal,
  isAtOnce: boolean,
  tries = 4,
): Promise<Answer<Data>> {
  signal.throwIfAborted();
  const { answers } = shared;
  const send = () => {
    const cancel = new AbortController();
    const askWaiting = () => load(url, cancel.signal, tries);
    return { answer: isAtOnce ? askAtOnce(url).catch(askWaiting) : askWaiting(), cancel, users: 0 };
  };
  answers[url] ??= send();
  const mine = answers[url];
  const forget = () => {
    if (answers[url] === mine) delete answers[url];
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
