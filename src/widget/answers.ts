/** The widgets' questions to the API. Widgets of one page share their answers, whichever script asked first. */

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

export type Answer<Data> =
  | { readonly success: true; readonly data: Data; readonly pagination?: { readonly total: number } }
  | { readonly success: false; readonly error: { readonly code: string } };

const TRIES = 4;
const LONGEST_WAIT_SECONDS = 120;
const TIMEOUT_MILLISECONDS = 20_000;

/** Widgets of other scripts on the page find the same map: the symbol is in the registry of all scripts. */
function sharedAnswers(): Map<string, Promise<unknown>> {
  const holder = window as unknown as Record<symbol, Map<string, Promise<unknown>> | undefined>;
  const name = Symbol.for("vitrine.reviews");
  holder[name] ??= new Map();
  return holder[name];
}

/** What is refused for now (429, 503) says when to ask again; what it says is bounded, and so is how often. */
async function askUntilAllowed(url: string, tries: number): Promise<unknown> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
  const seconds = Number(response.headers.get("Retry-After"));
  if (!(seconds > 0) || tries <= 1) return response.json();
  await new Promise((resolve) => setTimeout(resolve, Math.min(LONGEST_WAIT_SECONDS, seconds) * 1000));
  return askUntilAllowed(url, tries - 1);
}

/** The answer of a URL. One that could not be had is forgotten: the next widget asks again. */
export function ask<Data>(url: string): Promise<Answer<Data>> {
  const answers = sharedAnswers();
  let answer = answers.get(url);
  if (answer === undefined) {
    answer = askUntilAllowed(url, TRIES);
    answers.set(url, answer);
    answer.catch(() => answers.delete(url));
  }
  return answer as Promise<Answer<Data>>;
}
