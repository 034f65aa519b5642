/** `vitrine get` */
import { Argument } from "commander";
import { ENDPOINTS } from "../../api/endpoints.ts";
import { toTarget } from "../../api/target.ts";
import { VitrineError } from "../../base/error.ts";
import type { ApiResponse } from "../../serve/answer.ts";
import { findOutFolder, OUT_FLAGS } from "../inputs.ts";
import { commandOf, type Flags, flag } from "../options.ts";
import { escapeForTerminal, terminalLog } from "../terminal.ts";

const FLAGS = {
  ...OUT_FLAGS,
  fail: flag("exit with 4 if the answer is an error, and print no body"),
  json: flag("print status, headers, source, key and body as one JSON object"),
};

function isJson({ headers }: ApiResponse): boolean {
  return headers["Content-Type"]?.startsWith("application/json") === true;
}

/** JSON for people at a terminal. */
export function readableJson(text: string): string {
  return escapeForTerminal(JSON.stringify(JSON.parse(text), null, 2));
}

function print(answer: ApiResponse, flags: Flags<typeof FLAGS>): void {
  const { status, headers, source, key, body } = answer;
  if (flags.json === true) {
    const text = body.toString("utf8");
    const object = {
      status,
      headers,
      source,
      key,
      body: isJson(answer) ? (JSON.parse(text) as unknown) : text,
    };
    process.stdout.write(`${escapeForTerminal(JSON.stringify(object))}\n`);
    return;
  }
  process.stderr.write(`${status} ${source}${key === null || source !== "file" ? "" : ` ${key}`}\n`);
  if (flags.fail === true && status >= 400) return;
  const isRead = process.stdout.isTTY === true;
  process.stdout.write(isRead && isJson(answer) ? readableJson(body.toString("utf8")) : body);
  if (isRead) process.stdout.write("\n");
}

/** @throws VitrineError answer_is_error */
function failOnError({ status, body }: ApiResponse, suggestion: string | null): void {
  if (status < 400) return;
  const { error } = JSON.parse(body.toString("utf8")) as { error: { code: string; message: string } };
  const hint = suggestion === null ? undefined : `did you mean ${suggestion}?`;
  throw new VitrineError("answer_is_error", `${status} ${error.code}: ${error.message}`, { hint });
}

/** The endpoint that a mistyped one is nearest to, `/products`; null for one that exists or is like no other. */
async function nearestEndpoint(target: string): Promise<string | null> {
  const path = /^\/api\/v1\/([^?]+)/.exec(target)?.[1] ?? "";
  const known = ENDPOINTS.map((endpoint) => endpoint.path);
  if (path === "" || known.some((name) => name === path)) return null;
  const { nearestName } = await import("../../base/nearest.ts");
  const near = nearestName(path, known);
  return near === null ? null : `/${near}`;
}

export const addGet = commandOf(
  {
    name: "get",
    does: "answer one request, as the edge would",
    takes: [
      new Argument("<path>", "path with its query, like /products?page=2, or a whole address of the API"),
    ],
    flags: FLAGS,
    examples: [
      "vitrine get '/products?category=scripts'",
      "vitrine get 'https://shop.example/api/v1/products?category=scripts'",
      "vitrine get '/search?q=invoice' --json",
      "vitrine get --fail /store > store.json",
    ],
  },
  async (flags, path = "") => {
    const [{ openCatalog }, { answerAtEdge }, layout] = await Promise.all([
      import("../../catalog/catalog.ts"),
      import("../../serve/edge.ts"),
      findOutFolder(flags),
    ]);
    using catalog = openCatalog(layout.catalog);
    const target = toTarget(path, catalog.config.baseUrl);
    const answer = answerAtEdge(catalog, layout.site, target);
    print(answer, flags);
    const suggestion = answer.status === 404 ? await nearestEndpoint(target) : null;
    if (flags.fail === true) return failOnError(answer, suggestion);
    if (suggestion !== null) terminalLog(flags.json === true).info(`did you mean ${suggestion}?`);
  },
);
