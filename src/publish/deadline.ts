/** Calls that end: done in time, or given up where nothing moves, be it before the response or in the middle of a body. */

/** Bytes that move buy a call more time at this rate: what is slower is given up. */
const LEAST_BYTES_PER_SECOND = 16 * 1024;
/** Of what was sent, this much may stand in buffers, where nobody sees it move. */
const MOST_UNSEEN_BYTES = 1024 * 1024;

export interface Deadline {
  /** Aborts what still runs when the time is over. */
  readonly signal: AbortSignal;
  /** So many bytes came or went. */
  moved(bytes: number): void;
}

/**
 * Runs a call that must be done within `milliseconds` and the time that its bytes may take: `sizeBytes` are sent, and
 * what moves is told. It fails in time even where `work` ignores the signal.
 * @throws Error named TimeoutError
 */
export async function withDeadline<Result>(
  milliseconds: number,
  work: (deadline: Deadline) => Promise<Result>,
  sizeBytes = 0,
): Promise<Result> {
  const timeOf = (bytes: number) => (bytes / LEAST_BYTES_PER_SECOND) * 1000;
  const most = milliseconds + timeOf(Math.min(sizeBytes, MOST_UNSEEN_BYTES));
  const abort = new AbortController();
  let ends = performance.now() + most;
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    const look = () => {
      const left = ends - performance.now();
      if (left > 0) {
        timer = setTimeout(look, left);
        return;
      }
      const seconds = Math.round(most / 100) / 10;
      const error = Object.assign(new Error(`no response, or only a part of it, within ${seconds} s`), {
        name: "TimeoutError",
        code: "ETIMEDOUT",
      });
      reject(error);
      abort.abort(error);
    };
    look();
  });
  const moved = (bytes: number) => {
    ends = Math.min(ends + timeOf(bytes), performance.now() + most);
  };
  try {
    return await Promise.race([work({ signal: abort.signal, moved }), expired]);
  } finally {
    clearTimeout(timer);
  }
}

/** Passes a stream's pieces on and tells of each. */
export function telling(moved: (bytes: number) => void) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of source) {
      moved(piece.length);
      yield piece;
    }
  };
}
