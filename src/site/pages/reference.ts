/**
 * The reference at /docs/: every endpoint that a shop offers, with its parameters, the fields of its records, and this shop's own
 * answer to a request beside programs that send it. It follows from the contract's tables, the configuration and the first
 * records of each kind, so a change of other records leaves it alone. `fields.ts` has the rows, `first-answers.ts` the
 * requests and answers, `programs.ts` the programs, `coloured.ts` their colours; the frame, its style and its script are
 * src/explore/reference.
 */
import {
  ENDPOINTS,
  type Endpoint,
  IGNORED_NAMES,
  IGNORED_PREFIXES,
  MAX_TARGET_BYTES,
  offers,
} from "../../api/endpoints.ts";
import { ApiError, Meta, operationOf, Pagination } from "../../api/envelope.ts";
import { type ApiErrorCode, ERROR_STATUS, RATE_LIMIT } from "../../api/errors.ts";
import { FAILURES } from "../../api/openapi.ts";
import { TAGS } from "../../api/operation.ts";
import { cacheControl, JSON_TYPE, successHeaders, unknownEndpointResponse } from "../../api/responses.ts";
import { type Html, html } from "../../base/html.ts";
import { isPrivateAddress } from "../../base/private-address.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { resourceOf } from "../../catalog/resources.ts";
import { hasAnswers } from "../../catalog/singles.ts";
import { hrefOf } from "../../explore/route.ts";
import { sampleOf } from "../../explore/samples.ts";
import { SECTIONS } from "../../explore/sections.ts";
import type { SiteInputs } from "../made-file.ts";
import { colouredJson, colouredProgram } from "./coloured.ts";
import {
  type Anchors,
  anchorsOf,
  either,
  fieldRows,
  idOf,
  type Property,
  parameterRow,
  propertiesOf,
} from "./fields.ts";
import { type Example, examplesOf, filteredRequest, type Request } from "./first-answers.ts";
import { LANGUAGES, programsOf } from "./programs.ts";

const shownPath = ({ path }: Endpoint) => `/${path}`;
const explorer = (path: string, query = {}) => `../explore/${hrefOf([path], query)}`;

/** Address of the shop's own site; "" where only one machine or network can open it, so that no link leads there. */
export function publicSite({ config: { siteUrl } }: Catalog): string {
  return isPrivateAddress(siteUrl) ? "" : siteUrl;
}

/** The explorer's header: the same places in the same order, and its search. */
function header(catalog: Catalog): Html {
  const shop = catalog.store.store_name;
  const offered = SECTIONS.filter(([path]) => hasAnswers(catalog, { path }));
  return html`<a class="btn skip" href="#start">Skip to the content</a>
<header class="head"><div class="wrap top">
<a class="brand" href="${explorer("home")}"><svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true"><path d="M4 20V8l4-5h12v12l-4 5zM4 8h12m0 12V8l4-5"/></svg><bdi>${shop}</bdi></a>
<button type="button" class="btn open" popovertarget="menu">Menu</button><div class="menu" id="menu" popover><nav class="main" aria-label="Sections">${offered.map(([path, words]) => html`<a href="${explorer(path)}">${words}</a>`)}<a href="${explorer("request")}">Requests</a><a href="./" aria-current="page">Reference</a></nav>
${hasAnswers(catalog, { path: "products" }) ? SEARCH : ""}</div><button type="button" class="btn icon theme" hidden><svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true"><circle cx="9" cy="9" r="7" fill="none" stroke="currentColor" stroke-width="1.6"/><path d="M9 2a7 7 0 0 1 0 14z" fill="currentColor"/></svg></button>
</div></header>
`;
}

/** Leads to the explorer, which reads the query: src/explore/early.ts. */
const SEARCH = html`<form class="find" role="search" aria-label="Search products" action="../explore/"><label class="field"><span class="vh">Search products</span><input type="search" name="search" placeholder="Search products" maxlength="200"></label></form>
`;

/** Endpoints by their tag, in the order of the tags. */
function groupsOf(
  endpoints: readonly Endpoint[],
): (readonly [name: string, endpoints: readonly Endpoint[]])[] {
  return TAGS.map(
    ({ name }) => [name, endpoints.filter((each) => operationOf(each).tag === name)] as const,
  ).filter(([, own]) => own.length > 0);
}

