/** What a command says while it works: a port, so that stages know nothing of terminals. */
export interface Log {
  /** A line that stays: what happened as it should. */
  info(message: string): void;
  /** A line that stays: what a person should look into, though the work goes on. */
  warn(message: string): void;
  /** What is being done now; replaced by the next. Asked for only where somebody watches, a few times a second. */
  progress(state: () => Progress): void;
}

/** Work of which it is known how much there is: `{ what: "rendering", done: 8049, of: 12983, unit: "files" }` */
export interface Counted {
  readonly what: string;
  readonly done: number;
  readonly of: number;
  readonly unit: string;
  /** How much of the work that is, from 0 to 1, where not all is as much work. */
  readonly share?: number;
}

/** What is being done, in words or counted. */
export type Progress = string | Counted;

/** `rendering 8,049 of 12,983 files` */
export function describeProgress(state: Progress): string {
  if (typeof state === "string") return state;
  return `${state.what} ${formatCount(state.done)} of ${formatCount(state.of)} ${state.unit}`;
}

/** Lines that stay, without progress. */
export type Notes = Omit<Log, "progress">;

/** Says nothing. */
export const SILENT: Log = { info: () => {}, warn: () => {}, progress: () => {} };

export interface LogOption {
  /** Called with what is being done. Default: nothing is. */
  readonly log?: Log | undefined;
}

/** `12345` → `12,345`, whatever the locale. */
export function formatCount(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 review`, `2,000 reviews`, of the words for one and for several. */
export function counted(count: number, [one, several]: readonly [string, string?]): string {
  return `${formatCount(count)} ${count === 1 ? one : (several ?? `${one}s`)}`;
}

/** `1234567` → `1.2 MB` */
export function formatBytes(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
