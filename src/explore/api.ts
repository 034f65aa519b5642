/** Requests answers from the API next to this page, and describes each one for a person. */
import { fileOf } from "./target.ts";

/** Relative to this page, at any address; never an address that a document names. */
export const BASE = new URL("../api/v1", location.href.replace(/[?#].*/s, "")).href;

/**
 * The source of an answer. `missing`: the host has no such file. `unanswered`: a proxy reports that its server is down.
 * Null: an error of unknown source.
 */
export type Source = "file" | "fallback" | "cache" | "missing" | "unanswered" | null;

export interface Answer {
  /** The part after the base address: `products?page=2`. */
  readonly rest: string;
  readonly url: string;
  readonly status: number;
  /** `200 OK`; over HTTP/2 `200`. */
  readonly statusWords: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  /** Undefined if the body is not JSON. */
  readonly json: unknown;
  /** True if the host has no file for it, or the server no record. */
  readonly isMissing: boolean;
  readonly milliseconds: number;
  readonly sizeBytes: number;
  readonly source: Source;
  /** Key of the file, or the reason why no file answered and what happened then. */
  readonly sourceWords: string;
  /** True if only a server can answer, and no server did. */
  readonly isUnanswered: boolean;
  /** The corrected search text; "" if it was not corrected. */
  readonly corrected: string;
  /** Seconds until a limited request may be repeated; null if it is not limited. */
  readonly retrySeconds: number | null;
}

export function urlOf(rest: string): string {
  return rest === "" || rest.startsWith("?") ? BASE + rest : `${BASE}/${rest}`;
}

// A full buffer records no more requests.
performance.onresourcetimingbufferfull = () => performance.clearResourceTimings();

/** When the present view was opened, on the clock of `performance`. */
let viewStart = 0;
addEventListener("hashchange", () => {
  viewStart = performance.now();
});

/** The parts of a view ask within this time of each other; a reader who asks again is slower. */
const TOGETHER_MILLISECONDS = 1000;

interface Timing {
  /** Undefined if the browser recorded no request that began then or later. */
  readonly timing: PerformanceResourceTiming | undefined;
  readonly isCached: boolean;
}

/** The browser's timing of a request. An answer that it shares with another part of the view, which asked first, is not cached. */
function timingOf({ url, started }: Fetched): Timing {
  const notes = performance.getEntriesByName(url, "resource") as PerformanceResourceTiming[];
  const timing = notes.find(({ startTime }) => startTime >= started);
  if (timing === undefined) return { timing, isCached: false };
  const isShared = notes.some(
    (other) =>
      other.transferSize > 0 &&
      other.startTime <= timing.startTime &&
      other.responseEnd > timing.startTime - (other.startTime >= viewStart ? TOGETHER_MILLISECONDS : 0),
  );
  return { timing, isCached: timing.transferSize === 0 && timing.decodedBodySize > 0 && !isShared };
}

/** Statuses of file hosts for an address without a file: a bucket without public listing answers 403. */
const NO_FILE: readonly number[] = [403, 404];
/** Statuses of a proxy whose server is down. */
const AWAY: readonly number[] = [502, 503, 504];

interface Origin {
  readonly source: Source;
  readonly words: string;
  readonly isUnanswered: boolean;
}

/** The fallback names itself; any other answer whose key has a file is a file. Only an answer of the API can be a file or from a cache. */
function originOf(rest: string, fetched: Fetched, isCached: boolean): Origin {
  const { key, reason, free, isList } = fileOf(rest);
  const { status, headers, ok } = fetched.response;
  const isSaid = headers.get("server-timing")?.includes("fallback") ?? false;
  const why = key === null ? reason : "this snapshot has no such file";
  if (ok && fetched.json !== undefined) {
    const isFile = !isSaid && key !== null;
    const source = isCached ? "cache" : isFile ? "file" : "fallback";
    return { source, words: isFile ? key : `${why}, so a server answered`, isUnanswered: false };
  }
  if (isSaid) return { source: "fallback", words: why, isUnanswered: false };
  if (AWAY.includes(status)) {
    const words = key === null ? `${why}, and no server answered` : "neither a file nor a server answered";
    return { source: "unanswered", words, isUnanswered: free !== null };
  }
  if (hasNoFile(fetched) && (key !== null || isList)) {
    const words = isList ? `${why}, and no server answered` : why;
    return { source: "missing", words, isUnanswered: isList };
  }
  return { source: null, words: reason, isUnanswered: false };
}

/** Decodes a percent-encoded header; "" if it is malformed. */
function decoded(text: string | null): string {
  try {
    return decodeURIComponent(text ?? "");
  } catch {
    // A broken escape.
    return "";
  }
}

/** True for a host's answer to an address without a file: some hosts answer 200 with a page of their own. */
function hasNoFile({ response, json }: Fetched): boolean {
  return NO_FILE.includes(response.status) || (response.ok && json === undefined);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // JSON.parse has one error.
    return undefined;
  }
}

interface Fetched {
  readonly url: string;
  /** On the clock of `performance`. */
  readonly started: number;
  readonly response: Response;
  readonly text: string;
  /** Undefined if the text is not JSON. */
  readonly json: unknown;
  readonly milliseconds: number;
}

async function fetchText(url: string, signal: AbortSignal): Promise<Fetched> {
  const started = performance.now();
  const response = await fetch(url, { signal });
  const text = await response.text();
  return { url, started, response, text, json: parsed(text), milliseconds: performance.now() - started };
}

/** Asks by the request. If the host does not find that, asks by the file's path: some hosts look only at paths. */
async function fetchEither(rest: string, signal: AbortSignal): Promise<Fetched> {
  const asked = await fetchText(urlOf(rest), signal);
  const { key } = fileOf(rest);
  if (key === null || !hasNoFile(asked)) return asked;
  const file = await fetchText(urlOf(key), signal);
  return file.response.ok && !hasNoFile(file) ? file : asked;
}

/** @throws TypeError if the host can't be reached */
export async function ask(rest: string, signal: AbortSignal): Promise<Answer> {
  const fetched = await fetchEither(rest, signal);
  const { url, response, text, json, milliseconds } = fetched;
  const { timing, isCached } = timingOf(fetched);
  const { source, words, isUnanswered } = originOf(rest, fetched, isCached);
  const isUnchanged = timing?.responseStatus === 304;
  const status = isUnchanged ? 304 : response.status;
  const retry = Number.parseInt(response.headers.get("retry-after") ?? "", 10);
  return {
    rest,
    url,
    status,
    statusWords: isUnchanged ? "304 unchanged" : `${status} ${response.statusText}`.trim(),
    headers: [...response.headers],
    text,
    json,
    isMissing: hasNoFile(fetched),
    milliseconds: timing === undefined ? milliseconds : timing.responseEnd - timing.startTime,
    sizeBytes: new Blob([text]).size,
    source,
    sourceWords: words,
    isUnanswered,
    corrected: decoded(response.headers.get("x-corrected-search")),
    retrySeconds: response.status === 429 ? Math.min(Math.max(1, retry || 60), 3600) : null,
  };
}

/** The data of a successful answer; null for any other. */
export function dataOf<Data>(answer: Answer | null): Data | null {
  const json = answer?.json as { success?: boolean; data?: Data } | undefined;
  return json?.success === true && json.data !== undefined ? json.data : null;
}

export interface PageWords {
  readonly page: number;
  readonly per_page: number;
  readonly total: number;
  readonly total_pages: number;
}

export function paginationOf(answer: Answer | null): PageWords | null {
  return (answer?.json as { pagination?: PageWords } | undefined)?.pagination ?? null;
}

/** The error in an answer; null if the answer is not an error. */
export function errorOf(answer: Answer | null): { readonly code: string; readonly message: string } | null {
  if (answer === null || (answer.status < 400 && !answer.isMissing)) return null;
  if (answer.status < 400)
    return { code: "", message: "This host has no file for this request and answered with a web page." };
  const json = answer.json as { error?: { code: string; message: string } } | undefined;
  return json?.error ?? { code: "", message: `The server answered ${answer.statusWords}.` };
}