function contents(endpoints: readonly Endpoint[]): Html {
  const group = ([name, own]: readonly [string, readonly Endpoint[]]) =>
    html`<p>${name}</p>
${own.map(
  (each) => html`<a href="#${idOf(each)}">${operationOf(each).summary}</a>
`,
)}`;
  return html`<nav class="toc" aria-label="Contents">
<p>Basics</p>
<a href="#start">Introduction</a>
<a href="#requests">Requests</a>
<a href="#answers">Answers</a>
<a href="#errors">Errors</a>
${groupsOf(endpoints).map(group)}</nav>
`;
}

const COPY = html`<button type="button" class="action copy" hidden>Copy</button>`;

/** Something to copy, with a name above it. */
function panel(name: Html, text: Html): Html {
  return html`<div class="panel"><div class="bar"><p>${name}</p>${COPY}</div><pre>${text}</pre></div>
`;
}

/** The programs of a request, one of which is shown, and the way to the explorer. `name`: of its choice of a language. */
function programs(request: Request, name: string): Html {
  const { rest } = request;
  const texts = programsOf(request);
  const languages = LANGUAGES.map(
    ([language, words], at) =>
      html`<label><input type="radio" name="${name}" value="${language}"${at === 0 ? html` checked` : ""}>${words}</label>`,
  );
  return html`<div class="panel"><div class="bar"><fieldset class="languages"><legend class="vh">Language of the example: /${rest}</legend>${languages}</fieldset>${COPY}<a class="action" href="${explorer("request", { path: rest })}" aria-label="Try it: /${rest}">Try it</a></div>
${LANGUAGES.map(
  ([language]) => html`<pre class="program ${language}">${colouredProgram(texts[language])}</pre>
`,
)}</div>
`;
}

/** A request, and what the shop answers to it. */
function example({ answer, cuts, isEmpty, ...request }: Example, name: string): Html {
  const notes = cuts.length === 0 ? "" : `shortened: ${cuts.join("; ")}`;
  return html`${programs(request, name)}<div class="panel"><div class="bar"><p>Answer<span class="status">200 OK</span></p>${COPY}</div>
<pre class="answer" tabindex="0" role="region" aria-label="Answer of /${request.rest}">${colouredJson(answer)}</pre>
${isEmpty ? html`<p class="cut">// empty: this shop has none yet</p>` : notes === "" ? "" : html`<p class="cut">// ${notes}</p>`}
</div>
`;
}

/** The examples of a list follow from its records: those of a large one are remembered. */
function examples({ catalog, digests, known }: SiteInputs, endpoint: Endpoint): Html {
  const resource = resourceOf(endpoint.path);
  const compute = () => examplesOf(catalog, endpoint);
  const all =
    resource === undefined
      ? compute()
      : known.of(`examples of ${endpoint.path}`, digests.of(resource.name).whole, compute);
  const id = idOf(endpoint);
  if (all.length === 0)
    return html`<div class="panel"><p class="none">This shop has no products yet. The example appears with the first one.</p></div>
`;
  return html`${all.map((each, at) => example(each, `${id}-${at}`))}`;
}

/** The fields of an endpoint's records; those of one record are only what it has in addition to the list. */
function fieldsOf(endpoint: Endpoint, endpoints: readonly Endpoint[], anchors: Anchors): Html {
  const { list, one } = operationOf(endpoint);
  const id = idOf(endpoint);
  const titleOf = (schema: unknown) => ((schema ?? {}) as { title?: string }).title;
  const ofSameRecord = (other: Endpoint) => {
    const title = titleOf(operationOf(other).list);
    return title !== undefined && `${title}Detail` === titleOf(one);
  };
  const lists = endpoints.find(ofSameRecord);
  const known = new Set(
    (lists === undefined ? [] : propertiesOf(operationOf(lists).list)).map(([name]) => name),
  );
  const more = propertiesOf(one).filter(([name]) => !known.has(name));
  const rows = (title: Html, all: readonly Property[]) =>
    all.length === 0
      ? ""
      : html`<h3>${title}</h3>
<dl>${fieldRows(id, all, anchors)}</dl>
`;
  const title =
    lists === undefined
      ? html`Fields`
      : lists === endpoint
        ? html`More fields of one record`
        : html`Fields in addition to those of <a href="#${idOf(lists)}">${shownPath(lists)}</a>`;
  return html`${rows(html`Fields of each record`, propertiesOf(list))}${rows(title, more)}`;
}

function section(
  inputs: SiteInputs,
  endpoint: Endpoint,
  endpoints: readonly Endpoint[],
  anchors: Anchors,
): Html {
  const { params, needs = [] } = endpoint;
  const { summary, purpose } = operationOf(endpoint);
  const id = idOf(endpoint);
  const parameters =
    params.length === 0
      ? ""
      : html`<h3>Parameters</h3>
<dl>${params.map((param) => parameterRow(endpoint, param))}</dl>
`;
  return html`<section id="${id}"><div class="text">
<h2><a href="#${id}">${summary}</a></h2>
<p class="request"><b class="get">GET</b><code>${shownPath(endpoint)}</code></p>
<p>${purpose}${needs.length > 1 ? ` Needs ${either(needs)}.` : ""}</p>
${parameters}${fieldsOf(endpoint, endpoints, anchors)}</div>
<div class="examples">
${examples(inputs, endpoint)}</div></section>
`;
}

function introduction(catalog: Catalog, endpoints: readonly Endpoint[]): Html {
  const { config, store } = catalog;
  const name = html`<bdi>${store.store_name}</bdi>`;
  const site = publicSite(catalog);
  const hasDocument = endpoints.some(({ path }) => path === "openapi.json");
  return html`<section id="start"><div class="text">
<h1>API reference</h1>
<p class="lead">The public catalog of ${site === "" ? name : html`<a href="${site}">${name}</a>`} as JSON. Read it from any site or program, without a key.</p>
<p>Every path below follows the base address. The examples are this shop's own first answers, and the programs run as they are. <a href="${explorer("request")}">Try any request</a> in the explorer${
    hasDocument
      ? html`, or give <a href="../api/v1/openapi.json">openapi.json</a> to a generator of clients`
      : ""
  }.</p>
