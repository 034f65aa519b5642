/** Rows of a driver's stream, taken in arrays: an await for each row would cost more than the row. */
import type { Readable } from "node:stream";

/** Nothing came for so long that nothing will. */
export class SilentStore extends Error {
  constructor(seconds: number) {
    super(`it has not answered for ${seconds} s`);
  }
}

/** Ends the wait for a promise after some seconds; what it stands for goes on. @throws SilentStore */
export async function answered<Value>(promise: Promise<Value>, seconds: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SilentStore(seconds)), seconds * 1000);
  });
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
    promise.catch(() => undefined);
  }
}

/** All rows, as many at once as there are; the stream is destroyed with the iterator. @throws SilentStore */
export async function* rowsOfStream<Row>(
  stream: Readable,
  silenceSeconds: number,
): AsyncGenerator<readonly Row[]> {
  let wake = () => {};
  for (const event of ["readable", "end", "close", "error"]) stream.on(event, () => wake());
  try {
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const rows = takeRows<Row>(stream);
      if (stream.errored !== null) throw stream.errored;
      if (rows.length > 0) yield rows;
      else if (stream.readableEnded || stream.closed) return;
      else await answered(woken, silenceSeconds);
    }
  } finally {
    stream.destroy();
  }
}

function takeRows<Row>(stream: Readable): Row[] {
  const rows: Row[] = [];
  for (let row = stream.read(); row !== null; row = stream.read()) rows.push(row);
  return rows;
}
