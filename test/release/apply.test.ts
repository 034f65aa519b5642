import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { type Catalog, openCatalog } from "../../src/catalog/catalog.ts";
import { changeCatalog, createCatalog } from "../../src/catalog/catalog-file.ts";
import { RESOURCES, type ResourceName } from "../../src/catalog/resources.ts";
import { digestCatalog } from "../../src/catalog/verify.ts";
import { applyRelease, type PartitionLines, type ReleaseChanges } from "../../src/release/apply.ts";
import { answerTarget } from "../../src/serve/answer.ts";
import { catalogsAfter } from "../support/changed-catalogs.ts";
import { type MemoryRelease, releaseOf } from "../support/memory-source.ts";
import { temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
/** The shop at first, and after each of some changes of its database. */
const CHANGES = {
  // Fewer of what there is most of, still in several partitions.
  first: `DELETE FROM reviews WHERE id % 4 > 0; DELETE FROM threads WHERE id > 25;
    DELETE FROM posts WHERE thread_id > 25; DELETE FROM releases WHERE id % 3 > 0`,
  price: "UPDATE products SET regular_price_minor = 1234 WHERE slug = 'invoice-kit'",
  // Two products change their slugs, and a third takes one of the old ones.
  slugs: `UPDATE products SET slug = 'kit-between' WHERE slug = 'invoice-kit';
    UPDATE products SET slug = 'invoice-kit' WHERE slug = 'invoice-kit-pro';
    UPDATE products SET slug = 'invoice-kit-pro' WHERE slug = 'kit-between'`,
  fewer: "UPDATE products SET status = 'draft' WHERE id % 2 = 0; DELETE FROM reviews WHERE id % 3 > 0",
  none: "UPDATE products SET status = 'draft'; UPDATE blog_posts SET status = 'draft'; DELETE FROM threads",
} as const;
type Step = keyof typeof CHANGES;
let catalogs: Record<Step, string>;

beforeAll(async () => {
  catalogs = await catalogsAfter(folder, CHANGES);
});

const fileOf = (step: Step) => catalogs[step];
let files = 0;
function copyOf(step: Step): string {
  const file = join(folder, `copy-${files++}.sqlite`);
  mkdirSync(folder, { recursive: true });
  copyFileSync(fileOf(step), file);
  return file;
}

function* partitionsOf(release: MemoryRelease, before?: MemoryRelease): Generator<PartitionLines> {
  for (const { name: resource } of RESOURCES) {
    const names = release.lists[resource] ?? [];
    const known = before?.lists[resource] ?? [];
    for (const [partition, name] of names.entries()) {
      if (names.length === known.length && known[partition] === name) continue;
      const lines = name === null ? null : (release.objects.get(name) ?? null);
      yield { resource, partition, lines };
    }
  }
}

function changesOf(release: MemoryRelease, partitions: ReleaseChanges["partitions"]): ReleaseChanges {
  const { name, catalog, lists } = release;
  const counts = Object.fromEntries(Object.entries(lists).map(([list, names]) => [list, names.length]));
  return { name, catalog, counts, partitions };
}

async function apply(file: string, changes: ReleaseChanges, open = changeCatalog): Promise<string> {
  const writer = open(file);
  try {
    const digest = await applyRelease(writer, changes);
    writer.commit();
    return digest;
  } finally {
    writer.close();
  }
}

function countOf({ db }: Catalog, name: ResourceName): number {
  return db.prepare<[], number>(`SELECT count(*) FROM ${name}`).pluck().get() ?? 0;
}

/** The answers for clients: every list, record and a few searches. */
function answersOf(file: string): Record<string, string> {
  using catalog = openCatalog(file);
  const targets = RESOURCES.flatMap(({ endpoint, slug, name, detail }) => {
    if (name === "category") return [endpoint];
    if (name === "faq") return [`${endpoint}?limit=100`];
    const last = Math.ceil(countOf(catalog, name) / 100);
    const pages = Array.from({ length: last }, (_, at) => `${endpoint}?per_page=100&page=${at + 1}`);
    if (!slug || !detail) return pages;
    const slugs = catalog.db.prepare<[], string>(`SELECT slug FROM ${name}`).pluck().all();
    const of = name === "product" ? "/product" : endpoint;
    return [...pages, ...slugs.map((one) => `${of}?slug=${one}`)];
  });
  const searches = ["kit", "invoice template", "laravel", "shiping", "a"].map((q) => `/search?q=${q}`);
  return Object.fromEntries(
    [...targets, ...searches, "/store", "/categories", "/"].map((target) => {
      const path = `/api/v1${target.replace(/^(?!\/)/, "/")}`;
      return [path, answerTarget(catalog, path).body.toString()];
    }),
  );
}

function rowsOf(file: string): unknown[] {
  const db = new Database(file, { readonly: true });
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all()
    .filter((name) => !name.startsWith("document_text"));
  const rows = tables.map((table) => [table, db.prepare(`SELECT * FROM ${table} ORDER BY 1`).all()]);
  const indexes = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' ORDER BY name").all();
  db.close();
  return [indexes, ...rows];
}

interface Content {
  readonly rows: unknown[];
  readonly answers: Record<string, string>;
}

const contentOf = (file: string): Content => ({ rows: rowsOf(file), answers: answersOf(file) });

const published = new Map<Step, Content>();

/** What clients and SQL see of a published catalog, read once. */
function publishedContent(step: Step): Content {
  const content = published.get(step) ?? contentOf(fileOf(step));
  published.set(step, content);
  return content;
}

describe("applying a release", () => {
  it("makes a new catalog with the rows, indexes, answers and digest of the published one", async () => {
    const release = releaseOf(fileOf("first"));
    expect(release.objects.size).toBeGreaterThan(15);
    const file = join(folder, "new.sqlite");
    expect(await apply(file, changesOf(release, partitionsOf(release)), createCatalog)).toBe(
      release.catalog.digest,
    );
    expect(digestCatalog(file)).toBe(release.catalog.digest);
    const content = contentOf(file);
    const { answers } = content;
    expect(Object.keys(answers).length).toBeGreaterThan(150);
    expect(Object.values(answers).filter((body) => !body.startsWith('{"success":true'))).toEqual([]);
    expect(content).toEqual(publishedContent("first"));
  });

  it.each<readonly [from: Step, to: Step, rowsBefore: number]>([
    ["first", "price", 20],
    ["price", "first", 20],
    ["first", "slugs", 20],
    ["slugs", "first", 3],
    ["slugs", "fewer", 20],
    ["fewer", "slugs", 500],
    ["first", "none", 20],
    ["none", "first", 20],
  ])(
    "changes %s to %s with the partitions that differ, whatever their number was before",
    async (...step) => {
      const [from, to, rowsBefore] = step;
      const file = copyOf(from);
      const before = releaseOf(fileOf(from), rowsBefore);
      const release = releaseOf(fileOf(to));
      await apply(file, changesOf(release, partitionsOf(release, before)));
      expect(digestCatalog(file)).toBe(release.catalog.digest);
      expect(contentOf(file)).toEqual(publishedContent(to));
    },
  );

  it("does not write unchanged rows, even if all partitions are given", async () => {
    const file = copyOf("first");
    const release = releaseOf(fileOf("price"));
    const writer = changeCatalog(file);
    const { db } = writer;
    const before = db.prepare("SELECT total_changes()").pluck().get() as number;
    await applyRelease(writer, changesOf(release, partitionsOf(release)));
    const changed = (db.prepare("SELECT total_changes()").pluck().get() as number) - before;
    expect(changed).toBeGreaterThan(0);
    expect(changed).toBeLessThan(50);
    writer.close();
  });

  it("takes the time of the release, also if the content is unchanged", async () => {
    const file = copyOf("first");
    const release = releaseOf(fileOf("first"));
    const generatedAt = "2026-11-21T00:00:00+00:00";
    await apply(file, changesOf({ ...release, catalog: { ...release.catalog, generatedAt } }, []));
    using catalog = openCatalog(file);
    expect(catalog).toMatchObject({ generatedAt, digest: release.catalog.digest });
  });

  it("has no records of a missing list, and accepts any content if no digest is given", async () => {
    const file = copyOf("first");
    const release = releaseOf(fileOf("first"));
    const { review: _, ...counts } = changesOf(release, []).counts as Record<ResourceName, number>;
    const catalog = { ...release.catalog, digest: null };
    const digest = await apply(file, { ...changesOf(release, []), catalog, counts });
    expect(digest).not.toBe(release.catalog.digest);
    expect(digestCatalog(file)).toBe(digest);
    using found = openCatalog(file);
    expect([countOf(found, "review"), countOf(found, "product")]).toEqual([0, expect.any(Number)]);
  });

  it("makes records without details from lines without them", async () => {
    const release = releaseOf(fileOf("first"));
    const plain = [...partitionsOf(release)].map((partition) => {
      if (partition.resource !== "post" || partition.lines === null) return partition;
      const lines = partition.lines.toString().split("\n").slice(0, -1);
      const listed = lines.map((line) => {
        const { content_html: _, content_text: __, ...rest } = JSON.parse(line);
        return `${JSON.stringify(rest)}\n`;
      });
      return { ...partition, lines: Buffer.from(listed.join("")) };
    });
    const catalog = { ...release.catalog, digest: null };
    const file = join(folder, "plain.sqlite");
    const changes = { ...changesOf(release, plain), catalog, withoutDetail: ["post"] as const };
    await apply(file, changes, createCatalog);
    digestCatalog(file);
    using found = openCatalog(file);
    expect(countOf(found, "post")).toBeGreaterThan(0);
  });
});

describe("a release that is damaged", () => {
  const edited =
    (edit: (lines: string[]) => string[]) =>
    (partition: PartitionLines): PartitionLines => {
      const lines = (partition.lines?.toString() ?? "").split("\n").slice(0, -1);
      return {
        ...partition,
        lines: Buffer.from(
          edit(lines)
            .map((line) => `${line}\n`)
            .join(""),
        ),
      };
    };
  const recordOf = (line = "") => JSON.parse(line) as Record<string, unknown>;
  const changed = (change: object) =>
    edited(([first, ...others]) => [JSON.stringify({ ...recordOf(first), ...change }), ...others]);

  const DAMAGE: Readonly<Record<string, readonly [(partition: PartitionLines) => PartitionLines, string]>> = {
    "a record is changed": [changed({ title: "Another" }), "its records make the catalog"],
    "a record is missing": [edited((lines) => lines.slice(1)), "its records make the catalog"],
    "a record is there twice": [
      edited(([first = "", ...more]) => [first, first, ...more]),
      "is not in order",
    ],
    "records are in another order": [edited((lines) => lines.toReversed()), "is not in order"],
    "a record is another partition's": [
      edited((lines) => {
        const last = recordOf(lines.at(-1));
        return [...lines, JSON.stringify({ ...last, id: Number(last["id"]) + 1 })];
      }),
      "belongs to another partition",
    ],
    "a record has a field more": [changed({ secret: 1 }), "must NOT have additional properties"],
    "a record has a wrong id": [changed({ id: -1 }), "/id"],
    "a record has a slug of another": [changed({ slug: "invoice-kit" }), "has the slug of another product"],
    "a line is not JSON": [edited((lines) => ["{", ...lines]), "JSON"],
    "it ends within a line": [
      (partition) => ({ ...partition, lines: partition.lines?.subarray(0, -9) ?? null }),
      "its last line is cut off",
    ],
    "it is empty": [(partition) => ({ ...partition, lines: Buffer.alloc(0) }), "it is empty"],
    "it has no records": [(partition) => ({ ...partition, lines: null }), "its records make the catalog"],
  };

  // One reader serves both, so every third is also given to a new catalog.
  const cases = Object.entries(DAMAGE).map(([what, how], at) => [what, how, at % 3 === 0] as const);
  it.each(cases)("is refused if %s, and nothing is changed", async (_, [damage, why], isNew) => {
    const file = copyOf("first");
    const before = readFileSync(file);
    const release = releaseOf(fileOf("price"));
    const all = [...partitionsOf(release)];
    const at = all.findIndex(
      ({ resource, lines }) => resource === "product" && lines?.includes('"invoice-kit"') === false,
    );
    const partitions = all.map((partition, index) => (index === at ? damage(partition) : partition));
    const failure = {
      code: "remote_invalid",
      message: expect.stringContaining(why),
    };
    await expect(apply(file, changesOf(release, partitions))).rejects.toMatchObject(failure);
    expect(readFileSync(file).equals(before)).toBe(true);
    if (!isNew) return;
    const whole = join(folder, `damaged-${files++}.sqlite`);
    await expect(apply(whole, changesOf(release, partitions), createCatalog)).rejects.toMatchObject({
      code: "remote_invalid",
    });
  });

  it("is refused if its configuration is invalid", async () => {
    const release = releaseOf(fileOf("first"));
    const catalog = { ...release.catalog, config: { endpoints: 1 } };
    await expect(apply(copyOf("first"), { ...changesOf(release, []), catalog })).rejects.toMatchObject({
      code: "remote_invalid",
    });
  });
});
