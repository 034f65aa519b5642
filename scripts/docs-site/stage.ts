/** The site's sources: the documents at their places, and a page for each file or folder of the repository that they link to. */
import { globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import type { Entry } from "./contents.ts";

const LINK = /\]\(([^)\s#]+)[^)\s]*\)/g;
const BINARY = /\.(?:sqlite|webp|png)$/;

/** Where relative links of a document lead, from the repository's root. */
function linkedFiles({ file }: Entry): string[] {
  const targets = [...readFileSync(file, "utf8").matchAll(LINK)].map(([, target = ""]) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => normalize(join(dirname(file), target)));
}

/** Pictures stand beside the documents of `docs/`, whose folder is the site's. */
const textOf = (file: string) => {
  const text = readFileSync(file, "utf8");
  return dirname(file) === "." ? text.replaceAll(/(\]\(|")docs\/pictures\//g, "$1./pictures/") : text;
};

const placeOf = (path: string) => `files/${path.replace(/\/$/, "")}.md`;

function fence(file: string, heading: string): string {
  const text = readFileSync(file, "utf8").trimEnd();
  return `${heading}\n\n\`\`\`\`text\n${text}\n\`\`\`\`\n`;
}

/** A page that shows a file, or all text files of a folder. */
function showFiles(path: string): string {
  if (statSync(path).isFile()) return fence(path, `# ${path}`);
  const files = globSync(`${path}/**`, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !BINARY.test(entry.name))
    .map((entry) => relative(".", join(entry.parentPath, entry.name)))
    .sort();
  return `# ${path}\n\n${files.map((file) => fence(file, `## ${relative(path, file)}`)).join("\n")}`;
}

export interface Staged {
  /** Texts by their place in the site. */
  readonly pages: ReadonlyMap<string, string>;
  /** Places in the site by path in the repository. */
  readonly places: ReadonlyMap<string, string>;
}

/** Everything that the site is made of, but its pictures. */
export function stagePages(entries: readonly Entry[]): Staged {
  const places = new Map(entries.map(({ file, page }) => [file, page]));
  const pages = new Map(entries.map(({ file, page }) => [page, textOf(file)]));
  for (const path of entries.flatMap(linkedFiles)) {
    if (places.has(path) || path.startsWith("docs/")) continue;
    const readme = places.get(join(path, "README.md"));
    const place = readme ?? placeOf(path);
    places.set(path, place);
    if (readme === undefined) pages.set(place, `---\nsearch: false\n---\n${showFiles(path)}`);
  }
  return { pages, places };
}
