import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { VitrineError } from "../../src/base/error.ts";
import { ThreadPool } from "../../src/base/thread-pool.ts";

/** Doubles numbers; 13 cannot be written, 14 is refused, and 0 ends the thread. */
const MODULE = `
  import { answerMessages } from ${JSON.stringify(pathToFileURL("src/base/thread-pool.ts").href)};
  import { VitrineError } from ${JSON.stringify(pathToFileURL("src/base/error.ts").href)};
  answerMessages((number) => {
    if (number === 0) process.exit();
    if (number === 13) throw Object.assign(new Error("no room"), { code: "ENOSPC" });
    if (number === 14) throw new VitrineError("rows_invalid", "wrong rows");
    return number * 2;
  });`;

const pools: ThreadPool<number, number>[] = [];

function open(count: number): ThreadPool<number, number> {
  const pool = new ThreadPool<number, number>(
    new URL(`data:text/javascript,${encodeURIComponent(MODULE)}`),
    count,
    null,
  );
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});

describe("a pool of threads", () => {
  it("answers each message, whichever thread gets it", async () => {
    const pool = open(3);
    const numbers = Array.from({ length: 50 }, (_, at) => at + 20);
    expect(await Promise.all(numbers.map((number) => pool.run(number)))).toEqual(numbers.map((n) => n * 2));
  });

  it("throws what a thread throws, and goes on", async () => {
    const pool = open(1);
    await expect(pool.run(13)).rejects.toMatchObject({ message: "no room", code: "ENOSPC" });
    const refused = pool.run(14);
    await expect(refused).rejects.toBeInstanceOf(VitrineError);
    await expect(refused).rejects.toMatchObject({ code: "rows_invalid", message: "wrong rows", exitCode: 3 });
    expect(await pool.run(4)).toBe(8);
  });

  it("fails what waits where a thread ends, and all that comes after", async () => {
    const pool = open(1);
    const [ended, waiting] = await Promise.allSettled([pool.run(0), pool.run(1)]);
    expect([ended?.status, waiting?.status]).toEqual(["rejected", "rejected"]);
    await expect(pool.run(2)).rejects.toThrow("A thread has ended");
  });

  it("does not let anybody wait for a thread that was closed", async () => {
    const pool = open(2);
    const waiting = Promise.allSettled([pool.run(1), pool.run(2), pool.run(3)]);
    await pool.close();
    expect((await waiting).every(({ status }) => status !== undefined)).toBe(true);
    await expect(pool.run(4)).rejects.toThrow("A thread has ended");
  });
});
