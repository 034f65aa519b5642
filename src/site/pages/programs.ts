/** A request as programs that run as they are: each sends it and prints two fields of the answer. Pure. */
import type { EndpointPath } from "../../api/endpoints.ts";
import { operationOf } from "../../api/envelope.ts";
import { sampleOf } from "../../explore/samples.ts";
import type { Request } from "./first-answers.ts";

/** Languages of the examples: a name for the page's styles, and one for people. */
export const LANGUAGES = [
  ["curl", "curl"],
  ["js", "JavaScript"],
  ["php", "PHP"],
  ["py", "Python"],
] as const;
export type Language = (typeof LANGUAGES)[number][0];

/** Fields that the programs print. */
const PRINTED: Readonly<Record<EndpointPath, readonly string[]>> = {
  "": ["name", "status"],
  store: ["store_name", "currency"],
  products: ["title", "price"],
  product: ["title", "price"],
  categories: ["name", "product_count"],
  faqs: ["type", "question"],
  reviews: ["rating", "title"],
  releases: ["product_title", "version"],
  blog: ["published_at", "title"],
  forum: ["title", "url"],
  search: ["type", "title"],
  widgets: ["key", "name"],
  "openapi.json": ["openapi"],
};

/** The programs of a request by language, without an end of line. */
export function programsOf({ endpoint, url, isOne }: Request): Readonly<Record<Language, string>> {
  const fields = PRINTED[endpoint.path as EndpointPath];
  const { list, one } = operationOf(endpoint);
  // The OpenAPI document is an answer without an envelope.
  const isBare = list === undefined && one === undefined;
  const isList = list !== undefined && !isOne;
  const joined = (write: (field: string) => string, between = ", ") => fields.map(write).join(between);

  const jsRecord = isList ? "record" : isBare ? "answer" : "answer.data";
  const jsPrint = `console.log(${joined((field) => `${jsRecord}.${field}`)});`;
  const js = [
    `const response = await fetch("${url}");`,
    "const answer = await response.json();",
    ...(isBare ? [] : ["if (!answer.success) throw new Error(answer.error.message);"]),
    ...(isList ? ["for (const record of answer.data) {", `  ${jsPrint}`, "}"] : [jsPrint]),
  ];

  const record = isList ? "record" : "answer";
  const inside = isList || isBare ? "" : "data";
  const phpInside = inside === "" ? "" : "['data']";
  const phpPrint = `echo ${joined((field) => `$${record}${phpInside}['${field}']`, ", ' ', ")}, "\\n";`;
  const php = [
    "<?php",
    `$answer = json_decode(file_get_contents('${url}'), true);`,
    ...(isList ? ["foreach ($answer['data'] as $record) {", `    ${phpPrint}`, "}"] : [phpPrint]),
  ];

  const pyInside = inside === "" ? "" : '["data"]';
  const pyPrint = `print(${joined((field) => `${record}${pyInside}["${field}"]`)})`;
  const py = [
    "import json",
    "from urllib.request import urlopen",
    "",
    `with urlopen("${url}") as response:`,
    "    answer = json.load(response)",
    ...(isList ? ['for record in answer["data"]:', `    ${pyPrint}`] : [pyPrint]),
  ];

  return { curl: sampleOf("curl", url), js: js.join("\n"), php: php.join("\n"), py: py.join("\n") };
}
