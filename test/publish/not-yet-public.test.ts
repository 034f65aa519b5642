/** What is not public yet: only the next build knows the moment at which the next sale starts. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Bucket } from "../../src/publish/bucket.ts";
import { openDirectory } from "../../src/publish/buckets/directory.ts";
import { publish } from "../../src/publish/publish.ts";
import { OPTIONS, portsOf } from "../support/publishing.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

const SALE_STARTS = "2026-12-06 09:41:37";
/** Its spellings: all of our formats, and seconds since 1970. */
const MOMENT = /2026-12-06.?09:41:37|09:41:37|1796550097/;

/** Every body that is sent to a bucket, by key, including those that are deleted again. */
function recorded(bucket: Bucket): { bucket: Bucket; sent: Map<string, Buffer[]> } {
  const sent = new Map<string, Buffer[]>();
  const record = (key: string, body: Buffer) => sent.set(key, [...(sent.get(key) ?? []), body]);
  return {
    sent,
    bucket: {
      ...bucket,
      put: (key, body, headers) => {
        record(key, body);
        return bucket.put(key, body, headers);
      },
      putIf: (key, body, headers, condition) => {
        record(key, body);
        return bucket.putIf(key, body, headers, condition);
      },
    },
  };
}

function textOf(body: Buffer): string {
  return (body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body) : body).toString("latin1");
}

describe("the start of a future sale", () => {
  let shop: TinyShop;
  let place: string;
  beforeAll(() => {
    shop = createTinyShop();
    place = mkdtempSync(join(tmpdir(), "vitrine-www-"));
  });
  afterAll(() => {
    shop.close();
    rmSync(place, { recursive: true, force: true });
  });

  it("is only in the local manifest; planning it makes no other catalog and no release", async () => {
    const before = await shop.build("shop");
    const { bucket, sent } = recorded(openDirectory(place));
    await publish(before, OPTIONS, portsOf(bucket));

    shop.sql(`INSERT INTO sale_windows (product_id, percent, starts_at, is_active)
              SELECT id, 50, '${SALE_STARTS}', 1 FROM products WHERE slug = '${shop.slugs[0]}'`);
    const planned = await shop.build("shop");
    expect(planned.manifest.meta["next_change_at"]).toBe("2026-12-06T09:41:37+00:00");
    expect(planned.manifest.meta["catalog_digest"]).toBe(before.manifest.meta["catalog_digest"]);
    expect(await publish(planned, OPTIONS, portsOf(bucket))).toMatchObject({ outcome: "unchanged" });

    // Together with another change there is a release, made while the sale is known.
    shop.sql(`UPDATE products SET name = 'Another name' WHERE slug = '${shop.slugs[1]}'`);
    const changed = await shop.build("shop");
    await publish(changed, OPTIONS, portsOf(bucket));
    const kinds = [
      /current\.json$/,
      /journal\.json$/,
      /\.vitrine\/objects\/[0-9a-f]{64}\.gz$/,
      /api\/v1\/store\.json$/,
    ];
    for (const kind of kinds)
      expect(
        [...sent.keys()].some((key) => kind.test(key)),
        String(kind),
      ).toBe(true);
    for (const [key, bodies] of sent)
      for (const body of bodies) expect(MOMENT.exec(textOf(body)), key).toBeNull();
    expect(MOMENT.exec(readFileSync(changed.layout.catalog, "latin1"))).toBeNull();
    expect(MOMENT.exec(readFileSync(changed.layout.manifest, "latin1"))?.[0]).toBe("2026-12-06T09:41:37");
  });
});
