/** What changed, in words that a shop's owner would say. */
import type { JsonChange } from "../base/json-difference.ts";
import { formatCount } from "../base/log.ts";
import type { DiffReport, FileChanges } from "../build/diff.ts";
import type { CatalogChanges, Changed } from "../catalog/compare.ts";
import type { ResourceName } from "../catalog/resources.ts";
import { counted, NAMES } from "./build-summary.ts";
import { escapeForTerminal } from "./terminal.ts";

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
function factsOf({ facts }: Changed): string {
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
      changed.records > 0 ? `${counted(changed.records, name)} changed: ${factsOf(changed)}` : "",
    ].filter((part) => part !== "");
    return parts.length > 0 ? [parts.join(", ")] : [];
  });
}

function followedLines(records: CatalogChanges): string[] {
  const kinds = Object.entries(NAMES) as [ResourceName, readonly [string, string]][];
  const parts = kinds.flatMap(([kind, name]) => {
    const followed = records[kind]?.followed;
    if (followed === undefined || followed.records === 0) return [];
    return [`${counted(followed.records, name)} (${factsOf(followed)})`];
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
export function diffLines({ from, to, same, records, store, config, files }: DiffReport): string[] {
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
