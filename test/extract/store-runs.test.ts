/** Pages of a store that threads digest side by side. */
import { statSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { afterAll, describe, expect, it, vi } from "vitest";
import { digestRunsBeside } from "../../src/extract/stores/runs-beside.ts";
import { digestAhead, digestsOf, type PageDigests } from "../../src/extract/stores/sqlite-pages.ts";
import { type Picture, withPages } from "../../src/extract/stores/sqlite-picture.ts";
import { digestRuns, finishRuns, type RunsJob, runsJob } from "../../src/extract/stores/sqlite-runs.ts";
import { startedModule } from "../../src/package.ts";
import { createShop } from "./support/changing-store.ts";
import { lookAt } from "./support/picture.ts";

const KEY = Buffer.alloc(16, 1);
const PATIENT_MILLISECONDS = 30_000;

const thread = new Worker(startedModule("extract/stores/runs-thread"));
afterAll(() => thread.terminate());

function jobOf(picture: Picture): RunsJob {
  const job = withPages(picture, (_read, source) => runsJob(source, KEY, null));
  if (job === null) throw new Error("no pages");
  return job;
}

describe.each(["delete", "wal"])("runs of pages (%s)", (journal) => {
  const { file, shop } = createShop(journal);
  // Some runs, and in the log frames of several commits.
  shop.exec("CREATE TABLE filler (text TEXT)");
  shop.exec("INSERT INTO filler SELECT hex(randomblob(300000)) FROM products LIMIT 8");
  shop.exec("UPDATE products SET regular_price_minor = 7");

  it("are digested by another thread as by this one", () => {
    lookAt(file, (_db, picture) => {
      const own = digestsOf(picture, KEY, null);
      const job = jobOf(picture);
      expect(job.tags.length).toBeGreaterThan(3 * 16);
      thread.postMessage(job);
      expect(finishRuns(job, PATIENT_MILLISECONDS)).toBe("done");
      expect(Buffer.from(job.tags)).toEqual(own?.tags);
      expect(Buffer.from(job.digests)).toEqual(own?.pages);
    });
  });

  it("are all digested once, whoever takes them", () => {
    lookAt(file, (_db, picture) => {
      const own = digestsOf(picture, KEY, null);
      for (let time = 0; time < 3; time++) {
        const job = jobOf(picture);
        expect(digestRunsBeside(job, 0)).toBe(true);
        expect(Buffer.from(job.digests)).toEqual(own?.pages);
      }
    });
  });
});

describe("digests that are begun before they are asked for", () => {
  /** A store that this process has seen, with its pages as they were. */
  function seenShop() {
    const { file, shop } = createShop("delete");
    const before = lookAt(file, (_db, picture) => digestsOf(picture, KEY, null));
    return { file, shop, before };
  }

  /** Begins when the file is old enough; resolves once all runs are digested, each of which it makes recognizable. */
  async function beginAhead(file: string): Promise<RunsJob> {
    const job = await vi.waitUntil(() => digestAhead(file, 0), {
      timeout: PATIENT_MILLISECONDS,
      interval: 5,
    });
    expect(finishRuns(job, PATIENT_MILLISECONDS)).toBe("done");
    job.digests[0] = (job.digests[0] ?? 0) ^ 0xff;
    return job;
  }

  function digestsNow(file: string, before: PageDigests | null) {
    const digests = lookAt(file, (_db, picture) => digestsOf(picture, KEY, before));
    const real = lookAt(file, (_db, picture) => digestsOf(picture, KEY, null));
    return { digests: digests?.pages, real: real?.pages };
  }

  it("are those of the file as it is then", async () => {
    const { file, shop, before } = seenShop();
    shop.exec("UPDATE products SET regular_price_minor = 7");
    const job = await beginAhead(file);
    const { digests, real } = digestsNow(file, before);
    expect(digests).toEqual(Buffer.from(job.digests));
    expect(digests?.subarray(1)).toEqual(real?.subarray(1));
  });

  it("do not count where something was committed meanwhile", async () => {
    const { file, shop, before } = seenShop();
    shop.exec("UPDATE products SET regular_price_minor = 7");
    await beginAhead(file);
    shop.exec("UPDATE products SET regular_price_minor = 8 WHERE id = (SELECT MAX(id) FROM products)");
    const { digests, real } = digestsNow(file, before);
    expect(digests).toEqual(real);
  });

  it("do not count where a transaction wrote pages and took them back", async () => {
    const { file, shop, before } = seenShop();
    await beginAhead(file);
    shop.exec("PRAGMA cache_size = 1; BEGIN; UPDATE products SET regular_price_minor = 9; ROLLBACK");
    const { digests, real } = digestsNow(file, before);
    expect(digests).toEqual(real);
  });

  it("are not begun beside a transaction, on a log, or of a store that nobody has seen", async () => {
    const { file, shop } = seenShop();
    await vi.waitUntil(() => digestAhead(file, 0), { timeout: PATIENT_MILLISECONDS, interval: 5 });
    shop.exec("PRAGMA cache_size = 1; BEGIN; UPDATE products SET regular_price_minor = 9");
    const { mtimeMs } = statSync(file);
    await vi.waitUntil(() => Date.now() - mtimeMs > 100);
    expect(digestAhead(file, 0)).toBeNull();
    shop.exec("ROLLBACK");
    const unseen = createShop("delete");
    const logged = createShop("wal");
    lookAt(logged.file, (_db, picture) => digestsOf(picture, KEY, null));
    await vi.waitUntil(() => Date.now() - statSync(unseen.file).mtimeMs > 100);
    expect(digestAhead(unseen.file, 0)).toBeNull();
    expect(digestAhead(logged.file, 0)).toBeNull();
    expect(digestAhead(`${file}.none`, 0)).toBeNull();
  });
});

it("wait neither for a thread that does nothing nor for a page that is not there", () => {
  const { file } = createShop("delete");
  lookAt(file, (_db, picture) => {
    expect(finishRuns(jobOf(picture), 10)).toBe("stuck");
    const { source } = jobOf(picture);
    const longer = runsJob({ ...source, pages: source.pages + 1 }, KEY, null);
    digestRuns(longer);
    expect(finishRuns(longer, PATIENT_MILLISECONDS)).toBe("failed");
  });
});

it("say so where reading fails in a thread", () => {
  const { file } = createShop("delete");
  lookAt(file, (_db, picture) => {
    const { source } = jobOf(picture);
    const closed = runsJob({ ...source, main: -1 }, KEY, null);
    thread.postMessage(closed);
    expect(finishRuns(closed, PATIENT_MILLISECONDS)).toBe("failed");
  });
});
