/** What a command reports while it works: a port, so that stages know nothing of terminals. */
export interface Log {
  /** A permanent line: normal events. */
  info(message: string): void;
  /** A permanent line: something that a person should look into, though the work continues. */
  warn(message: string): void;
  /** What is being done now; the next state replaces it. `state` is called only for a terminal, a few times a second. */
  progress(state: () => Progress): void;
}

/** Work of a known amount: `{ what: "rendering", done: 8049, of: 12983, unit: "files" }` */
export interface Counted {
  readonly what: string;
  readonly done: number;
  readonly of: number;
  readonly unit: string;
  /** The finished share of the work, from 0 to 1, if units differ in effort. */
  readonly share?: number;
}

/** What is being done, in words or counted. */
export type Progress = string | Counted;

/** `rendering 8,049 of 12,983 files` */
export function describeProgress(state: Progress): string {
  if (typeof state === "string") return state;
  return `${state.what} ${formatCount(state.done)} of ${formatCount(state.of)} ${state.unit}`;
}

/** Permanent lines, without progress. */
export type Notes = Omit<Log, "progress">;

/** Reports nothing. */
export const SILENT: Log = { info: () => {}, warn: () => {}, progress: () => {} };

export interface LogOption {
  /** Where to report what is being done. Default: nowhere. */
  readonly log?: Log | undefined;
}

/** `12345` → `12,345`, in every locale. */
export function formatCount(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 review`, `2,000 reviews`, from the singular and the plural. */
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
