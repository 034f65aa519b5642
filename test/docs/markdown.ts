/** Reads the parts of documents that tests need: code blocks, code spans, links, headings, commands. */
import { globSync, readFileSync } from "node:fs";

interface Block {
  /** The word after the fence; "" without one, and for indented blocks. */
  readonly language: string;
  readonly text: string;
}

export interface Page {
  readonly file: string;
  readonly blocks: readonly Block[];
  /** All but the blocks. */
  readonly prose: string;
}

export function readPage(file: string): Page {
  const blocks: { language: string; lines: string[] }[] = [];
  const prose: string[] = [];
  let fence: string | null = null;
  let indentation = "";
  let wasBlank = true;
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const [, indent, language = ""] = /^(\s*)```(\w*)$/.exec(line) ?? [];
    const open = blocks.at(-1);
    if (fence !== null) {
      if (indent === fence) fence = null;
      else open?.lines.push(line.slice(fence.length));
      wasBlank = false;
    } else if (indent !== undefined) {
      fence = indent;
      blocks.push({ language, lines: [] });
    } else if (/^ {4}/.test(line) && (wasBlank || open?.language === "indented")) {
      if (wasBlank) {
        blocks.push({ language: "indented", lines: [] });
        indentation = /^ +/.exec(line)?.[0] ?? "";
      }
      blocks.at(-1)?.lines.push(line.replace(indentation, ""));
      wasBlank = false;
    } else {
      wasBlank = line.trim() === "";
      prose.push(line);
    }
  }
  return {
    file,
    prose: prose.join("\n"),
    blocks: blocks.map(({ language, lines }) => ({
      language: language === "indented" ? "" : language,
      text: lines.join("\n"),
    })),
  };
}

/** README first, then the documents by name. Without the changelog, which describes older versions, too. */
export const PAGES: readonly Page[] = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...globSync("docs/**/*.md").sort(),
  "examples/chinook/README.md",
  "examples/demo/README.md",
].map(readPage);

export function codeSpans({ prose }: Page): string[] {
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text);
}

/** Targets of a page's links. */
export function links({ prose }: Pick<Page, "prose">): string[] {
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
}

/** A heading's anchor as the usual hosts of repositories make it: `What a reader sees` → `what-a-reader-sees`. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

export function anchors(file: string): string[] {
  return [...readFileSync(file, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading));
}

/** A command line without its comment, cut into words as a shell does. */
export function wordsOf(line: string): string[] {
  const words = line.replace(/\s+# .*$/, "").match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  return words.map((word) => word.replace(/'/g, ""));
}

/**
 * Lines of the blocks that are for a shell, without a prompt, without the comment, and cut at `&&`. Continued lines are joined.
 * In a block without a language they are mixed with output.
 */
export function shellLines({ blocks }: Page): string[] {
  return blocks
    .filter(({ language }) => language === "" || language === "sh")
    .flatMap(({ text }) => text.replace(/\\\n\s*/g, "").split("\n"))
    .flatMap((line) =>
      line
        .replace(/^\$ /, "")
        .replace(/\s+# .*$/, "")
        .split(" && "),
    );
}

/** Commands in the blocks of a page, each as its words, without variables set before it. */
export function commands(page: Page): string[][] {
  return shellLines(page)
    .map((line) => line.replace(/^(?:[A-Z_]+=\S+ )+/, "").replace(/^node dist\/cli\/main\.js /, "vitrine "))
    .filter((line) => /^(?:vitrine|npm|npx|curl) /.test(line))
    .map(wordsOf);
}
