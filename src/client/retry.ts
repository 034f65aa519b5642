/**
 * When a request is sent again, and what its answer says: one set of rules for the client and the widgets, which bundle this
 * file. It runs in browsers, Node and Workers, imports nothing, and is short: each widget sends it to each visitor.
 */

/** An answer that came whole. */
export interface Answer<Said> {
  readonly status: number;
  /** Null if the body is not JSON. */
  readonly said: Said | null;
  /** True if a host of files has no such file. */
  readonly isMissing: boolean;
  /** What `Retry-After` says; below 1, or NaN, if it does not say when. */
  readonly seconds: number;
}

/**
 * Asks until there is an answer, or it was tried often enough. A pause is as long as the answer says, else one, two and four
 * seconds.
 *
 * @throws what `ask` threw last: no answer came. At once if `isFinal` says so, or if the signal is aborted
 */
export async function askPatiently<Said>(
  ask: (signal: AbortSignal) => Promise<Answer<Said>>,
  signal: AbortSignal | undefined,
  tries = 4,
  longestWaitSeconds = 120,
  timeoutSeconds = 20,
  isFinal?: (error: unknown) => boolean,
): Promise<Answer<Said>> {
  for (let tried = 1; ; tried++) {
    let wait = 2 ** (tried - 1);
    try {
      const answer = await within(timeoutSeconds, signal, ask);
      if (!isBusy(answer) || tried >= tries) return answer;
      if (answer.seconds > 0) wait = answer.seconds;
    } catch (error) {
      if (signal?.aborted || tried >= tries || isFinal?.(error)) throw error;
    }
    const pause = (over: AbortSignal) => new Promise((resolve) => over.addEventListener("abort", resolve));
    await within(Math.min(wait, longestWaitSeconds), signal, pause);
  }
}

/** Runs with a signal that is aborted after the seconds, or with the given one. (Older browsers lack AbortSignal.any, React Native up to 0.8x also `throwIfAborted` and reasons.) */
async function within<Result>(
  seconds: number,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (signal?.aborted) throw signal.reason ?? new Error("aborted");
  const end = new AbortController();
  const stop = () => end.abort(signal?.reason ?? new Error("no answer in time"));
  // Timers count to 2^31 ms; a longer one would end at once.
  const timer = setTimeout(stop, Math.min(seconds, 2e6) * 1000);
  // Until its end: a controller has the option `signal`.
  signal?.addEventListener("abort", stop, end);
  try {
    return await run(end.signal);
  } finally {
    clearTimeout(timer);
    stop();
  }
}

/** The API, or a server in front of it, can't answer now. */
export function isBusy({ status }: { readonly status: number }): boolean {
  return [408, 429, 502, 503, 504].includes(status);
}

/**
 * What an answer says.
 *
 * @throws Error if its body ends early, as after a broken connection. Programs are not told of that if the body was compressed:
 * they get the part that could be decompressed (Chromium, Node), or nothing (zstd in browsers).
 */
export function answerOf<Said>(
  { status, headers }: Pick<Response, "status" | "headers">,
  body: string,
): Answer<Said> {
  const type = headers.get("Content-Type") ?? (headers.get("Content-Encoding") && "json");
  let said: Said | null = null;
  try {
    said = JSON.parse(body) as Said;
  } catch (error) {
    const isCut = type && (body[0] === "{" || (body === "" && status === 200 && /json/.test(type)));
    // Else it is another server's web page, for example.
    if (isCut && !isBusy({ status })) throw error;
  }
  // RFC 9110, 10.2.3: seconds, or a date by the clock of the server, which browsers hide from other hosts.
  const text = headers.get("Retry-After") ?? "";
  const now = Date.parse(headers.get("Date") ?? "") || Date.now();
  return {
    status,
    said,
    // A bucket that must not list its keys answers 403 for a missing one; a firewall's 403 says something else.
    isMissing: status === 404 || (status === 403 && body.includes("AccessDenied")),
    seconds: +text >= 0 ? +text : Math.ceil((Date.parse(text) - now) / 1000),
  };
}
