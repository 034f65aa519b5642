/**
 * The reference at /docs/: every endpoint that a shop offers, with its parameters and the fields of its records, as one page
 * of HTML without a script. Pure: it follows from the configuration alone. Its ids are what the explorer links to.
 */
import { hash } from "node:crypto";
import type { TSchema } from "typebox";
import type { PublicConfig } from "../../api/config.ts";
import {
  ENDPOINTS,
  type Endpoint,
  MAX_TEXT_LENGTH,
  type Param,
  type ParamKind,
} from "../../api/endpoints.ts";
import { operationOf } from "../../api/envelope.ts";
import { ERROR_STATUS } from "../../api/errors.ts";
import { colourRule } from "../../base/colours.ts";
import { Html, html } from "../../base/html.ts";
import { isEnabled } from "../../catalog/singles.ts";

export const REFERENCE_KEY = "docs/index.html";

const STYLE = `${colourRule()}
*{box-sizing:border-box;margin:0}
body{background:var(--bg);color:var(--text);font:1rem/1.55 system-ui,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
header{background:var(--surface);border-bottom:1px solid var(--line)}
header>*,main{max-width:920px;margin:0 auto;padding:0 24px}
header p{display:flex;flex-wrap:wrap;gap:4px 20px;padding-block:14px}
main{padding-block:32px 64px}
a{color:var(--accent);text-underline-offset:3px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
h1{font-size:1.75rem;line-height:1.2;letter-spacing:-.022em}
h2{font-size:1.125rem;line-height:1.35}
h3{font-size:.875rem;color:var(--text2);margin-top:20px}
h1+p,h2+p,section>p+p{margin-top:8px}
.toc{display:flex;flex-wrap:wrap;gap:6px 14px;list-style:none;padding:0;margin-top:24px}
.toc a{display:inline-block;min-height:24px;font-size:.875rem}
section{background:var(--surface);border:1px solid var(--line);border-radius:14px;padding:20px 24px;margin-top:24px;scroll-margin-top:12px}
section:target{border-color:var(--accent)}
dl{display:grid;grid-template-columns:13rem minmax(0,1fr);font-size:.9375rem}
dt,code{font:.875rem/1.6 ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,monospace}
h2 code{font-size:1.125rem;font-weight:650}
dt{font-weight:600;padding-right:16px}
dt,dt+dd{border-top:1px solid var(--line);padding-top:9px;margin-top:9px}
dd{grid-column:2}
dt:first-of-type,dt:first-of-type+dd{border:0;margin-top:0}
i,dd+dd{color:var(--text2);font-size:.875rem;font-style:normal}
details{margin-top:16px}
summary{cursor:pointer;color:var(--text2);font-size:.875rem;min-height:24px}
@media(max-width:620px){
header>*,main{padding-inline:16px}
section{padding:16px}
dl{display:block}
dt+dd{border:0;margin:0;padding:0}}
`;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", STYLE, "base64")}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%230a6761' stroke-width='2' stroke-linejoin='round'%3E%3Cpath d='M4 20V8l4-5h12v12l-4 5zM4 8h12m0 12V8l4-5'/%3E%3C/svg%3E";

/** `["a", "b", "c"]` → "a, b or c" */
function either(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}

/** What a parameter takes, by its kind. */
const TAKES: Readonly<Record<ParamKind, (param: Param) => string>> = {
  integer: ({ min = 0, max, clamp }) =>
    max !== undefined
      ? `whole number, ${min} to ${max}`
      : `whole number from ${min}${clamp === undefined ? "" : `; above ${clamp} it is read as ${clamp}`}`,
  slug: () => "slug: letters, digits, dots, dashes, underscores",
  flag: () => "1, true, yes or on; 0, false, no or off",
  choice: ({ values = [], textDefault }) =>
    either(textDefault === undefined ? values : [...values, textDefault]),
  price: () => "decimal with at most two places",
  text: () => `text of 1 to ${MAX_TEXT_LENGTH} characters, in any case, with or without accents`,
};

function parameter(endpoint: Endpoint, param: Param): Html {
  const required = endpoint.needs?.length === 1 && endpoint.needs[0] === param.name;
  const notes = [
    TAKES[param.kind](param),
    ...(required ? ["required"] : []),
    ...(param.default === undefined ? [] : [`default ${param.default}`]),
  ];
  return html`<dt>${param.name}<dd>${operationOf(endpoint).params[param.name] ?? ""}<dd>${notes.join("; ")}
`;
}

