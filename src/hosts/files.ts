/** The files that a host reads or answers by: from a configuration alone, so that they are the same for every catalog. */
import type { PublicConfig } from "../api/config.ts";
import {
  API_PATH,
  DEFAULT_PER_PAGE,
  ENDPOINTS,
  type Endpoint,
  PAGE_FOLDERS,
  type Param,
} from "../api/endpoints.ts";
import { cacheControl, errorResponse, type Headers, JSON_TYPE, successHeaders } from "../api/responses.ts";
import { fillTemplate } from "../edge/template.ts";
import { keyOf } from "../key/key.ts";
import type { HostName } from "./hosts.ts";

/** A file of a host: its name below `site/`, or next to it. */
export interface HostFile {
  readonly name: string;
  readonly text: string;
}

/** Gives a file below templates/hosts. */
export type ReadTemplate = (name: string) => string;

type Maker = (config: PublicConfig, readTemplate: ReadTemplate) => Readonly<Record<string, string>>;

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The envelope of a 404: the same whatever was asked. */
function notFound({ cache }: PublicConfig): string {
  const message = "No file of this site answers this request.";
  return errorResponse("not_found", message, cacheControl(cache).clientError).body;
}

/** Headers that a host adds to every file; types and validators are its own. */
function headersOf({ cache }: PublicConfig): [name: string, value: string][] {
  const own: Headers = successHeaders(JSON_TYPE, cacheControl(cache).answer, "");
  return Object.entries(own).filter(([name]) => !["Content-Type", "ETag", "Vary"].includes(name));
}

/** Cloudflare's and Netlify's `_headers`. `typed`: a 404 below the API's path is JSON although its file is a page. */
function headerRules(config: PublicConfig, typed: boolean): string {
  const lines = headersOf(config).map(([name, value]) => `  ${name}: ${value}`);
  const api = typed ? [`${API_PATH}/*`, `  Content-Type: ${JSON_TYPE}`] : [];
  return `${["/*", ...lines, ...api].join("\n")}\n`;
}

/** A file by its path costs no run of the function; each endpoint's folder is one rule, of a hundred that may be. */
function functionRoutes(): string {
  const folders = ENDPOINTS.filter(({ params }) => params.length > 0).map(
    ({ path }) => `${API_PATH}/${path}/*`,
  );
  return json({ version: 1, include: [API_PATH, `${API_PATH}/*`], exclude: folders });
}

/** A form of query, and the file that answers it. Knows no host's spelling of it. */
interface Rewrite {
  /** `/api/v1/products` */
  readonly path: string;
  /** Parameters that the query names. */
  readonly named: readonly Param[];
  /** `/api/v1/products/category=:category/page=:page.json`; null where no file answers. */
  readonly target: string | null;
}

function subsets<Item>(items: readonly Item[], most: number): Item[][] {
  if (most === 0) return [[]];
  return [
    [],
    ...items.flatMap((item, at) => subsets(items.slice(at + 1), most - 1).map((rest) => [item, ...rest])),
  ];
}

/** The file of a form of query: a value that stands for itself is spelled in a key as it is, and then made `:name`. */
function targetOf(endpoint: Endpoint, named: readonly Param[]): string {
  const values = endpoint.params.map((param) => (named.includes(param) ? `__${param.name}__` : null));
  return `/${keyOf({ endpoint, values })}`.replaceAll(/__(\w+?)__/g, ":$1");
}

function rewriteOf(endpoint: Endpoint, named: readonly Param[]): Rewrite {
  return {
    path: endpoint.path === "" ? API_PATH : `${API_PATH}/${endpoint.path}`,
    named,
    target: targetOf(endpoint, named),
  };
}

/** Parameters with which there may be a file: filters, and those that go with them. */
function filed({ params }: Endpoint, { pageSizes }: PublicConfig) {
  const hasSizes = pageSizes.some((size) => size !== DEFAULT_PER_PAGE);
  return {
    filters: params.filter(({ role }) => role === "filter"),
    others: params.filter(
      ({ name, role }) => role === "sort" || name === "page" || (name === "per_page" && hasSizes),
    ),
  };
}

