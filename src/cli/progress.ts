/** Shows the progress of long work: on a terminal one line that is overwritten, elsewhere a line from time to time. */
import { CLOCK, type Clock, every } from "../base/clock.ts";
import { type Counted, describeProgress, formatCount, type Progress } from "../base/log.ts";

/** A command that ends sooner shows nothing. */
const PATIENCE_MILLISECONDS = 500;
/** Time between two lines if standard error is not a terminal. */
const LINE_MILLISECONDS = 10_000;
const FRAME_MILLISECONDS = 100;
const BAR_WIDTH = 20;
/** The time left is estimated only after this share of the work. */
const LEAST_SHARE = 0.15;
const CLEAR_LINE = "\r\u001b[K";

/** `0:14`, `1:02:03` */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, at) => (at === 0 ? `${part}` : `${part}`.padStart(2, "0"))).join(":");
}

/** The share of the work that is done, from 0 to 1. */
function shareOf({ done, of, share = done / of }: Counted): number {
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
}

/** `  21,400/s  0:14 left`, from the work done since the start; "" if it is too early. */
export function formatPace(counted: Counted, sinceSeconds: number): string {
  const rate = counted.done / sinceSeconds;
  if (!(rate > 0) || rate === Infinity) return "";
  const share = shareOf(counted);
  const left = share < LEAST_SHARE ? "" : `  ${formatDuration((sinceSeconds * (1 - share)) / share)} left`;
  return `  ${formatCount(rate)}/s${left}`;
}

/** `rendering  ████░░░░  62 %  8,049 of 12,983 files  21,400/s  0:14 left` */
function barOf(counted: Counted, sinceSeconds: number): string {
  const { what, done, of, unit } = counted;
  const share = shareOf(counted);
  const full = Math.floor(share * BAR_WIDTH);
  const bar = "█".repeat(full) + "░".repeat(BAR_WIDTH - full);
  const percent = String(Math.floor(100 * share)).padStart(3);
  const pace = formatPace(counted, sinceSeconds);
  return `${what}  ${bar}  ${percent} %  ${formatCount(done)} of ${formatCount(of)} ${unit}${pace}`;
}

export interface DisplayStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export class Display implements Disposable {
  readonly #stream: DisplayStream;
  /** Milliseconds since this was made. */
  readonly #now: () => number;
  readonly #stop: () => void;
  /** The newest state, and when its work began. */
  #ask: (() => Progress) | undefined;
  #what = "";
  #begun = 0;
  #polledAt = -Infinity;
  #written: number;
  #isDrawn = false;

  constructor(stream: DisplayStream, clock: Clock = CLOCK) {
    const began = clock.elapsed();
    this.#stream = stream;
    this.#now = () => clock.elapsed() - began;
    this.#written = 0;
    // Also shows a state that is reported once and then takes its time.
    this.#stop = stream.isTTY === true ? every(FRAME_MILLISECONDS, () => this.#draw(), clock) : () => {};
  }

  show(ask: () => Progress): void {
    this.#ask = ask;
    this.#draw();
  }

  #draw(): void {
    const [now, isTerminal] = [this.#now(), this.#stream.isTTY === true];
    if (this.#ask === undefined || now - this.#polledAt < FRAME_MILLISECONDS) return;
    this.#polledAt = now;
    const state = this.#ask();
    const what = typeof state === "string" ? state : state.what;
    if (what !== this.#what) this.#begun = now;
    this.#what = what;
    if (isTerminal ? now < PATIENCE_MILLISECONDS : now - this.#written < LINE_MILLISECONDS) return;
    this.#written = now;
    const seconds = (now - this.#begun) / 1000;
    if (isTerminal) {
      const line = typeof state === "string" ? `${state} …` : barOf(state, seconds);
      this.#stream.write(CLEAR_LINE + line.slice(0, Math.max(20, (this.#stream.columns ?? 80) - 1)));
      this.#isDrawn = true;
    } else {
      const pace = typeof state === "string" ? "" : formatPace(state, seconds);
      this.#stream.write(`${describeProgress(state)}${pace}\n`);
    }
  }

  /** Removes the line from the terminal, so that another can be written. */
  clear(): void {
    if (this.#isDrawn) this.#stream.write(CLEAR_LINE);
    this.#isDrawn = false;
  }

  [Symbol.dispose](): void {
    this.#stop();
    this.clear();
  }
}
