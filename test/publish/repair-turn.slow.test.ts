/** `check --repair` only puts back what is live, whatever goes live while it waits for its turn. */
import { randomUUID } from "node:crypto";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SILENT } from "../../src/base/log.ts";
import { publishFolder as publish, repairPlace } from "../../src/pipeline/publish.ts";
import { CONTROL_HEADERS, JOURNAL_KEY } from "../../src/publish/bucket.ts";
import { openDirectory } from "../../src/publish/buckets/directory.ts";
import { encodeDocument, type Journal, readLive } from "../../src/publish/documents.ts";
import { thisHolder } from "../../src/publish/lease.ts";
import { temporaryFolder } from "../support/shop.ts";
import { createTinyShop } from "../support/tiny-shop.ts";

const folder = temporaryFolder();

it("does not replace a release that went live while it waited", async () => {
  const shop = createTinyShop();
  const root = join(folder, "place");
  const to = `file://${root}`;
  const bucket = openDirectory(root);
  (await shop.build("a")).manifest.close();
  await publish({ to, out: join(shop.folder, "a") });
  shop.sql("UPDATE products SET name = 'Renamed'");
  (await shop.build("b")).manifest.close();
  const { generation, release } = await readLive(bucket);
  const journal: Journal = {
    format: 1,
    attempt: randomUUID(),
    holder: { ...thisHolder(), publisher: randomUUID() },
    startedAt: new Date().toISOString(),
    leaseSeconds: 60,
    purge: [],
    generation,
    release,
    from: null,
    attempted: [],
    expired: [],
  };
  await bucket.put(JOURNAL_KEY, encodeDocument(journal), CONTROL_HEADERS);
  const said: string[] = [];
  const log = { ...SILENT, info: (line: string) => void said.push(line) };
  const options = { to, out: join(shop.folder, "a"), waitSeconds: 30, log };
  const repair = repairPlace(options).catch((error: unknown) => error);
  await expect.poll(() => said.join()).toContain("waiting");
  // The other publisher's release is made at a copy of the place and is live before its lock is gone, so that the repair can't be first.
  const copy = join(folder, "copy");
  cpSync(root, copy, { recursive: true });
  rmSync(join(copy, JOURNAL_KEY));
  await publish({ to: `file://${copy}`, out: join(shop.folder, "b") });
  cpSync(copy, root, { recursive: true });
  await bucket.delete([JOURNAL_KEY]);
  const { content } = await readLive(bucket);
  expect(await repair).toMatchObject({ code: "usage" });
  expect((await readLive(bucket)).content).toBe(content);
  shop.close();
}, 120_000);