function ofList(endpoint: Endpoint, config: PublicConfig): Rewrite[] {
  const { filters, others } = filed(endpoint, config);
  const { depth } = config.grid;
  const none = (named: readonly Param[]): Rewrite => ({ ...rewriteOf(endpoint, named), target: null });
  const known = new Set([...filters, ...others]);
  const selecting = endpoint.params.filter((param) => param.selects);
  const never = endpoint.params.filter((param) => !known.has(param) && !param.selects);
  const forms = subsets(filters, depth).flatMap((some) =>
    subsets(others, others.length).map((rest) => [...some, ...rest]),
  );
  return [
    ...selecting.map((param) => rewriteOf(endpoint, [param])),
    ...never.map((param) => none([param])),
    ...subsets(filters, depth + 1)
      .filter((some) => some.length > depth)
      .map(none),
    ...forms.sort((a, b) => b.length - a.length).map((named) => rewriteOf(endpoint, named)),
  ];
}

/**
 * All of a configuration, those that name most first: a host that takes a query for one which names less finds the right
 * one before it, and what no file answers before that.
 */
function planRewrites(config: PublicConfig): Rewrite[] {
  const enabled = ENDPOINTS.filter(({ path }) => path === "" || config.endpoints.some((one) => one === path));
  return enabled.flatMap((endpoint) => {
    if (endpoint.path === "search") return [];
    if (endpoint.needs !== undefined) return endpoint.params.map((param) => rewriteOf(endpoint, [param]));
    const rewrites = ofList(endpoint, config);
    // A path with its extension is the file's own.
    return rewrites.filter(({ path, target }) => path !== target);
  });
}

function redirectRule({ path, named, target }: Rewrite): string {
  const query = named.map(({ name }) => `${name}=:${name}`);
  return [path, ...query, ...(target === null ? ["/404.json", "404"] : [target, "200"])].join(" ");
}

const MAKERS: Readonly<Record<HostName, Maker>> = {
  "cloudflare-pages": (config, readTemplate) => {
    const { answer, clientError } = cacheControl(config.cache);
    const worker = readTemplate("cloudflare-pages/_worker.js");
    return {
      _headers: headerRules(config, true),
      "_routes.json": functionRoutes(),
      "_worker.js": fillTemplate(worker, { CACHE_CONTROL: answer, ERROR_CACHE_CONTROL: clientError }),
      "404.html": notFound(config),
    };
  },
  "github-pages": (config) => ({ ".nojekyll": "", "404.html": notFound(config) }),
  netlify: (config) => ({
    _headers: headerRules(config, false),
    _redirects: `${[...planRewrites(config).map(redirectRule), `${API_PATH}/* /404.json 404`].join("\n")}\n`,
    "404.html": notFound(config),
    "404.json": notFound(config),
  }),
  s3: (config) => ({ "404.json": notFound(config) }),
};

/** What every host answers `/` with: the root leads where it does at the edges. */
function rootPage({ pages }: PublicConfig): Readonly<Record<string, string>> {
  const to = pages ? `${PAGE_FOLDERS[0]}/` : `${API_PATH.slice(1)}/index.json`;
  const lines = [
    "<!doctype html>",
    `<meta http-equiv="refresh" content="0; url=${to}">`,
    `<a href="${to}">${to}</a>`,
  ];
  return { "index.html": `${lines.join("\n")}\n` };
}

/** Files of the snapshot that its host reads or answers by, in order of name; none where it is for no host. */
export function hostFiles(config: PublicConfig, readTemplate: ReadTemplate): HostFile[] {
  if (config.for === undefined) return [];
  const files = Object.entries({ ...MAKERS[config.for](config, readTemplate), ...rootPage(config) });
  return files.map(([name, text]) => ({ name, text }));
}
