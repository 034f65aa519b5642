/** What a report tells of a snapshot: numbers, gathered from its manifest in one pass. */
import { API_PATH } from "../api/endpoints.ts";

const API_PREFIX = `${API_PATH.slice(1)}/`;

interface Family {
  /** `category × status, sorted`; `all` where nothing is asked for but the list. */
  readonly name: string;
  readonly files: number;
  readonly sizeBytes: number;
}

export interface Group {
  /** `/products`, or `beside the API` for the widgets and whatever else is no answer. */
  readonly endpoint: string;
  readonly files: number;
  readonly sizeBytes: number;
  /** The heaviest first. */
  readonly families: readonly Family[];
}

/** Files of at least `from` and less than twice as many bytes. */
export interface SizeClass {
  readonly from: number;
  readonly files: number;
}

export interface KeySize {
  readonly key: string;
  readonly sizeBytes: number;
}

export interface SiteFacts {
  readonly files: number;
  readonly sizeBytes: number;
  readonly groups: readonly Group[];
  /** The largest first. */
  readonly largest: readonly KeySize[];
  readonly sizes: readonly SizeClass[];
}

const LARGEST = 20;
const BESIDE = "beside the API";

/** `api/v1/products/category=fonts/sort=rating/page=2.json` → `/products` and `category, sorted` */
export function familyOfKey(key: string): { readonly endpoint: string; readonly family: string } {
  if (!key.startsWith(API_PREFIX)) return { endpoint: BESIDE, family: key.slice(0, key.indexOf("/")) || key };
  const [first = "", ...rest] = key
    .slice(API_PREFIX.length)
    .replace(/\.json$/, "")
    .split("/");
  const names = rest.map((part) => part.slice(0, part.indexOf("="))).filter((name) => name !== "page");
  const filters = names.filter((name) => !["sort", "per_page"].includes(name));
  const words = [filters.length === 0 ? "all" : filters.join(" × ")];
  if (names.includes("sort")) words.push("sorted");
  if (names.includes("per_page")) words.push("other page sizes");
  return { endpoint: first === "index" ? "/" : `/${first}`, family: words.join(", ") };
}

interface Sum {
  files: number;
  sizeBytes: number;
}

function added<Key>(sums: Map<Key, Sum>, key: Key, sizeBytes: number): void {
  const sum = sums.get(key) ?? { files: 0, sizeBytes: 0 };
  sum.files += 1;
  sum.sizeBytes += sizeBytes;
  sums.set(key, sum);
}

function heaviest<Item extends Sum>(items: readonly Item[]): Item[] {
  return [...items].sort((a, b) => b.sizeBytes - a.sizeBytes);
}

/** Reads all entries once; what is kept does not grow with them. */
export function gatherFacts(entries: Iterable<KeySize>): SiteFacts {
  const families = new Map<string, Map<string, Sum>>();
  const classes = new Map<number, Sum>();
  let largest: KeySize[] = [];
  const total: Sum = { files: 0, sizeBytes: 0 };
  for (const { key, sizeBytes } of entries) {
    const { endpoint, family } = familyOfKey(key);
    const group = families.get(endpoint) ?? new Map<string, Sum>();
    families.set(endpoint, group);
    added(group, family, sizeBytes);
    added(classes, Math.floor(Math.log2(Math.max(1, sizeBytes))), sizeBytes);
    total.files += 1;
    total.sizeBytes += sizeBytes;
    largest.push({ key, sizeBytes });
    if (largest.length > 50 * LARGEST) largest = largestOf(largest);
  }
  const groups = [...families].map(([endpoint, group]) => {
    const own = heaviest([...group].map(([name, sum]) => ({ name, ...sum })));
    const sum = (of: "files" | "sizeBytes") => own.reduce((all, one) => all + one[of], 0);
    return { endpoint, files: sum("files"), sizeBytes: sum("sizeBytes"), families: own };
  });
  return { ...total, groups: heaviest(groups), largest: largestOf(largest), sizes: sizeClasses(classes) };
}

function largestOf(all: readonly KeySize[]): KeySize[] {
  return [...all].sort((a, b) => b.sizeBytes - a.sizeBytes).slice(0, LARGEST);
}

/** Without gaps, so that an empty class shows. */
function sizeClasses(classes: ReadonlyMap<number, Sum>): SizeClass[] {
  const powers = [...classes.keys()];
  if (powers.length === 0) return [];
  const least = Math.min(...powers);
  return Array.from({ length: Math.max(...powers) - least + 1 }, (_, at) => ({
    from: 2 ** (least + at),
    files: classes.get(least + at)?.files ?? 0,
  }));
}
