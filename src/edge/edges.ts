/** The edges that `vitrine edge` writes files for: one table. */
import { API_PATH, ENDPOINTS, PAGE_FOLDERS } from "../api/endpoints.ts";
import { cacheControl, JSON_TYPE, standardError, successHeaders } from "../api/responses.ts";
import { cloudFrontFiles } from "./cloudfront/files.ts";
import { nginxFiles } from "./nginx/files.ts";
import {
  block,
  checkFallbacks,
  commonValues,
  type EdgeFile,
  type EdgeSettings,
  filesFrom,
  fillTemplate,
  headersWithout,
  type ReadTemplate,
  requireRoot,
} from "./template.ts";

interface EdgeDef {
  /** Default address of the fallback: on the same machine, or at a CDN a name to be replaced. */
  readonly fallback: string;
  /** All its files, README.md with the steps among them. @throws VitrineError usage, config_invalid */
  readonly files: (settings: EdgeSettings, readTemplate: ReadTemplate) => EdgeFile[];
}

/** @throws VitrineError usage, config_invalid */
function cloudflareFiles(settings: EdgeSettings): EdgeFile[] {
  requireRoot(settings.config.baseUrl);
  checkFallbacks(settings.fallbacks, "url");
  // Right for most; a zone below a public suffix such as co.uk has one label more.
  const zone = new URL(settings.config.baseUrl).hostname.split(".").slice(-2).join(".");
  const names = ["worker.js", "wrangler.jsonc", "cache-rules.json", "README.md"];
  return filesFrom("cloudflare", names, { ...commonValues(settings), ZONE: zone });
}

/** @throws VitrineError usage, config_invalid */
function cloudflarePagesFiles(settings: EdgeSettings): EdgeFile[] {
  requireRoot(settings.config.baseUrl);
  checkFallbacks(settings.fallbacks, "url");
  const { cache, pages } = settings.config;
  const cacheOf = cacheControl(cache);
  const headers = headersWithout(
    successHeaders(JSON_TYPE, cacheOf.answer, ""),
    "Content-Type",
    "ETag",
    "Vary",
  );
  // A file by its path costs no run of the Worker.
  const folders = ENDPOINTS.filter(({ params }) => params.length > 0).map(
    ({ path }) => `"${API_PATH}/${path}/*"`,
  );
  const values = {
    ...commonValues(settings),
    API_PATH,
    JSON_TYPE,
    HEADERS: block(
      2,
      headers.map(([name, value]) => `${name}: ${value}`),
    ),
    FOLDERS: block(4, [folders.join(",\n    ")]),
    ROOT: pages ? `/${PAGE_FOLDERS[0]}/` : API_PATH,
    NOT_FOUND: standardError("not_found", cacheOf.clientError).body,
  };
  const names = ["_worker.js", "_headers", "_routes.json", "_redirects", "404.html", "README.md"];
  return filesFrom("cloudflare-pages", names, values);
}

const LOCAL = "127.0.0.1:8081";
const PUBLIC = "fallback.example.com";

export const EDGES = {
  nginx: { fallback: LOCAL, files: nginxFiles },
  cloudflare: { fallback: PUBLIC, files: cloudflareFiles },
  "cloudflare-pages": { fallback: PUBLIC, files: cloudflarePagesFiles },
  cloudfront: { fallback: PUBLIC, files: cloudFrontFiles },
} satisfies Readonly<Record<string, EdgeDef>>;

export type Edge = keyof typeof EDGES;
export const EDGE_NAMES = Object.keys(EDGES) as readonly Edge[];

/** All files of an edge, as paths and texts. */
export function planEdge(
  edge: Edge,
  settings: EdgeSettings,
  readTemplate: ReadTemplate,
): { name: string; text: string }[] {
  return EDGES[edge].files(settings, readTemplate).map(({ name, template, values }) => ({
    name,
    text: fillTemplate(readTemplate(template), values),
  }));
}