/** What this page reads of a record's schema. */
interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** `string`, `list of Faq`, `number or null`, `published, preorder or coming_soon`, `object: average, best, worst, count` */
function typeOf({ title, type, const: value, anyOf, items, properties }: Schema): string {
  if (title !== undefined) return title;
  if (anyOf !== undefined) return either(anyOf.map(typeOf));
  if (items !== undefined) return `list of ${typeOf(items)}`;
  if (properties !== undefined) return `object: ${Object.keys(properties).join(", ")}`;
  return value === undefined ? (type ?? "") : String(value);
}

function meaningOf({ description, anyOf = [] }: Schema): string {
  return description ?? anyOf.map(meaningOf).find((words) => words !== "") ?? "";
}

function fields(words: string, all: readonly Property[]): Html {
  const rows = all.map(
    ([name, schema]) => html`<dt>${name}<dd>${meaningOf(schema)} <i>${typeOf(schema)}</i>
`,
  );
  return html`<details><summary>${words}</summary><dl>
${rows}</dl></details>
`;
}

type Property = readonly [name: string, schema: Schema];

const propertiesOf = (schema: TSchema | null | undefined): Property[] =>
  Object.entries(((schema ?? {}) as Schema).properties ?? {});

/** The fields of an endpoint's records; those of a detail are only what it has beyond the list, here or at `/products`. */
function fieldsOf(endpoint: Endpoint, endpoints: readonly Endpoint[]): Html {
  const { list, one } = operationOf(endpoint);
  const ofSameRecord = (other: Endpoint) => {
    const { title } = (operationOf(other).list ?? {}) as Schema;
    return title !== undefined && `${title}Detail` === (one as Schema | undefined)?.title;
  };
  const lists = endpoints.find(ofSameRecord);
  const known = new Set(
    (lists === undefined ? [] : propertiesOf(operationOf(lists).list)).map(([name]) => name),
  );
  const more = propertiesOf(one).filter(([name]) => !known.has(name));
  const words =
    lists === undefined
      ? "Fields"
      : lists === endpoint
        ? "More fields of one record"
        : `Fields besides those of ${shownPath(lists)}`;
  return html`${list === undefined ? "" : fields("Fields of each record", propertiesOf(list))}${more.length === 0 ? "" : fields(words, more)}`;
}

function section(endpoint: Endpoint, endpoints: readonly Endpoint[], { baseUrl }: PublicConfig): Html {
  const { path, params, needs = [] } = endpoint;
  return html`<section id="${idOf(endpoint)}"><h2><code>${shownPath(endpoint)}</code></h2>
<p>${operationOf(endpoint).purpose}${needs.length > 1 ? ` Needs ${either(needs)}.` : ""}</p>
<p><a href="../explore/#/request?path=${path}"><code>GET ${baseUrl}${path === "" ? "" : `/${path}`}</code></a></p>
${
  params.length === 0
    ? ""
    : html`<h3>Parameters</h3><dl>
${params.map((param) => parameter(endpoint, param))}</dl>
`
}${fieldsOf(endpoint, endpoints)}</section>
`;
}

const shownPath = ({ path }: Endpoint) => `/${path}`;
const idOf = ({ path }: Endpoint) => path || "status";

function errors(): Html {
  const rows = Object.entries(ERROR_STATUS).map(
    ([code, status]) => html`<li>${status} <code>${code}</code></li>
`,
  );
  return html`<section id="errors"><h2>Errors</h2>
<p>An error is <code>{"success": false, "error": {"code": …, "message": …}}</code>. Codes are permanent; a message names
every wrong parameter.</p>
<ul>
${rows}</ul></section>
`;
}

/** The page for one shop. */
export function makeReference(config: PublicConfig): string {
  const endpoints = ENDPOINTS.filter((endpoint) => isEnabled({ config }, endpoint));
  const document = endpoints.some(({ path }) => path === "openapi.json");
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${new Html(POLICY)}">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>API reference</title>
<link rel="icon" href="${new Html(ICON)}">
<style>${new Html(STYLE)}</style>
</head>
<body>
<header><nav aria-label="Sections"><p><a href="../../explore">Explorer</a><a href="../explore/#/request">Requests</a>${
    document ? html`<a href="../api/v1/openapi.json">openapi.json</a>` : ""
  }</p></nav></header>
<main>
<h1>API reference</h1>
<p>The public catalog of <a href="${config.siteUrl}">${config.siteUrl}</a> as JSON: every address below answers <code>GET</code>,
from anywhere and without a key. A link shows its answer in the explorer.</p>
<nav aria-label="Endpoints"><ul class="toc">
${endpoints.map(
  (endpoint) => html`<li><a href="#${idOf(endpoint)}"><code>${shownPath(endpoint)}</code></a></li>
`,
)}<li><a href="#errors">Errors</a></li>
</ul></nav>
${endpoints.map((endpoint) => section(endpoint, endpoints, config))}${errors()}</main>
</body>
</html>
`;
  return page.text;
}
