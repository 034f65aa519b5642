/** A view's request: asked when it changes, asked again when its limit ends; what came before stays until the next is there. */
import { useCallback, useEffect, useLayoutEffect, useState } from "preact/hooks";
import { type Answer, ask } from "./api.ts";

export interface Asked {
  /** What follows the base address; null where nothing is asked. */
  readonly rest: string | null;
  /** The last answer, also while another is on its way; null before the first one. */
  readonly answer: Answer | null;
  /** Of the request as it is now. */
  readonly isCurrent: boolean;
  readonly isOffline: boolean;
  /** It has been on its way for longer than people wait without a word. */
  readonly isSlow: boolean;
  /** Seconds until a limited request is sent again; null where it is not. */
  readonly waitSeconds: number | null;
  readonly again: () => void;
}

const SLOW_MILLISECONDS = 4000;

interface State {
  readonly answer: Answer | null;
  readonly offlineFor: string | null;
}

/** `rest` is what follows the base address; null asks nothing. */
export function useAnswer(rest: string | null): Asked {
  const [{ answer, offlineFor }, setState] = useState<State>({ answer: null, offlineFor: null });
  const [round, setRound] = useState(0);
  const again = useCallback(() => setRound((before) => before + 1), []);
  // Asked before what is there already is drawn.
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
  // The answer before a connection was lost is not that of the request that met none.
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

/** Asks again as soon as the browser has a connection again. */
function useOnline(isOffline: boolean, again: () => void): void {
  useEffect(() => {
    if (!isOffline) return;
    addEventListener("online", again);
    return () => removeEventListener("online", again);
  }, [isOffline, again]);
}

/** True once something has taken a while; each round is timed from its start. */
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

/** Counts down to the end of a limit, and then asks again. */
function useCountdown(answer: Answer | null, again: () => void): number | null {
  const [left, setLeft] = useState<number | null>(null);
  useEffect(() => {
    const seconds = answer?.retrySeconds ?? null;
    setLeft(seconds);
    if (seconds === null) return;
    const until = Date.now() + seconds * 1000;
    const timer = setInterval(() => {
      const rest = Math.ceil((until - Date.now()) / 1000);
      setLeft(Math.max(0, rest));
      if (rest > 0) return;
      clearInterval(timer);
      again();
    }, 1000);
    return () => clearInterval(timer);
  }, [answer, again]);
  return left;
}