</div>
<div class="examples">
${panel(html`Base address`, html`${config.baseUrl}`)}</div></section>
`;
}

/** `["a", "b"]`, "or" → `<code>a</code> or <code>b</code>` */
function codes(words: readonly string[], last: string): Html[] {
  const between = (at: number) => (at === 0 ? "" : at === words.length - 1 ? ` ${last} ` : ", ");
  return words.map((word, at) => html`${between(at)}<code>${word}</code>`);
}

function requests(catalog: Catalog, endpoints: readonly Endpoint[]): Html {
  const { config } = catalog;
  const products = endpoints.find(({ path }) => path === "products");
  const filtered = products === undefined ? null : filteredRequest(catalog, products);
  return html`<section id="requests"><div class="text">
<h2><a href="#requests">Requests</a></h2>
<p>Send <code>GET</code> or <code>HEAD</code>. Parameters are part of the query. An empty one counts as left out; one that is unknown, wrong or given twice is an error, so that no filter is dropped in silence. Names that begin with ${codes(IGNORED_PREFIXES, "or")} are ignored, and so are ${codes(IGNORED_NAMES, "and")}.</p>
<p>A slug begins with a letter or a digit; letters, digits, dots, dashes and underscores follow. Several filters are combined: a record has to fit all of them. An address may have ${MAX_TARGET_BYTES.toLocaleString("en")} bytes.</p>
<p>One client address may ask ${config.rateLimit.requests} times in ${RATE_LIMIT.windowSeconds} seconds. After that the answer is 429, and <code>Retry-After</code> says for how many seconds to wait.</p>
<p>Most answers are files. A text to search for, a bound of prices and rare combinations of filters need the shop's server; a host of files alone answers 404.</p>
</div>
<div class="examples">
${filtered === null ? "" : programs(filtered, "requests")}</div></section>
`;
}

function answers({ config }: Catalog): Html {
  const envelope: Property[] = [
    ["success", { type: "boolean", description: "True; false in an error." }],
    ["data", { type: "object or list", description: "One record, or a list of records." }],
    ["pagination", { ...(Pagination as object), description: "Only in lists that have pages." }],
    ["meta", { ...(Meta as object), description: "Facts about the answer itself." }],
  ];
  // Buckets can't send the one for CDNs.
  const { "CDN-Cache-Control": _, ...headers } = successHeaders(
    JSON_TYPE,
    cacheControl(config.cache).answer,
    'W/"1f0a6c52d9b04e7d8c31b5a7e9f04c26"',
  );
  const lines = Object.entries(headers).map(
    ([name, value]) => html`<span class="i0"><span class="k">${name}</span>: ${value}
