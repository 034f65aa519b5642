/** Reads `src` and the lock file once, for habits that neither the compiler nor the linter knows (CONTRIBUTING.md). */
import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const SOURCES = globSync("src/**/*.{ts,tsx}").map((file) => [file, readFileSync(file, "utf8")] as const);

/** The text from an opening brace to the one that closes it. Braces in texts and patterns are balanced in `src`, or in no handler. */
function blockAt(text: string, start: number): string {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === "{") depth += 1;
    if (text[at] === "}") depth -= 1;
    if (depth === 0) return text.slice(start, at + 1);
  }
  return text.slice(start);
}

/** Handlers of any error, without a word why any is right: they hide full disks, missing permissions and bugs. */
function silentHandlers(text: string): string[] {
  return [...text.matchAll(/\bcatch (?:\((\w+)[^)]*\) )?\{/g)]
    .filter(({ 0: { length }, 1: name, index }) => {
      const block = blockAt(text, index + length - 1);
      const usesError = name !== undefined && new RegExp(`\\b${name}\\b`).test(block);
      return !usesError && !/\bthrow\b|throwIfAborted|\/\//.test(block);
    })
    .map(({ index }) => `line ${text.slice(0, index).split("\n").length}`);
}

it("finds a handler that hides its error", () => {
  const silent = [
    "catch {}",
    "catch { return null; }",
    "catch (error) { return 0; }",
    "catch (e: unknown) {}",
  ];
  for (const handler of silent) expect(silentHandlers(`try { work(); } ${handler}`)).toEqual(["line 1"]);
  const spoken = ["catch {\n// Not JSON.\n}", "catch (error) { log(error); }", "catch { throw wrong(); }"];
  for (const handler of spoken) expect(silentHandlers(`try { work(); } ${handler}`)).toEqual([]);
});

it("every handler of errors names what it expects, or says why any error is right there", () => {
  const found = SOURCES.flatMap(([file, text]) => silentHandlers(text).map((line) => `${file}, ${line}`));
  expect(found).toEqual([]);
});

/** Rooms whose code is bundled into programs of their own, for browsers and CDNs: their names meet no others. */
const ELSEWHERE = /^src\/(client|edge\/cloudflare|explore|widget)\//;
/** Their names are the words of two tables: of a record's fields, of a command's flags. */
const TABLES = ["src/api/field.ts", "src/cli/options.ts"];

