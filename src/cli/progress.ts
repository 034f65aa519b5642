/** Progress of work that takes longer than a moment: a bar on a terminal, now and then a line elsewhere. */
import progress, { type Options, type Params } from "cli-progress";
import { type Counted, describeProgress, formatCount, type Progress } from "../base/log.ts";

/** Work that is done sooner shows no bar. */
const PATIENCE_MILLISECONDS = 2000;
/** Between two lines where nobody watches. */
const LINE_MILLISECONDS = 10_000;
const FRAMES_A_SECOND = 10;

/** `0:14`, `1:02:03` */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, at) => (at === 0 ? `${part}` : `${part}`.padStart(2, "0"))).join(":");
}

/** `  21,400/s  0:14 left` of what has been done since the start; "" before anything is known. */
export function formatPace({ done, of }: Counted, sinceSeconds: number): string {
  const rate = done / sinceSeconds;
  if (!(rate > 0) || rate === Infinity) return "";
  return `  ${formatCount(rate)}/s  ${formatDuration((of - done) / rate)} left`;
}

/** `rendering  ████░░░░  62 %  8,049 of 12,983 files  21,400/s  0:14 left` */
function formatBar(options: Options, params: Params, { counted, sinceSeconds }: BarPayload): string {
  const bar = progress.Format.BarFormat(params.progress, options);
  const share = String(Math.floor(100 * params.progress)).padStart(3);
  const { what, done, of, unit } = counted;
  const line = `${what}  ${bar}  ${share} %  ${formatCount(done)} of ${formatCount(of)} ${unit}${formatPace(counted, sinceSeconds)}`;
  return line.slice(0, Math.max(20, params.maxWidth - 1));
}

interface BarPayload {
  readonly counted: Counted;
  readonly sinceSeconds: number;
}

export interface Display {
  show(ask: () => Progress): void;
  /** Takes away what is on the terminal, so that a line can be written. */
  clear(): void;
}

export interface DisplayStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
}

/** `now`: milliseconds of a clock that only goes forward. */
export function createDisplay(stream: DisplayStream, now: () => number): Display {
  return stream.isTTY === true ? new TerminalDisplay(stream, now) : new LineDisplay(stream, now);
}

class LineDisplay implements Display {
  readonly #stream: DisplayStream;
  readonly #now: () => number;
  readonly #since: number;
  #shown: number;

  constructor(stream: DisplayStream, now: () => number) {
    this.#stream = stream;
    this.#now = now;
    this.#since = this.#shown = now();
  }

  show(ask: () => Progress): void {
    const now = this.#now();
    if (now - this.#shown < LINE_MILLISECONDS) return;
    this.#shown = now;
    const state = ask();
    const pace = typeof state === "string" ? "" : formatPace(state, (now - this.#since) / 1000);
    this.#stream.write(`${describeProgress(state)}${pace}\n`);
  }

  clear(): void {}
}

class TerminalDisplay implements Display {
  readonly #stream: DisplayStream;
  readonly #now: () => number;
  readonly #since: number;
  #what = "";
  /** When the present work began. */
  #begun = 0;
  #shown = -Infinity;
  #bar: progress.SingleBar | null = null;
  #isText = false;

  constructor(stream: DisplayStream, now: () => number) {
    this.#stream = stream;
    this.#now = now;
    this.#since = now();
  }

  show(ask: () => Progress): void {
    const now = this.#now();
    if (now - this.#shown < 1000 / FRAMES_A_SECOND) return;
    this.#shown = now;
    const state = ask();
    const what = typeof state === "string" ? state : state.what;
    if (what !== this.#what) {
      this.clear();
      this.#what = what;
      this.#begun = now;
    }
    if (now - this.#since < PATIENCE_MILLISECONDS) return;
    if (typeof state === "string") this.#text(state);
    else this.#draw(state, (now - this.#begun) / 1000);
  }

  clear(): void {
    this.#bar?.stop();
    this.#bar = null;
    if (this.#isText) this.#stream.write("\r\u001b[K");
    this.#isText = false;
  }

  #text(state: string): void {
    this.#stream.write(`\r\u001b[K${state}`);
    this.#isText = true;
  }

  #draw(counted: Counted, sinceSeconds: number): void {
    const payload: BarPayload = { counted, sinceSeconds };
    if (this.#bar === null) {
      // Signals are ours: the bar's own handler would end the process before its work is undone.
      const options = { stream: this.#stream, format: formatBar, clearOnComplete: true, gracefulExit: false };
      this.#bar = new progress.SingleBar({
        ...options,
        barsize: 20,
        fps: FRAMES_A_SECOND,
        etaBuffer: 40,
        hideCursor: false,
      });
      this.#bar.start(counted.of, counted.done, payload);
    } else this.#bar.update(counted.done, payload);
  }
}
