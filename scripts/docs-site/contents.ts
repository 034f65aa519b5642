/** What the documentation's site holds: which document of the repository stands where, and in which order. */
import { globSync, readFileSync } from "node:fs";

export interface Entry {
  /** The document, from the repository's root. */
  readonly file: string;
  /** Its place in the site. */
  readonly page: string;
  /** What the sidebar calls it. */
  readonly text: string;
}

export interface Group {
  readonly text: string;
  readonly entries: readonly Entry[];
}

/** By what a reader wants: to learn, to get something done, to look something up, to understand. */
const GROUPS: readonly (readonly [string, readonly string[]])[] = [
  ["Start", ["docs/index.md", "docs/start.md", "docs/own-store.md", "docs/going-live.md"]],
  [
    "Guides",
    [
      ...[
        "docs/shops.md",
        "docs/stores.md",
        "docs/publishing.md",
        "docs/hosts.md",
        "docs/edges.md",
        "docs/operations.md",
      ],
      ...["docs/explorer.md", "docs/widget.md", "docs/agents.md", "docs/feeds.md", "docs/privacy.md"],
    ],
  ],
  [
    "Reference",
    [
      ...["docs/api.md", "docs/configuration.md", "docs/allow-list.md", "docs/cli.md", "docs/library.md"],
      ...["docs/glossary.md", "CHANGELOG.md"],
    ],
  ],
  [
    "Background",
    ["SECURITY.md", "docs/performance.md", "docs/architecture.md", "CONTRIBUTING.md", "README.md"],
  ],
  ["Decisions", ["docs/decisions/README.md"]],
  ["Shops and examples", ["templates/shops/*/README.md", "examples/*/README.md"]],
];

/** Takes the documents that no group names: a new one is in the sidebar without a word here. */
const FURTHER = "Guides";

function pageOf(file: string): string {
  const [first, ...rest] = file.split("/");
  if (first === "docs") return rest.join("/").replace(/README\.md$/, "index.md");
  if (rest.at(-1) === "README.md") return `${[...rest.slice(0, -1)].join("/")}.md`;
  return file.toLowerCase();
}

/** Where the heading says too little beside others. */
const TITLES: Readonly<Record<string, string>> = { "docs/index.md": "Overview", "README.md": "Readme" };

/** The heading, without what is said of it after a colon. */
function titleOf(file: string): string {
  const heading = /^# (.+)$/m.exec(readFileSync(file, "utf8"))?.[1];
  if (heading === undefined) throw new Error(`${file} has no heading`);
  return TITLES[file] ?? heading.split(": ")[0]?.replaceAll("`", "") ?? heading;
}

function entryOf(file: string): Entry {
  return { file, page: pageOf(file), text: titleOf(file) };
}

/** All documents by group; every file of docs/ is one of them. */
export function contents(): Group[] {
  const named = GROUPS.map(
    ([text, files]) => [text, files.flatMap((file) => globSync(file).sort())] as const,
  );
  const known = new Set(named.flatMap(([, files]) => files));
  const decisions = globSync("docs/decisions/*.md").sort();
  const further = globSync("docs/*.md").sort();
  const more: Readonly<Record<string, readonly string[]>> = { [FURTHER]: further, Decisions: decisions };
  return named.map(([text, files]) => {
    const unnamed = more[text]?.filter((file) => !known.has(file)) ?? [];
    return { text, entries: [...files, ...unnamed].map(entryOf) };
  });
}
