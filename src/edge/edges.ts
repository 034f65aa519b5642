/** The table of edges that `vitrine edge` can write files for. */
import { API_PATH, ENDPOINTS } from "../api/endpoints.ts";
import {
  cacheControl,
  JSON_TYPE,
  redirectsOf,
  successHeaders,
  unknownEndpointResponse,
} from "../api/responses.ts";
import { VitrineError } from "../base/error.ts";
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
  /** Default address of the fallback: on the same machine, or for a CDN a name to replace; null if the edge can be one itself. */
  readonly fallback: string | null;
  /** Default folder of the files that it serves; null: the snapshot's. */
  readonly site: string | null;
  /** All its files, including README.md with the steps. @throws VitrineError usage, config_invalid */
  readonly files: (settings: EdgeSettings, readTemplate: ReadTemplate) => EdgeFile[];
}

const LOCAL = "127.0.0.1:8081";
const PUBLIC = "fallback.example.com";
/** The folder to publish to in all docs. Not the snapshot's folder, because a rollback does not change that. */
const PUBLISHED = "/srv/www/shop-api";

export const EDGES = {
  nginx: { fallback: LOCAL, site: PUBLISHED, files: nginxFiles },
  cloudflare: { fallback: null, site: null, files: cloudflareFiles },
  "cloudflare-pages": { fallback: PUBLIC, site: null, files: cloudflarePagesFiles },
  cloudfront: { fallback: PUBLIC, site: null, files: cloudFrontFiles },
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

/** The template that is a program: `npm run build` makes it, because it has the catalog's and the search's code. */
export const OBJECT_WORKER = "cloudflare-object/worker.js";

/** @throws VitrineError usage, config_invalid */
function cloudflareFiles(settings: EdgeSettings): EdgeFile[] {
  requireRoot(settings.config.baseUrl);
  checkFallbacks(settings.fallbacks, "url");
  // Right for most zones; a zone below a public suffix such as co.uk has one label more.
  const zone = new URL(settings.config.baseUrl).hostname.split(".").slice(-2).join(".");
  const values = { ...commonValues(settings), ZONE: zone };
  if (settings.fallbacks.length > 0) {
    if (settings.regions === true)
      throw new VitrineError("usage", "--regions is for a Worker without --fallback.");
    return filesFrom("cloudflare", ["worker.js", "wrangler.jsonc", "cache-rules.json", "README.md"], values);
  }
  return filesFrom("cloudflare-object", ["worker.js", "wrangler.jsonc", "README.md"], {
    ...values,
    REGIONS: `${settings.regions === true}`,
  });
}

/** @throws VitrineError usage, config_invalid */
function cloudflarePagesFiles(settings: EdgeSettings): EdgeFile[] {
  requireRoot(settings.config.baseUrl);
  checkFallbacks(settings.fallbacks, "url");
  const { cache, pages, baseUrl } = settings.config;
  const cacheOf = cacheControl(cache);
  const headers = headersWithout(
    successHeaders(JSON_TYPE, cacheOf.answer, ""),
    "Content-Type",
    "ETag",
    "Vary",
  );
  // A request for a file's own path does not run (and bill) the Worker. Not `/products/*`: Pages takes that for `/products`, too.
  const files = ENDPOINTS.filter(({ params }) => params.length > 0).map(
    ({ path }) => `"${API_PATH}/${path}/*.json"`,
  );
  const values = {
    ...commonValues(settings),
    API_PATH,
    JSON_TYPE,
    HEADERS: block(
      2,
      headers.map(([name, value]) => `${name}: ${value}`),
    ),
    FILES: block(4, [files.join(",\n    ")]),
    REDIRECTS: block(
      0,
      redirectsOf(pages !== false).map(({ path, status, location }) => `${path} /${location} ${status}`),
    ),
    NOT_FOUND: unknownEndpointResponse(baseUrl, cacheOf.clientError).body,
  };
  const names = ["_worker.js", "_headers", "_routes.json", "_redirects", "404.html", "README.md"];
  return filesFrom("cloudflare-pages", names, values);
}
