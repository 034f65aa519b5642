import { describe, expect, it } from "vitest";
import { RequestQueue, type ShedReason } from "../../src/serve/queue.ts";

/** Keeps the processor busy: what a synchronous answer does. */
function work(milliseconds: number): void {
  const before = process.threadCpuUsage();
  for (let took = 0; took < milliseconds * 1000; ) {
    const { user, system } = process.threadCpuUsage(before);
    took = user + system;
  }
}

/** Holds the thread up: what other programs of a busy machine do to it. */
function holdUp(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** On a machine that is busy with other tests. */
const PATIENT = { timeout: 20_000 };

interface Counts {
  answered: number;
  refused: number;
  readonly shed: ShedReason[];
  longest: number;
}

function counting(milliseconds: number, answering = work) {
  const counts: Counts = { answered: 0, refused: 0, shed: [], longest: 0 };
  const queue = new RequestQueue({
    shed: (reason) => counts.shed.push(reason),
    length: (count) => {
      counts.longest = Math.max(counts.longest, count);
    },
  });
  const add = (isGone = false) =>
    queue.add({
      answer: () => {
        answering(milliseconds);
        counts.answered += 1;
      },
      refuse: () => {
        counts.refused += 1;
      },
      isGone: () => isGone,
    });
  return { add, counts, queue };
}

async function turns(count: number): Promise<void> {
  for (let at = 0; at < count; at++) await new Promise((resolve) => setImmediate(resolve));
}

describe("the queue of requests", () => {
  it("answers all where it keeps up, and reads new ones between two turns", async () => {
    const { add, counts } = counting(0);
    for (let at = 0; at < 200; at++) add();
    expect(counts.answered).toBe(0);
    await expect.poll(() => counts.answered, PATIENT).toBe(200);
    // It has learned how little an answer takes.
    for (let at = 0; at < 500; at++) add();
    await expect.poll(() => counts.answered, PATIENT).toBe(700);
    expect(counts).toMatchObject({ refused: 0, shed: [], longest: 500 });
  });

  it("lets so many wait before it has answered any as it could answer of the usual ones", () => {
    const { add, counts } = counting(0);
    for (let at = 0; at < 2000; at++) add();
    expect(counts.longest).toBeGreaterThan(100);
    expect(counts.longest).toBeLessThan(400);
    expect(counts.refused).toBe(2000 - counts.longest);
  });

  it("reads on in a wave, and answers while the wave goes on for long", async () => {
    const { add, counts } = counting(1);
    for (let at = 0; at < 60; at++) add();
    // Each turn of the event loop brings what takes long to read.
    let count = 0;
    for (; counts.answered + counts.refused < 60; count++) {
      work(20);
      await turns(1);
      if (count === 0) expect(counts.answered).toBeLessThan(20);
    }
    expect(counts.answered).toBeGreaterThan(30);
    // By the least that is answered in a turn it would be thirty.
    expect(count).toBeLessThan(20);
  });

  it("refuses at once what it could not answer in time, and answers again when it has caught up", async () => {
    const { add, counts } = counting(4);
    // It learns how long an answer takes.
    for (let at = 0; at < 10; at++) add();
    await expect.poll(() => counts.answered, PATIENT).toBe(10);
    for (let at = 0; at < 400; at++) add();
    expect(counts.refused).toBeGreaterThan(300);
    expect(counts.refused).toBe(counts.shed.filter((reason) => reason === "queue").length);
    await expect.poll(() => counts.answered + counts.refused, PATIENT).toBe(410);
    const { refused } = counts;
    add();
    await expect.poll(() => counts.answered + counts.refused, PATIENT).toBe(411);
    expect(counts.refused).toBe(refused);
  });

  it("refuses nobody because other programs hold it up", async () => {
    const { add, counts } = counting(8, holdUp);
    for (let asked = 0; asked < 100; ) {
      for (; asked < counts.answered + 50 && asked < 100; asked++) add();
      await turns(1);
    }
    await expect.poll(() => counts.answered + counts.refused, PATIENT).toBe(100);
    expect(counts).toMatchObject({ answered: 100, shed: [] });
  });

  it("lets a few wait whatever they take", async () => {
    const { add, counts } = counting(10);
    for (let at = 0; at < 30; at++) add();
    await expect.poll(() => counts.answered, PATIENT).toBe(30);
    for (let at = 0; at < 30; at++) add();
    await expect.poll(() => counts.answered + counts.refused, PATIENT).toBe(60);
    expect(counts).toMatchObject({ answered: 60, shed: [] });
  });

  it("refuses what waited too long where answers take longer than they used to", async () => {
    const { add, counts } = counting(10);
    // More than the few that may wait whatever they take, by more than can be answered before the first is late.
    for (let at = 0; at < 80; at++) add();
    await expect.poll(() => counts.answered + counts.refused, PATIENT).toBe(80);
    expect(counts.shed).toContain("deadline");
    expect(counts.answered).toBeGreaterThan(0);
  });

  it("lets a connection that waits in the kernel come before answers, but goes on answering", async () => {
    const answeredFirst = async () => {
      const { add, counts, queue } = counting(1);
      for (let at = 0; at < 20; at++) add();
      queue.connected();
      await turns(1);
      return counts.answered;
    };
    // Where others hold the turn up for longer than connections may, another one is looked at.
    await expect.poll(answeredFirst, PATIENT).toBe(0);
    const { add, counts, queue } = counting(1);
    for (let at = 0; at < 20; at++) add();
    for (let turn = 0; turn < 2000 && counts.answered < 20; turn++) {
      queue.connected();
      work(1);
      await turns(1);
    }
    expect(counts).toMatchObject({ answered: 20, refused: 0 });
  });

  it("does not work for clients that are gone", async () => {
    const { add, counts } = counting(0);
    for (let at = 0; at < 5; at++) add(true);
    add();
    await turns(3);
    expect(counts).toMatchObject({ answered: 1, refused: 0 });
  });
});
