/** A snapshot that was read from the store before the live release's does not replace it. */
import { randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CLOCK } from "../../src/base/clock.ts";
import { openBuilt } from "../../src/pipeline/built.ts";
import { openPlace, publishFolder } from "../../src/pipeline/publish.ts";
import { rollback } from "../../src/pipeline/rollback.ts";
import type { Bucket } from "../../src/publish/bucket.ts";
import { readLive } from "../../src/publish/documents.ts";
import { rulesOf, type Snapshot } from "../../src/publish/options.ts";
import { publish } from "../../src/publish/publish.ts";
import { createFaultyMemory, memoryAt, portsOf } from "../support/publishing.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

const RULES = rulesOf({ waitSeconds: 0 });
const HOUR = 3_600_000;

describe("a snapshot that was read before the live release's", () => {
  const store = createFaultyMemory();
  let shop: TinyShop;
  let older: Snapshot;
  let newer: Snapshot;
  let bucket: Bucket;
  const named = async (name: string, out: string) => {
    shop.sql(`UPDATE products SET name = '${name}' WHERE slug = '${shop.slugs[0]}'`);
    return await shop.build(out);
  };
  beforeAll(async () => {
    shop = createTinyShop();
    older = await named("Older", "older");
    newer = await named("Newer", "newer");
  });
  afterAll(() => shop.close());
  beforeEach(() => {
    bucket = memoryAt(store, randomUUID());
  });

  /** The snapshot as if its machine's clock were ahead while it read the store. */
  function readAhead(snapshot: Snapshot, milliseconds: number): Snapshot {
    return { ...snapshot, readAt: new Date(Date.parse(snapshot.readAt) + milliseconds).toISOString() };
  }
  const shown = async (): Promise<string> => {
    const found = await bucket.get(`api/v1/product/slug=${shop.slugs[0]}.json`);
    return (JSON.parse(String(found?.body)) as { data: { title: string } }).data.title;
  };
  const REFUSED = { code: "older_snapshot", exitCode: 6 };

  it("is refused, with both times and the release, and nothing is written", async () => {
    const first = await publish(newer, RULES, portsOf(bucket));
    store.reset();
    for (const rules of [RULES, { ...RULES, dryRun: true }, { ...RULES, repair: true }]) {
      const error = await publish(older, rules, portsOf(bucket)).catch((thrown: Error) => thrown);
      expect(error).toMatchObject(REFUSED);
      const { message } = error as Error;
      expect(message).toContain(first.release);
      for (const { readAt } of [older, newer]) expect(message).toContain(readAt);
    }
    expect(store.seen.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(await shown()).toBe("Newer");
  });

  it("has the time of its manifest if the memory of its readings is lost", () => {
    const { layout } = older;
    const readings = `${layout.readings}.gone`;
    const { readAt, manifest } = openBuilt({ ...layout, readings });
    manifest.close();
    expect(readAt).toBe(statSync(layout.manifest).mtime.toISOString());
    expect(older.readAt < readAt).toBe(true);
  });

  it("goes live if that is asked for, and the newer one may follow", async () => {
    await publish(newer, RULES, portsOf(bucket));
    await publish(older, { ...RULES, allowOlder: true }, portsOf(bucket));
    expect(await shown()).toBe("Older");
    await publish(newer, RULES, portsOf(bucket));
    expect(await shown()).toBe("Newer");
  });

  it("is refused also if it waited for its turn while the newer one went live", async () => {
    await publish(await shop.build("waits"), RULES, portsOf(bucket));
    const slow: Bucket = {
      ...bucket,
      // The newer one goes live between the older one's comparison and its lock.
      async putIf(...args) {
        if (wins) {
          wins = false;
          await publish(newest, RULES, portsOf(bucket));
        }
        return bucket.putIf(...args);
      },
    };
    let wins = true;
    const late = await named("Late", "late");
    const newest = await named("Newest", "newest");
    await expect(publish(late, RULES, portsOf(slow))).rejects.toMatchObject(REFUSED);
    expect(await shown()).toBe("Newest");
  });

  it("counts as unchanged with the content that is live, in two requests", async () => {
    await publish(newer, RULES, portsOf(bucket));
    const early = readAhead(newer, -HOUR);
    store.reset();
    expect(await publish(early, RULES, portsOf(bucket))).toMatchObject({ outcome: "unchanged" });
    expect(store.seen).toHaveLength(2);
  });

  it("is newer if its store was read again, though nothing had changed there", async () => {
    await named("Same", "again");
    await publish(await named("Other", "other"), RULES, portsOf(bucket));
    const again = await named("Same", "again");
    expect(await publish(again, RULES, portsOf(bucket))).toMatchObject({ outcome: "published" });
  });

  it("is newer if it was read later, whatever moment it is built for", async () => {
    await publish(newer, RULES, portsOf(bucket));
    shop.sql(`UPDATE products SET name = 'As of' WHERE slug = '${shop.slugs[0]}'`);
    const past = await shop.build("as-of", undefined, "2026-01-01 00:00:00");
    expect(await publish(past, { ...RULES, allowShrink: 1000 }, portsOf(bucket))).toMatchObject({
      outcome: "published",
    });
  });

  it("is told apart by the place's clock where those of two machines differ", async () => {
    const ahead = { clock: { ...CLOCK, now: () => new Date(Date.now() + HOUR) } };
    {
      const fast = readAhead(older, HOUR);
      await publish(fast, RULES, portsOf(bucket, ahead));
    }
    expect(await publish(newer, RULES, portsOf(bucket))).toMatchObject({ outcome: "published" });
    const fast = readAhead(older, HOUR);
    await expect(publish(fast, RULES, portsOf(bucket, ahead))).rejects.toMatchObject(REFUSED);
  });

  it("is not held up by a live release from a clock that was far ahead", async () => {
    {
      const future = readAhead(older, 1000 * HOUR);
      await publish(future, RULES, portsOf(bucket));
    }
    expect(await publish(newer, RULES, portsOf(bucket))).toMatchObject({ outcome: "published" });
  });

  it("is what a rollback makes live, and what came after may follow once that ends", async () => {
    const to = pathToFileURL(join(shop.folder, "www")).href;
    const of = ({ layout }: Snapshot) => ({ to, out: dirname(layout.site) });
    await publishFolder(of(older));
    await publishFolder(of(newer));
    await expect(publishFolder(of(older))).rejects.toMatchObject(REFUSED);
    const before = (await readLive(await openPlace({ to }))).releases[1];
    expect(await rollback(undefined, { to })).toMatchObject({ outcome: "published", held: true });
    expect((await readLive(await openPlace({ to }))).releases[0]?.readAt).toBe(before?.readAt);
    await expect(publishFolder(of(newer))).rejects.toMatchObject({ code: "release_held" });
    expect(await publishFolder({ ...of(newer), resume: true })).toMatchObject({ outcome: "published" });
    expect(
      String(readFileSync(join(shop.folder, `www/api/v1/product/slug=${shop.slugs[0]}.json`))),
    ).toContain('"Newer"');
  });
});
