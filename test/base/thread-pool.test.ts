import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { VitrineError } from "../../src/base/error.ts";
import { ThreadPool } from "../../src/base/thread-pool.ts";
import { until } from "../support/until.ts";

/** Doubles numbers; 13 throws a system error, 14 is refused, 0 ends the thread, and a gate is waited for until it opens. */
const MODULE = `
  import { answerMessages } from ${JSON.stringify(pathToFileURL("src/base/thread-pool.ts").href)};
  import { VitrineError } from ${JSON.stringify(pathToFileURL("src/base/error.ts").href)};
  answerMessages((number) => {
    if (typeof number !== "number") return Atomics.wait(number, 0, 0) && 1;
    if (number === 0) process.exit();
    if (number === 13) throw Object.assign(new Error("no room"), { code: "ENOSPC" });
    if (number === 14) throw new VitrineError("rows_invalid", "wrong rows");
    return number * 2;
  });`;

type Order = number | Int32Array;

const pools: ThreadPool<Order, number>[] = [];

function open(count: number): ThreadPool<Order, number> {
  const pool = new ThreadPool<Order, number>(
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
  it("answers each message, in any of its threads", async () => {
    const pool = open(3);
    const numbers = Array.from({ length: 50 }, (_, at) => at + 20);
    expect(await Promise.all(numbers.map((number) => pool.run(number)))).toEqual(numbers.map((n) => n * 2));
  });

  it("queues at most one message behind a slow one", async () => {
    const pool = open(2);
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const slow = pool.run(gate);
    const numbers = Array.from({ length: 20 }, (_, at) => at + 20);
    let done = 0;
    const answers = numbers.map(async (number) => {
      await pool.run(number);
      done += 1;
    });
    await until("all but one", () => done >= numbers.length - 1);
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
    expect(await slow).toBe(1);
    await Promise.all(answers);
  });

  it("throws a thread's errors, and continues", async () => {
    const pool = open(1);
    await expect(pool.run(13)).rejects.toMatchObject({ message: "no room", code: "ENOSPC" });
    const refused = pool.run(14);
    await expect(refused).rejects.toBeInstanceOf(VitrineError);
    await expect(refused).rejects.toMatchObject({ code: "rows_invalid", message: "wrong rows", exitCode: 3 });
    expect(await pool.run(4)).toBe(8);
  });

  it("rejects waiting and later messages when a thread has ended", async () => {
    const pool = open(1);
    const [ended, waiting] = await Promise.allSettled([pool.run(0), pool.run(1)]);
    expect([ended?.status, waiting?.status]).toEqual(["rejected", "rejected"]);
    await expect(pool.run(2)).rejects.toThrow("A thread has ended");
  });

  it("leaves no promise pending when it is closed", async () => {
    const pool = open(2);
    const waiting = Promise.allSettled([pool.run(1), pool.run(2), pool.run(3)]);
    await pool.close();
    expect((await waiting).every(({ status }) => status !== undefined)).toBe(true);
    await expect(pool.run(4)).rejects.toThrow("A thread has ended");
  });
});
