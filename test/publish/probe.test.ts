/** The probe for conditional writes tells a service that is busy from one that ignores or refuses conditions. */
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { VitrineError } from "../../src/base/error.ts";
import type { Bucket } from "../../src/publish/bucket.ts";
import { compareAndSet, probeConditions } from "../../src/publish/conditional-writes.ts";
import { createFaultyMemory, memoryAt } from "../support/publishing.ts";

type Outcome = Awaited<ReturnType<Bucket["putIf"]>>;
const CONFLICT: Outcome = { kind: "conflict" };
const BUSY: Outcome = {
  kind: "unknown",
  cause: new VitrineError(
    "remote_failed",
    "s3://shop: putting failed: it wants fewer requests (503, SlowDown).",
  ),
};

describe("the probe for conditional writes", () => {
  const store = createFaultyMemory();
  /** A bucket whose n-th conditional write is answered otherwise: not done. */
  function bucketWith(answer: (n: number, isHeld: boolean) => Outcome | null): Bucket {
    const bucket = memoryAt(store, randomUUID());
    let n = 0;
    return {
      ...bucket,
      async putIf(key, body, headers, condition) {
        const etag = (await bucket.get(key))?.etag ?? null;
        const isHeld = "ifMatch" in condition ? condition.ifMatch === etag : etag === null;
        return answer(n++, isHeld) ?? bucket.putIf(key, body, headers, condition);
      },
    };
  }
  const probe = (bucket: Bucket) => probeConditions(bucket, randomUUID());

  it.each([
    ["409", CONFLICT],
    ["503", BUSY],
  ])("asks again after one %s, wherever it comes", async (_, outcome) => {
    for (let at = 0; at < 6; at++)
      expect(await probe(bucketWith((n) => (n === at ? outcome : null)))).toBe("quoted");
  });

  it("takes a service that refuses with 409 for one that honours conditions", async () => {
    expect(await probe(bucketWith((_, isHeld) => (isHeld ? null : CONFLICT)))).toBe("quoted");
  });

  it("says that the service is busy, and nothing of conditions, if that does not end", async () => {
    for (let from = 0; from < 5; from++)
      await expect(probe(bucketWith((n) => (n >= from ? BUSY : null)))).rejects.toMatchObject({
        code: "remote_failed",
        message: expect.stringContaining("SlowDown"),
      });
  });

  it("says that a service refuses what holds, not that it ignores it", async () => {
    await expect(probe(bucketWith(() => ({ kind: "refused" })))).rejects.toMatchObject({
      code: "conditions_ignored",
      message: expect.stringContaining("refuses If-None-Match where it holds"),
    });
    await expect(probe(bucketWith(() => CONFLICT))).rejects.toMatchObject({
      message: expect.stringContaining("refuses If-None-Match where it holds"),
    });
  });

  it("a compare-and-set after a 409 is tried again, and done once", async () => {
    const bucket = bucketWith((n) => (n < 2 ? CONFLICT : null));
    const headers = { contentType: "text/plain", cacheControl: "no-store", metadata: {} };
    const write = { key: "a", body: Buffer.from("mine"), headers, expected: null, style: "quoted" } as const;
    expect(await compareAndSet(bucket, write)).toMatchObject({ won: true });
    expect(String((await bucket.get("a"))?.body)).toBe("mine");
  });
});
