/** The documents of the repository: links work, every page can be reached, pictures are used. */
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, normalize, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { CONFIGURATION_FILE, makeConfigurationReference } from "../../scripts/config/manual.ts";
import { fillTables, LIBRARY_FILE } from "../../scripts/library/manual.ts";
import { fillMetrics, METRICS_PAGE } from "../../scripts/metrics/manual.ts";
import { makeServicesPage, SERVICES_FILE } from "../../scripts/services/manual.ts";
import { anchors, links, PAGES, readPage } from "./markdown.ts";

const DOCUMENTS = [
  ...PAGES,
  ...["CHANGELOG.md", ...globSync("templates/shops/*/README.md").sort()].map(readPage),
];

/** Targets of the links inside the repository, as `[path, anchor]`. */
function targetsOf({
  file,
  prose,
}: (typeof DOCUMENTS)[number]): [path: string, anchor: string | undefined][] {
  const inside = links({ prose }).filter((target) => !/^[a-z]+:/.test(target));
  return inside.map((target) => {
    const [path = "", anchor] = target.split("#");
    return [path === "" ? file : normalize(join(dirname(file), path)), anchor];
  });
}

describe("the documents", () => {
  it.each(DOCUMENTS.map((page) => [page.file, page] as const))("%s has no dead links", (_, page) => {
    const dead = targetsOf(page).filter(
      ([path, anchor]) => !existsSync(path) || (anchor !== undefined && !anchors(path).includes(anchor)),
    );
    expect(dead).toEqual([]);
  });

  it("can all be reached by links from the README", () => {
    const reached = new Set(["README.md"]);
    for (const file of reached) {
      const page = DOCUMENTS.find((one) => one.file === file);
      // A viewer of repositories shows a folder with its README.
      for (const [path] of page === undefined ? [] : targetsOf(page))
        reached.add(DOCUMENTS.find((one) => one.file === join(path, "README.md"))?.file ?? path);
    }
    expect(DOCUMENTS.map(({ file }) => file).filter((file) => !reached.has(file))).toEqual([]);
  });

  it("resume in another block than they roll back: a block is pasted as a whole", () => {
    const blocks = DOCUMENTS.flatMap(({ file, blocks }) => blocks.map(({ text }) => ({ file, text })));
    const isUndone = ({ text }: { text: string }) => /vitrine rollback(?!.*--list)[\s\S]*--resume/.test(text);
    expect(blocks.filter(isUndone)).toEqual([]);
  });

  it("name every theme of the findings, with its number", () => {
    const files = globSync("findings/*.sh").map((file) => basename(file));
    const themes = [...new Set(files.map((file) => file.slice(0, file.indexOf("-"))))];
    const counts = themes.map((theme) => [
      theme,
      files.filter((file) => file.startsWith(`${theme}-`)).length,
    ]);
    const rows = readFileSync("findings/README.md", "utf8").matchAll(/^\| `(\w+)` \| (\d+) \|/gm);
    const listed = [...rows].map(([, theme, count]) => [theme, Number(count)]);
    expect(listed.toSorted()).toEqual(counts.toSorted());
  });

  it("have a page of services that is made from what the tests play: npm run docs:services", () => {
    expect(readFileSync(SERVICES_FILE, "utf8")).toBe(makeServicesPage());
  });

  it("have tables of the library that are made from its types: npm run docs:library", () => {
    const page = readFileSync(LIBRARY_FILE, "utf8");
    expect(fillTables(page)).toBe(page);
    expect(page.match(/^<!-- table: /gm)?.length).toBeGreaterThan(5);
  });

  it("have a table of metrics that is made from their help texts: npm run docs:metrics", async () => {
    const page = readFileSync(METRICS_PAGE, "utf8");
    expect(await fillMetrics(page)).toBe(page);
    expect(page).toContain("| `vitrine_requests_total` |");
  });

  it("have a page of options that matches the schema: npm run docs:config", () => {
    expect(readFileSync(CONFIGURATION_FILE, "utf8")).toBe(makeConfigurationReference());
  });
});

const PICTURE_BYTES = 110_000;

describe("the pictures of the documents", () => {
  // A picture in two themes has its text in the last element.
  const shown = PAGES.flatMap(({ file, prose }) => {
    const alt = /<img [^>]*alt="([^"]*)"/.exec(prose)?.[1] ?? "";
    const plain = [...prose.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, words = "", target = ""]) => [
      words,
      target,
    ]);
    const themed = [...prose.matchAll(/"(docs\/pictures\/[^"]+)"/g)].map(([, target = ""]) => [alt, target]);
    return [...plain, ...themed].map(([words = "", target = ""]) => ({
      words,
      picture: relative(".", resolve(file, "..", target)),
    }));
  });

  it("are all used, small, and each has a text alternative", () => {
    expect([...new Set(shown.map(({ picture }) => picture))].sort()).toEqual(
      globSync("docs/pictures/*").sort(),
    );
    for (const { words, picture } of shown) {
      expect(words.length, picture).toBeGreaterThan(40);
      expect(statSync(picture).size, picture).toBeLessThanOrEqual(PICTURE_BYTES);
    }
  });
});
