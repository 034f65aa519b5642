/** A view's request. It is sent when it changes, and again when a rate limit ends; the last answer stays until the next one arrives. */
import { useCallback, useEffect, useLayoutEffect, useState } from "preact/hooks";
import { type Answer, ask } from "./api.ts";

export interface Asked {
  /** The part after the base address; null without a request. */
  readonly rest: string | null;
  /** The last answer, also while the next one is loading; null before the first one. */
  readonly answer: Answer | null;
  /** Of the request as it is now. */
  readonly isCurrent: boolean;
  readonly isOffline: boolean;
  /** True if it has been loading for so long that the page should say so. */
  readonly isSlow: boolean;
  /** Seconds until a limited request is sent again; null if it is not limited. */
  readonly waitSeconds: number | null;
  readonly again: () => void;
}

const SLOW_MILLISECONDS = 4000;

interface State {
  readonly answer: Answer | null;
  readonly offlineFor: string | null;
}

/** `rest` is the part after the base address; null sends no request. */
export function useAnswer(rest: string | null): Asked {
  const [{ answer, offlineFor }, setState] = useState<State>({ answer: null, offlineFor: null });
  const [round, setRound] = useState(0);
  const again = useCallback(() => setRound((before) => before + 1), []);
  // The request is sent before the current content is drawn.
  useLayoutEffect(() => {
    if (rest === null) return;
    const abort = new AbortController();
    ask(rest, abort.signal).then(
      (next) => setState({ answer: next, offlineFor: null }),
      () => {
        if (!abort.signal.aborted) setState((before) => ({ ...before, offlineFor: rest }));
      },
    );
    return () => abort.abort();
  }, [rest, round]);
  const isOffline = offlineFor !== null && offlineFor === rest;
  // An answer from before the connection was lost does not belong to the failed request.
  const isCurrent = answer !== null && answer.rest === rest && !isOffline;
  useOnline(isOffline, again);
  const isSlow = useDelay(rest !== null && !isCurrent && !isOffline, round);
  const waitSeconds = useCountdown(isCurrent ? answer : null, again);
  return {
    rest,
    answer,
    isCurrent,
    isOffline,
    isSlow,
    waitSeconds,
    again,
  };
}

/** Sends the request again as soon as the browser is online. */
function useOnline(isOffline: boolean, again: () => void): void {
  useEffect(() => {
    if (!isOffline) return;
    addEventListener("online", again);
    return () => removeEventListener("online", again);
  }, [isOffline, again]);
}

/** True if something takes long; each request is timed from its start. */
function useDelay(isGoing: boolean, round: number): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    if (!isGoing) return;
    const timer = setTimeout(() => setLong(true), SLOW_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [isGoing, round]);
  return isLong && isGoing;
}

/** Counts down to the end of a rate limit, then sends the request again. */
function useCountdown(answer: Answer | null, again: () => void): number | null {
  const [left, setLeft] = useState<number | null>(null);
  useEffect(() => {
    const seconds = answer?.retrySeconds ?? null;
    setLeft(seconds);
    if (seconds === null) return;
    const until = performance.now() + seconds * 1000;
    const timer = setInterval(() => {
      const rest = Math.ceil((until - performance.now()) / 1000);
      setLeft(Math.max(0, rest));
      if (rest > 0) return;
      clearInterval(timer);
      again();
    }, 1000);
    return () => clearInterval(timer);
  }, [answer, again]);
  return left;
}
