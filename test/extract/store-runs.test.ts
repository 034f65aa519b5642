/** Pages of a store that threads digest side by side. */
import { Worker } from "node:worker_threads";
import { afterAll, describe, expect, it } from "vitest";
import { digestRunsBeside } from "../../src/extract/stores/runs-beside.ts";
import { digestsOf } from "../../src/extract/stores/sqlite-pages.ts";
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