it("an exported name is exported once", () => {
  const files = new Map<string, string[]>();
  for (const [file, text] of SOURCES) {
    if (ELSEWHERE.test(file) || TABLES.includes(file)) continue;
    const exported = text.matchAll(
      /^export (?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm,
    );
    for (const name of new Set(Array.from(exported, ([, found = ""]) => found)))
      files.set(name, [...(files.get(name) ?? []), file]);
  }
  expect([...files].filter(([, found]) => found.length > 1)).toEqual([]);
});

/** Comment lines of more than this many letters are sentences: twice in a file, one is a copy, or a leftover of a merge. */
const SENTENCE_LETTERS = 30;

function repeatedComments(text: string): string[] {
  const seen = new Set<string>();
  return text.split("\n").filter((line) => {
    const [, comment = ""] = /^\s*(?:\/\*\*|\*|\/\/)(?! ?(?:@throws|biome-ignore))(.*)$/.exec(line) ?? [];
    const letters = comment.toLowerCase().replaceAll(/[^a-z]/g, "");
    const isRepeated = letters.length > SENTENCE_LETTERS && seen.has(letters);
    seen.add(letters);
    return isRepeated;
  });
}

it("finds a sentence that is twice in a file, with another comma too", () => {
  const line = " * The lock is taken first, and released after the pointer.";
  expect(repeatedComments(`${line}\ncode();\n${line.replace(",", "")}`)).toHaveLength(1);
  expect(repeatedComments("// Short.\n// Short.\n/** @throws VitrineError usage, config_invalid */")).toEqual(
    [],
  );
});

it("no sentence is twice in the comments of a file", () => {
  expect(SOURCES.flatMap(([file, text]) => repeatedComments(text).map((line) => [file, line]))).toEqual([]);
});

/** Words that the glossary refuses, or that hide who does what, and what to write instead (docs/glossary.md). */
const REFUSED = [
  [/\banew\b/i, "again"],
  [/\bwhoever\b/i, "users, callers, or what it is"],
  [/\bnobody\b/i, "no cache, no person, nothing, or never"],
  [/\bis told\b/i, "is reported, is printed"],
  [/\bstands\b(?! for\b| still\b)/i, "is, exists"],
  [/\bof its own\b/i, "separate, its own"],
  [/\bwhat is there\b/i, "the current one"],
  [/\b(?:the )?dearest\b/i, "largest, slowest"],
  [/\bleftovers?\b/i, "remains, pending"],
  [/\b(?:white|black)list/i, "allow-list"],
  [/\bsource (?:database|db)\b/i, "store"],
  [/\bfacets?\b/i, "filter"],
  [/\bshards?\b/i, "partition"],
  [/\bdebounc/i, "settle"],
] as const;

it("uses one word for a thing, and plain ones", () => {
  const found = SOURCES.flatMap(([file, text]) =>
    REFUSED.flatMap(([word, instead]) =>
      text
        .split("\n")
        .flatMap((line, at) => (word.test(line) ? [`${file}:${at + 1}: ${line.trim()} → ${instead}`] : [])),
    ),
  );
  expect(found).toEqual([]);
});

/** A file for each command, widget and view; and files that something loads, or replaces, alone. */
const SHORT = [
  /^src\/(?:cli\/commands|explore|widget)\//,
  // `npm run build` puts compiled code in its place.
  /^src\/config\/check\.ts$/,
  // Help shows these numbers, and loads fast.
  /^src\/site\/shrink-limits\.ts$/,
  // Brings the table of all content types, which few modules need.
  /^src\/base\/content-type\.ts$/,
  /^src\/publish\/publication\.ts$/,
];
const FEWEST_LINES = 20;

it("a file is one thought, not one line of it", () => {
  const short = SOURCES.filter(
    ([file, text]) => text.split("\n").length <= FEWEST_LINES && !SHORT.some((may) => may.test(file)),
  );
  expect(short.map(([file]) => file)).toEqual([]);
});

const DOCUMENTS = globSync(["docs/**/*.md", "*.md"]).map(
  (file) => [file, readFileSync(file, "utf8")] as const,
);

/** Lines of prose that are twice in a document, and bullets that end in the middle of a sentence: what merges leave. */
function brokenProse(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```/gms, "").replaceAll(/^(?: {4}|\|).*$/gm, "");
  const bullets = prose.match(/^[-*] .*(?:\n {2}.*)*/gm) ?? [];
  const cut = bullets.filter(
    (bullet) => bullet.includes("\n") && !/(?:[.:!?;]|[.:!?]?[)`*_"]+)$/.test(bullet.trimEnd()),
  );
  return [...repeatedComments(prose.replaceAll(/^/gm, "//")), ...cut];
}

it("finds a bullet that was cut off", () => {
  const whole = "- **One.** It ends\n  with a full stop.";
  expect(brokenProse(`${whole}\n- **Two.** It ends in the\n  middle of\n\nText.`)).toEqual([
    "- **Two.** It ends in the\n  middle of",
  ]);
});

it("no document repeats a line or breaks off", () => {
  expect(DOCUMENTS.flatMap(([file, text]) => brokenProse(text).map((line) => [file, line]))).toEqual([]);
});

it("`npm ci` works on any system: what runs on one only may be left out, and two packages only run a script", () => {
  const lock: { packages: Record<string, { os?: unknown; optional?: true; hasInstallScript?: true }> } =
    JSON.parse(readFileSync("package-lock.json", "utf8"));
  const named = (is: (entry: (typeof lock.packages)[string]) => boolean) =>
    Object.keys(lock.packages).filter((name) => is(lock.packages[name] ?? {}));
  expect(named(({ os, optional }) => os !== undefined && optional !== true)).toEqual([]);
  // The package `node` asked in its script for what the registry lacks for macOS.
  expect(named(({ hasInstallScript }) => hasInstallScript === true)).toEqual([
    "node_modules/esbuild",
    "node_modules/workerd",
  ]);
});
