/** A rollback holds the live release: newer snapshots go live only with --resume. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { publishFolder as publish } from "../../src/pipeline/publish.ts";
import { rollback } from "../../src/pipeline/rollback.ts";
import { JOURNAL_KEY } from "../../src/publish/bucket.ts";
import { parseJournal, readLive } from "../../src/publish/documents.ts";
import { startCdnServer } from "../support/cdn-server.ts";
import { runVitrine } from "../support/command.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault-proxy.ts";
import { createMemoryStore } from "../support/memory-bucket.ts";
import { bucketAt } from "../support/publishing.ts";
import { RGW_ENV } from "../support/rgw.ts";
import { createTinyShop, type TinyShop } from "../support/tiny-shop.ts";

describe("a rollback", () => {
  let proxy: FaultProxy;
  let shop: TinyShop;
  let place: { readonly to: string; readonly endpoint: string; readonly out: string };
  let prefix: string;
  beforeAll(async () => {
    Object.assign(process.env, RGW_ENV);
    proxy = await startFaultProxy(createMemoryStore());
    shop = createTinyShop();
  });
  afterAll(async () => {
    await proxy.close();
    shop.close();
  });

  beforeEach(async () => {
    proxy.reset();
    prefix = randomUUID();
    place = { to: `s3://shop/${prefix}`, endpoint: proxy.url, out: join(shop.folder, prefix) };
    for (const name of ["First", "Second"]) {
      await build(name);
      await publish(place);
    }
  });

  async function build(name: string): Promise<void> {
    shop.sql(`UPDATE products SET name = '${name}' WHERE slug = '${shop.slugs[0]}'`);
    (await shop.build(prefix)).manifest.close();
  }

  const bucket = () => bucketAt(proxy.url, prefix);

  /** The name that readers see. */
  async function shown(): Promise<string> {
    const found = await bucket().get(`api/v1/product/slug=${shop.slugs[0]}.json`);
    return (JSON.parse(String(found?.body)) as { data: { title: string } }).data.title;
  }

  it("holds the release that it makes live, until publish --resume", async () => {
    expect(await rollback(undefined, place)).toMatchObject({ outcome: "published", held: true });
    expect(await readLive(bucket())).toMatchObject({ held: true });
    await build("Third");
    for (const options of [place, { ...place, dryRun: true }, { ...place, repair: true }]) {
      await expect(publish(options)).rejects.toMatchObject({
        code: "release_held",
        exitCode: 6,
        message: expect.stringMatching(
          /A rollback holds release 00000003-\w+ of .* since .* by vitrine .*--resume/,
        ),
      });
    }
    expect(await shown()).toBe("First");
    const { to, endpoint } = place;
    const listed = await runVitrine(["rollback", "--list", "--to", to, "--endpoint", endpoint]);
    expect(listed.out).toContain("a rollback holds it");
    expect(await publish({ ...place, resume: true, dryRun: true })).toMatchObject({
      outcome: "planned",
      held: true,
    });
    expect(await publish({ ...place, resume: true })).toMatchObject({ outcome: "published", held: false });
    expect([await shown(), (await readLive(bucket())).held]).toEqual(["Third", undefined]);
    await build("Fourth");
    expect(await publish(place)).toMatchObject({ outcome: "published", held: false });
  });

  it("is repeated if it is run again, and does not bring the mistake back", async () => {
    await rollback(undefined, place);
    expect(await rollback(undefined, place)).toMatchObject({
      outcome: "unchanged",
      rollbackOf: expect.stringMatching(/^00000001-/),
      held: true,
    });
    expect(await shown()).toBe("First");
    expect((await readLive(bucket())).releases).toHaveLength(3);
  });

  it("purges everything if it is run again with a CDN that the first run did not name", async () => {
    const cdn = await startCdnServer();
    const named = { ...place, purge: [`webhook:${cdn.url}/hook`] };
    cdn.answers.push({ status: 403 });
    await expect(rollback(undefined, named)).rejects.toMatchObject({ code: "purge_failed" });
    // The journal has the purge.
    expect(await rollback(undefined, named)).toMatchObject({ outcome: "unchanged", held: true });
    expect([await shown(), cdn.purged.splice(0).length]).toEqual(["First", 1]);
    expect(await rollback(undefined, named)).toMatchObject({ outcome: "unchanged", purges: [{}] });
    expect(cdn.purged.map((body) => JSON.parse(body))).toEqual([
      expect.objectContaining({ purge: "everything" }),
    ]);
    await cdn.close();
  });

  it("goes back behind the release whose content a resumed rollback left live", async () => {
    await build("Third");
    await publish(place);
    await rollback(undefined, place);
    await build("Second");
    expect(await publish({ ...place, resume: true })).toMatchObject({ outcome: "unchanged", held: false });
    expect((await rollback(undefined, place)).rollbackOf).toMatch(/^00000001-/);
    expect(await shown()).toBe("First");
  });

  it("still holds after the live content is published again or releases are forgotten", async () => {
    await rollback(undefined, place);
    await build("First");
    expect(await publish(place)).toMatchObject({ outcome: "unchanged", held: true, dropped: [] });
    expect(await publish({ ...place, keep: 1 })).toMatchObject({ outcome: "unchanged", held: true });
    expect(await readLive(bucket())).toMatchObject({ held: true, releases: [expect.anything()] });
    expect(await publish({ ...place, repair: true })).toMatchObject({ held: true });
    expect(await publish({ ...place, resume: true })).toMatchObject({ outcome: "unchanged", held: false });
    expect((await readLive(bucket())).held).toBeUndefined();
  });

  it("holds also if it is interrupted, and can be repeated or given up", async () => {
    const cutOff = async () => {
      let puts = 0;
      proxy.fault = (_, { method, key }) =>
        method === "PUT" && key.includes("/api/v1/") && ++puts > 1 ? "forbidden" : null;
      await expect(rollback(undefined, place)).rejects.toMatchObject({
        code: "remote_failed",
      });
      proxy.reset();
      const journal = await bucket().get(JOURNAL_KEY);
      expect(parseJournal(journal?.body ?? Buffer.alloc(0), JOURNAL_KEY).held).toBe(true);
    };
    await cutOff();
    await build("Third");
    await expect(publish(place)).rejects.toMatchObject({
      code: "release_held",
      message: expect.stringMatching(/A rollback of .* was cut off .*Run vitrine rollback --to s3:\S+ again/),
    });
    expect(await rollback(undefined, place)).toMatchObject({ outcome: "published", held: true });
    expect(await shown()).toBe("First");
    expect(await publish({ ...place, resume: true })).toMatchObject({ outcome: "published", held: false });
    await cutOff();
    expect(await publish({ ...place, resume: true })).toMatchObject({ outcome: "published", held: false });
    expect(await shown()).toBe("Third");
    expect(await publish(place)).toMatchObject({ outcome: "unchanged" });
  });
});
