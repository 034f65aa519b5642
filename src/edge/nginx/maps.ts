/**
 * The commonest requests' keys as nginx `map`s, so that they never enter JavaScript: all requests without a query, and
 * canonical queries of up to four parameters, `page` standing anywhere. Made from the contract's tables like the key
 * function itself; what no pattern here knows, that function answers.
 */
import {
  API_PATH,
  ASSETS,
  ENDPOINTS,
  type Endpoint,
  INDEX_FILE,
  MAX_INTEGER,
  PAGE_FOLDERS,
  type Param,
} from "../../api/endpoints.ts";
import { canonicalKey } from "../../key/key.ts";

/** Variables that the maps set and read. */
const JS_KEY = "$vitrine_js_key";
const PLAIN_KEY = "$vitrine_plain_key";
const NO_FILE = "/none";

const PAGE = "[1-9][0-9]{0,14}";
const SLUG = "[a-z0-9][a-z0-9._-]{0,149}";
const PAGE_FOLDER = `/(?:${PAGE_FOLDERS.join("|")})`;
const PAGE_PART = "/[A-Za-z0-9_~-][A-Za-z0-9._~-]*";
const CUTS = ["a", "b", "c", "d"].map((letter) => `vitrine_${letter}`);

function escapeRegex(text: string): string {
  return text.replace(/[.?]/g, "\\$&");
}

/** Whole numbers from 1, where a short pattern says which. */
function integerPattern(largest: number | undefined): string | null {
  if (largest === MAX_INTEGER) return PAGE;
  if (largest === 100) return "[1-9][0-9]?|100";
  return largest !== undefined && largest < 10 ? `[1-${largest}]` : null;
}

/** A pattern of a parameter's canonical values; null where the key function must look. */
function valuePattern(param: Param): string | null {
  if (param.aliasOf !== undefined || param.selects === true || param.name === "page") return null;
  if (param.kind === "slug") return SLUG;
  if (param.kind === "flag") return "[01]";
  if (param.kind === "choice") return (param.values ?? []).join("|");
  return param.kind === "integer" ? integerPattern(param.clamp ?? param.max) : null;
}

/** `type=(?:product|blog)`, in a query as in a key; a default is left out of keys, so it is for the key function. */
function partPattern(param: Param): string[] {
  const values = valuePattern(param);
  if (values === null) return [];
  const others = param.default === undefined ? "" : `(?!${param.default}(?:&|\\z))`;
  return [`${param.name}=${others}(?:${values})`];
}

function stemOf(endpoint: Endpoint): string {
  return `${API_PATH}/${endpoint.path}`;
}

/** One line of a `map`; nginx wants quotes around what has braces. */
function line(pattern: string, value: string): string {
  return `    ${pattern.startsWith("~") ? `"${pattern}"` : pattern} ${value};`;
}

/** Whether a query is canonical: known parts in the contract's order, `page` once and anywhere, up to four in all. */
function guard(endpoint: Endpoint): string {
  const parts = endpoint.params.flatMap(partPattern).map((part) => `(?:${part}(?:&|\\z))?`);
  const page = endpoint.paginated ? `(?:page=${PAGE}(?:&|\\z))?` : "";
  const once = endpoint.paginated ? "(?!(?:.*&)?page=.*&page=)" : "";
  return `~^(?=[^&]+(?:&[^&]+){0,3}\\z)${once}${page}${parts.join(page)}${page}\\z`;
}

/** The lines of one endpoint's map over `$args`, the commonest first. */
function queryLines(endpoint: Endpoint): string[] {
  // An endpoint that needs a text has no files.
  if (endpoint.params.some((param) => param.kind === "text" && endpoint.needs?.includes(param.name)))
    return [];
  if (endpoint.params.length === 0) return [];
  const selecting = endpoint.params.filter((param) => param.selects === true);
  const cut = endpoint.paginated ? "$vitrine_page_parts" : "$vitrine_parts";
  return [
    ...selecting.map(({ name }) =>
      line(`~^(?<vitrine_a>${name}=${SLUG})\\z`, `${stemOf(endpoint)}/$vitrine_a.json`),
    ),
    line(guard(endpoint), `${stemOf(endpoint)}/${cut}.json`),
  ];
}

