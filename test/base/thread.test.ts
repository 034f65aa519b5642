import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { VitrineError } from "../../src/base/error.ts";
import { runInThread } from "../../src/base/thread.ts";

/** Doubles numbers; 13 throws a system error, 14 is refused, 0 ends the thread, and 1 never ends. */
const MODULE = `
  import { answerTask } from ${JSON.stringify(pathToFileURL("src/base/thread.ts").href)};
  import { VitrineError } from ${JSON.stringify(pathToFileURL("src/base/error.ts").href)};
  await answerTask((number) => {
    if (number === 0) process.exit();
    if (number === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    if (number === 13) throw Object.assign(new Error("no room"), { code: "ENOSPC" });
    if (number === 14) throw new VitrineError("rows_invalid", "wrong rows");
    return number * 2;
  });`;

function double(number: number, signal?: AbortSignal): Promise<number> {
  return runInThread<number, number>(
    new URL(`data:text/javascript,${encodeURIComponent(MODULE)}`),
    number,
    signal,
  );
}

describe("a thread", () => {
  it("returns its task's result", async () => {
    expect(await Promise.all([2, 3, 4].map((number) => double(number)))).toEqual([4, 6, 8]);
  });

  it("throws its task's error with its class, its code and its cause", async () => {
    await expect(double(13)).rejects.toMatchObject({ message: "no room", code: "ENOSPC" });
    const refused = double(14);
    await expect(refused).rejects.toBeInstanceOf(VitrineError);
    await expect(refused).rejects.toMatchObject({ code: "rows_invalid", message: "wrong rows", exitCode: 3 });
  });

  it("that ends before its work is done is an error", async () => {
    await expect(double(0)).rejects.toThrow("A thread has ended");
  });

  it("ends at the signal, whatever it does, and is not started after it", async () => {
    const stop = new AbortController();
    const endless = double(1, stop.signal);
    stop.abort();
    await expect(endless).rejects.toThrow("A thread has ended");
    await expect(double(2, stop.signal)).rejects.toThrow("aborted");
  });
});