</span>`,
  );
  return html`<section id="answers"><div class="text">
<h2><a href="#answers">Answers</a></h2>
<p>Every answer is JSON in UTF-8 and can be read by pages of any site. Fields that end in <code>_html</code> are sanitised HTML; all other texts are plain: show them as text. Times of records are UTC, <code>YYYY-MM-DD HH:MM:SS</code>.</p>
<p>Send the <code>ETag</code> of an answer back as <code>If-None-Match</code>: as long as the content is the same, you get a 304 without a body.</p>
<h3>Fields of each answer</h3>
<dl>${fieldRows("answers", envelope, new Map())}</dl>
</div>
<div class="examples">
${panel(html`Headers<span class="status">200 OK</span>`, html`${lines}`)}</div></section>
`;
}

/** The OpenAPI document has one text for a status, and none for unknown endpoints and other methods. */
const MEANINGS: Readonly<Partial<Record<ApiErrorCode, string>>> = {
  invalid_parameter:
    "A parameter is unknown, repeated or malformed. The message names every wrong parameter.",
  missing_parameter: "A parameter that the endpoint needs is missing.",
  unknown_endpoint: "The endpoint does not exist, or this shop does not offer it.",
  method_not_allowed: "The method is not GET, HEAD or OPTIONS.",
};

function errors({ config }: Catalog): Html {
  const rows = Object.entries(ERROR_STATUS).map(([code, status]) => {
    const meaning =
      MEANINGS[code as ApiErrorCode] ??
      FAILURES.find(({ codes }) => codes.some((each) => each === code))?.meaning;
    return html`<div class="row" id="errors.${code}"><dt><a href="#errors.${code}" tabindex="-1">${code}</a> <span>${status}</span></dt><dd>${meaning ?? ""}</dd></div>
`;
  });
  const { status, body } = unknownEndpointResponse(config.baseUrl, "");
  return html`<section id="errors"><div class="text">
<h2><a href="#errors">Errors</a></h2>
<p>An error has a code for programs, which never changes, and a message for people, which may change. The message names every problem of the request.</p>
<h3>Fields of an error</h3>
<dl>${fieldRows(
    "errors",
    propertiesOf(ApiError).filter(([name]) => name === "error"),
    new Map(),
  )}</dl>
<h3>Codes</h3>
<dl>${rows}</dl>
</div>
<div class="examples">
${panel(html`curl`, colouredProgram(sampleOf("curl", `${config.baseUrl}/no-such-endpoint`)))}${panel(
  html`Answer<span class="status bad">${status} Not Found</span>`,
  colouredJson(JSON.parse(body)),
)}</div></section>
`;
}

/** The body of the page for one shop. */
export function referenceBody(inputs: SiteInputs): Html {
  const { catalog } = inputs;
  const { store } = catalog;
  const endpoints = ENDPOINTS.filter(({ path }) => offers(catalog.config, path));
  const anchors = anchorsOf(endpoints);
  const sections = groupsOf(endpoints).flatMap(([, own]) =>
    own.map((endpoint) => section(inputs, endpoint, endpoints, anchors)),
  );
  return html`${header(catalog)}<div class="wrap ref">
${contents(endpoints)}<main>
${introduction(catalog, endpoints)}${requests(catalog, endpoints)}${answers(catalog)}${errors(catalog)}${sections}</main>
</div>
<footer class="wrap"><p>Everything here is public and read-only: plain JSON, made by Vitrine.${
    publicSite(catalog) === "" || store.public_url === ""
      ? ""
      : html` <a href="${store.public_url}" rel="noopener noreferrer">To the store</a>`
  }</p><p class="vh" role="status"></p></footer>
`;
}
