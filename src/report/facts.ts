/** What a report says of a snapshot's files: numbers, gathered from its manifest in one pass. */
import { API_PATH, ENDPOINTS } from "../api/endpoints.ts";

const API_PREFIX = `${API_PATH.slice(1)}/`;
const LARGEST = 15;

interface Sum {
  files: number;
  sizeBytes: number;
}

export interface KeySize {
  readonly key: string;
  readonly sizeBytes: number;
}

export interface SiteFacts extends Readonly<Sum> {
  /** By endpoint: `/products`. */
  readonly endpoints: ReadonlyMap<string, Readonly<Sum>>;
  /** The explorer, the reference and the widgets. */
  readonly pages: Readonly<Sum>;
  /** The API's largest files, the largest first. */
  readonly largest: readonly KeySize[];
}

/** `api/v1/products/category=fonts/page=2.json` → `/products`; null for what is no answer of the API. */
export function endpointOfKey(key: string): string | null {
  if (!key.startsWith(API_PREFIX)) return null;
  const [name = ""] = key.slice(API_PREFIX.length).split("/");
  if (name === "index.json") return "/";
  const isWhole = ENDPOINTS.some(({ path }) => path === name);
  return `/${isWhole ? name : name.replace(/\.json$/, "")}`;
}

function add(sum: Sum, sizeBytes: number): void {
  sum.files += 1;
  sum.sizeBytes += sizeBytes;
}

function largestOf(all: readonly KeySize[]): KeySize[] {
  return [...all].sort((a, b) => b.sizeBytes - a.sizeBytes).slice(0, LARGEST);
}

/** Reads all entries once; what is kept does not grow with them. */
export function gatherFacts(entries: Iterable<KeySize>): SiteFacts {
  const endpoints = new Map<string, Sum>();
  const [total, pages] = [
    { files: 0, sizeBytes: 0 },
    { files: 0, sizeBytes: 0 },
  ];
  let largest: KeySize[] = [];
  for (const { key, sizeBytes } of entries) {
    add(total, sizeBytes);
    const endpoint = endpointOfKey(key);
    if (endpoint === null) {
      add(pages, sizeBytes);
      continue;
    }
    const sum = endpoints.get(endpoint) ?? { files: 0, sizeBytes: 0 };
    endpoints.set(endpoint, sum);
    add(sum, sizeBytes);
    largest.push({ key, sizeBytes });
    if (largest.length > 50 * LARGEST) largest = largestOf(largest);
  }
  return { ...total, endpoints, pages, largest: largestOf(largest) };
}
