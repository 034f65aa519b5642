/** What a command says while it works: a port, so that stages know nothing of terminals. */
export interface Log {
  /** A line that stays. */
  info(message: string): void;
  /** What is being done now; replaced by the next. Asked for only where somebody watches, a few times a second. */
  progress(message: () => string): void;
}

/** Says nothing. */
export const SILENT: Log = { info: () => {}, progress: () => {} };

export interface LogOption {
  /** Is told what is being done. Default: nobody is. */
  readonly log?: Log | undefined;
}

/** `12345` → `12,345`, whatever the locale. */
export function formatCount(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
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
