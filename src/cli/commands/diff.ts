/** `vitrine diff` */
import { Argument } from "commander";
import { VitrineError } from "../../base/error.ts";
import type { JsonChange } from "../../base/json-difference.ts";
import { counted, formatCount } from "../../base/log.ts";
import type { DiffReport, FileChanges } from "../../build/diff.ts";
import type { CatalogChanges, Changed } from "../../catalog/comparison.ts";
import type { ResourceName } from "../../catalog/resources.ts";
import { NAMES } from "../build-summary.ts";
import { JSON_FLAG } from "../inputs.ts";
import { commandOf, type Flags, flag, text } from "../options.ts";
import { STORE_FLAGS } from "../remote.ts";
import { escapeForTerminal, printResult, terminalLog } from "../terminal.ts";

/** Words of facts, one and several; any other is said by its name. */
const FACTS: Readonly<Record<string, readonly [string, string]>> = {
  title: ["title", "titles"],
  name: ["name", "names"],
  price: ["price", "prices"],
  status: ["status", "statuses"],
  category: ["category", "categories"],
  excerpt: ["excerpt", "excerpts"],
  description: ["description", "descriptions"],
  content: ["text", "texts"],
  image: ["image", "images"],
  question: ["question", "questions"],
  answer: ["answer", "answers"],
  rating: ["rating", "ratings"],
  rating_summary: ["rating", "ratings"],
  review_count: ["review count", "review counts"],
  product_count: ["product count", "product counts"],
  latest_release: ["latest release", "latest releases"],
  product_title: ["product title", "product titles"],
};

/** `2 prices, 1 title` */
function factLines({ facts }: Changed): string {
  return Object.entries(facts)
    .map(([fact, count]) => counted(count, FACTS[fact] ?? [fact, fact]))
    .join(", ");
}

/** `1 new product, 2 products gone, 3 products changed: 2 prices, 1 title`, a line for each kind of record. */
function recordLines(records: CatalogChanges): string[] {
  const kinds = Object.entries(NAMES) as [ResourceName, readonly [string, string]][];
  return kinds.flatMap(([kind, name]) => {
    const changes = records[kind];
    if (changes === undefined) return [];
    const { changed } = changes;
    const parts = [
      changes.new > 0 ? counted(changes.new, [`new ${name[0]}`, `new ${name[1]}`]) : "",
      changes.gone > 0 ? `${counted(changes.gone, name)} gone` : "",
      changed.records > 0 ? `${counted(changed.records, name)} changed: ${factLines(changed)}` : "",
    ].filter((part) => part !== "");
    return parts.length > 0 ? [parts.join(", ")] : [];
  });
}

function followedLines(records: CatalogChanges): string[] {
  const kinds = Object.entries(NAMES) as [ResourceName, readonly [string, string]][];
  const parts = kinds.flatMap(([kind, name]) => {
    const followed = records[kind]?.followed;
    if (followed === undefined || followed.records === 0) return [];
    return [`${counted(followed.records, name)} (${factLines(followed)})`];
  });
  return parts.length > 0 ? [`following from that: ${parts.join(", ")}`] : [];
}

/** `data.price: 9 → 12`, `+ data.faqs[id=7]: {…}`, `- data.faqs[id=3]: {…}` */
export function changeLine({ path, before, after }: JsonChange): string {
  const place = path === "" ? "" : `${path}: `;
  const [old, now] = [before, after].map((value) => JSON.stringify(value));
  const line =
    old === undefined
      ? `+ ${place}${now}`
      : now === undefined
        ? `- ${place}${old}`
        : `${place}${old} → ${now}`;
  return escapeForTerminal(line);
}

function fileLines(files: FileChanges): string[] {
  const { same, keys } = files;
  const counts = (["new", "changed", "gone"] as const)
    .filter((kind) => files[kind] > 0)
    .map((kind) => `${formatCount(files[kind])} ${kind}`);
  const line = counts.length === 0 ? "none differs" : `${counts.join(", ")}, ${formatCount(same)} the same`;
  return [`files: ${line}`, ...(keys ?? []).map(({ kind, key }) => `${kind} ${key}`)];
}

/** What a `vitrine diff` prints, words first. */
function diffLines({ from, to, same, records, store, config, files }: DiffReport): string[] {
  if (same) return ["nothing differs"];
  const words = [
    ...recordLines(records),
    ...followedLines(records),
    ...store.map((change) => `store: ${changeLine(change)}`),
    ...config.map((change) => `configuration: ${changeLine(change)}`),
  ];
  const none =
    from.digest === to.digest
      ? "no record differs"
      : "no record differs: at most the order of lists, or what search finds";
  return [...(words.length > 0 ? words : [none]), ...(files === null ? [] : fileLines(files))];
}

const FLAGS = {
  ...STORE_FLAGS,
  keys: flag("list the files that are new, changed or gone"),
  key: text("<key>", "show what differs in the answer of one key, as JSON paths"),
  exitCode: flag("exit with 4 where something differs"),
  ...JSON_FLAG,
};

/** Compares, and says what differs. */
async function compare(from: string, to: string, flags: Flags<typeof FLAGS>): Promise<boolean> {
  const [{ diffIn, diffAnswerIn }, { temporaryFolder }] = await Promise.all([
    import("../../build/diff.ts"),
    import("../../base/temporary-folder.ts"),
  ]);
  const log = terminalLog(flags.json === true);
  const { endpoint, region, concurrency, timeout, key, keys } = flags;
  const options = { from, to, endpoint, region, concurrency, timeoutSeconds: timeout, keys, log };
  await using folder = await temporaryFolder();
  if (key === undefined) {
    const report = await diffIn(folder.path, options).finally(() => log.done());
    printResult(flags.json === true, report, diffLines(report));
    return report.same;
  }
  const report = await diffAnswerIn(folder.path, { ...options, key }).finally(() => log.done());
  printResult(
    flags.json === true,
    report,
    report.same ? ["nothing differs"] : report.changes.map(changeLine),
  );
  return report.same;
}

const PLACE = "an output folder, a catalog file, or a release of s3://BUCKET/PREFIX or file:///FOLDER";

export const addDiff = commandOf(
  {
    name: "diff",
    does: "say what changed between two snapshots, catalogs or releases",
    takes: [
      new Argument("<from>", `${PLACE}: the live one, or PLACE#RELEASE by its id or the beginning of it`),
      new Argument("<to>", "the same"),
    ],
    flags: FLAGS,
    examples: [
      "vitrine diff s3://shop/catalog out",
      "vitrine diff s3://shop/catalog#00000041 s3://shop/catalog --keys",
      "vitrine diff yesterday.sqlite out/catalog.sqlite --json",
      "vitrine diff before out --key api/v1/product/slug=invoice-kit.json",
    ],
  },
  async (flags, from = "", to = "") => {
    if (flags.key !== undefined && flags.keys === true)
      throw new VitrineError("usage", "--keys lists all files, --key shows one: use one of them.");
    const same = await compare(from, to, flags);
    if (!same && flags.exitCode === true) throw new VitrineError("check_failed", `${from} and ${to} differ.`);
  },
);