/** Cuts a query that is known to be canonical into a key's folders, `page` last: `page=2&a=1` → `a=1/page=2`. */
function cutLines(paginated: boolean): string[] {
  const lines: string[] = paginated ? [line("~^(?<vitrine_a>page=[^&]+)\\z", "$vitrine_a")] : [];
  for (let count = 1; count <= CUTS.length; count++) {
    const parts = CUTS.slice(0, count).map((name) => `(?<${name}>[^&]+)`);
    const folders = CUTS.slice(0, count).map((name) => `$${name}`);
    const last = count === CUTS.length ? -1 : count; // `page` would be the fifth
    for (let at = 0; paginated && at <= last; at++) {
      const withPage = [...parts.slice(0, at), "(?<vitrine_page>page=[^&]+)", ...parts.slice(at)];
      lines.push(line(`~^${withPage.join("&")}\\z`, [...folders, "$vitrine_page"].join("/")));
    }
    lines.push(line(`~^${parts.join("&")}\\z`, [...folders, ...(paginated ? ["page=1"] : [])].join("/")));
  }
  return lines;
}

function mapBlock(source: string, name: string, fallback: string, lines: readonly string[]): string {
  return [`map ${source} ${name} {`, `    default ${fallback};`, ...lines, "}"].join("\n");
}

/** The file that a request for an endpoint without a query is answered by, below the site's root; null: none. */
function plainFile({ path }: Endpoint): string | null {
  const key = canonicalKey(`${API_PATH}/${path}`, "");
  return key === null ? null : `/${key}`;
}

/**
 * Targets without a query that have a file. Patterns, because a map's plain strings match in any case. Most stand under
 * their own name, so that one pattern is enough for all of a kind.
 */
function plainLines(): string[] {
  const kinds = ["/page=1.json", ".json"].map((ending) => ({
    ending,
    endpoints: ENDPOINTS.filter((endpoint) => plainFile(endpoint) === stemOf(endpoint) + ending),
  }));
  const others = ENDPOINTS.filter((endpoint) => !kinds.some(({ endpoints }) => endpoints.includes(endpoint)));
  return [
    ...kinds.map(({ ending, endpoints }) =>
      line(
        `~^${API_PATH}/(?<vitrine_a>${endpoints.map(({ path }) => path).join("|")})/?\\z`,
        `${API_PATH}/$vitrine_a${ending}`,
      ),
    ),
    ...others.flatMap((endpoint) => {
      const file = plainFile(endpoint);
      const stem = endpoint.path === "" ? API_PATH : stemOf(endpoint);
      return file === null ? [] : [line(`~^${escapeRegex(stem)}/?\\z`, file)];
    }),
    ...ASSETS.map((asset) => line(`~^/${escapeRegex(asset)}\\z`, `/${asset}`)),
    line(`~^(?<vitrine_a>${PAGE_FOLDER}(?:${PAGE_PART})+)\\z`, "$vitrine_a"),
    line(`~^(?<vitrine_a>${PAGE_FOLDER}(?:${PAGE_PART})*/)\\z`, `"\${vitrine_a}${INDEX_FILE}"`),
  ];
}

/** The maps that give `$vitrine_key`: the path of the file that may answer, below the site's root. */
export function nginxMaps(): string {
  const asking = ENDPOINTS.map((endpoint) => ({ endpoint, lines: queryLines(endpoint) })).filter(
    ({ lines }) => lines.length > 0,
  );
  const variable = (endpoint: Endpoint) => `$vitrine_key_${endpoint.path}`;
  return [
    "# A canonical query's parts as a key's folders; the maps after it say whose queries are canonical.",
    mapBlock("$args", "$vitrine_parts", '""', cutLines(false)),
    mapBlock("$args", "$vitrine_page_parts", '""', cutLines(true)),
    ...asking.map(({ endpoint, lines }) => mapBlock("$args", variable(endpoint), JS_KEY, lines)),
    "# Escapes in a path without a query: nginx has decoded them.",
    mapBlock("$uri", PLAIN_KEY, NO_FILE, plainLines()),
    mapBlock("$request_uri", "$vitrine_key", JS_KEY, [
      ...plainLines(),
      "    # No query and no escape: no other path has a file. An escaped slash or a dot segment never has one.",
      line("~^[^?#%]*\\z", NO_FILE),
      line("~*^[^?#]*(?:%2f|/\\.|/%2e)[^?#]*\\z", NO_FILE),
      line("~^[^?#]*\\z", PLAIN_KEY),
      ...asking.map(({ endpoint }) => line(`~^${escapeRegex(stemOf(endpoint))}/?\\?`, variable(endpoint))),
      ...ASSETS.map((asset) => line(`~^/${escapeRegex(asset)}\\?`, `/${asset}`)),
    ]),
  ].join("\n\n");
}
