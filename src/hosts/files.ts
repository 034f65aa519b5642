/** The files that a host reads or answers by, and the guide beside them: from a configuration alone, so that they are the same for every catalog. */
import type { PublicConfig } from "../api/config.ts";
import { API_PATH, ENDPOINTS } from "../api/endpoints.ts";
import {
  ALLOWED_METHODS,
  cacheControl,
  errorResponse,
  type Headers,
  JSON_TYPE,
  successHeaders,
} from "../api/responses.ts";
import { guideOf } from "./guide.ts";
import type { HostName } from "./hosts.ts";
import { planRewrites, type Rewrite } from "./rewrites.ts";

/** A file of a host: its name below `site/`, or beside it. */
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

/** What a host is told to send with every file; types and validators are its own. */
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

function redirectRule({ path, named, target }: Rewrite): string {
  const query = named.map(({ name }) => `${name}=:${name}`);
  return [path, ...query, ...(target === null ? ["/404.json", "404"] : [target, "200"])].join(" ");
}

/** Who may ask a bucket from a page, as `aws s3api put-bucket-cors` takes it. */
function bucketCors(): string {
  const methods = ALLOWED_METHODS.split(", ").filter((method) => method !== "OPTIONS");
  const rule = {
    AllowedOrigins: ["*"],
    AllowedMethods: methods,
    AllowedHeaders: ["*"],
    ExposeHeaders: ["ETag"],
  };
  return json({ CORSRules: [rule] });
}

const MAKERS: Readonly<Record<HostName, Maker>> = {
  "cloudflare-pages": (config, readTemplate) => {
    const { answer, clientError } = cacheControl(config.cache);
    const worker = readTemplate("cloudflare-pages/_worker.js");
    return {
      _headers: headerRules(config, true),
      "_routes.json": functionRoutes(),
      "_worker.js": worker
        .replace("{{CACHE_CONTROL}}", answer)
        .replace("{{ERROR_CACHE_CONTROL}}", clientError),
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
  const to = pages ? "explore/" : `${API_PATH.slice(1)}/index.json`;
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

/** Names of all files that may stand beside a snapshot. */
export const GUIDE_NAMES = ["README.md", "cors.json"] as const;

/** Files that stand beside the snapshot, for whoever puts it live; none where it is for no host. */
export function guideFiles(config: PublicConfig): HostFile[] {
  if (config.for === undefined) return [];
  const guide = { name: "README.md", text: guideOf(config.for, config) };
  return config.for === "s3" ? [{ name: "cors.json", text: bucketCors() }, guide] : [guide];
}
