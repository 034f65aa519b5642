/** A request in the languages that people paste into a terminal or a program. Pure. */

/** Types of `vitrine/api` that the data of an endpoint has: a list, and one record. */
const TYPES: Readonly<Record<string, readonly [list: string | null, one: string | null]>> = {
  "": [null, "Status"],
  store: [null, "Store"],
  products: ["Product", null],
  product: [null, "ProductDetail"],
  categories: ["Category", null],
  faqs: ["Faq", null],
  reviews: ["Review", null],
  releases: ["Release", null],
  blog: ["BlogPost", "BlogPostDetail"],
  forum: ["Thread", "ThreadDetail"],
  search: ["SearchResult", null],
  widgets: ["Widget", null],
};
/** Lists that come whole, without pages. */
const WHOLE: readonly string[] = ["categories", "faqs", "widgets"];

/** Inside single quotes a shell reads nothing but their end. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function clientText(url: string, rest: string): string {
  const [path = "", query = ""] = rest.split(/\?(.*)/s, 2);
  const [list, one] = TYPES[path] ?? [null, null];
  const asksOne = one !== null && (list === null || new URLSearchParams(query).has("slug"));
  const type = asksOne ? one : list;
  const address = JSON.stringify(url);
  if (type === null) return `const answer = await (await fetch(${address})).json();`;
  const envelope = asksOne || WHOLE.includes(path) ? "SuccessResponse" : "ListResponse";
  const data = envelope === "SuccessResponse" && !asksOne ? `${type}[]` : type;
  return [
    `import type { ${[envelope, type].sort().join(", ")} } from "vitrine/api";`,
    "",
    `const response = await fetch(${address});`,
    "if (!response.ok) throw new Error(response.statusText);",
    `const { data }: ${envelope}<${data}> = await response.json();`,
  ].join("\n");
}

export const SAMPLES = ["URL", "curl", "fetch", "client"] as const;
export type Sample = (typeof SAMPLES)[number];

/** `rest` is what follows the API's base address. */
export function sampleOf(sample: Sample, url: string, rest: string): string {
  if (sample === "URL") return url;
  if (sample === "curl") return `curl ${shellQuoted(url)}`;
  if (sample === "fetch") return `const answer = await (await fetch(${JSON.stringify(url)})).json();`;
  return clientText(url, rest);
}
