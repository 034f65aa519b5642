/** `vitrine get` */
import { Argument } from "commander";
import { toTarget } from "../../api/target.ts";
import { VitrineError } from "../../base/error.ts";
import type { ApiResponse } from "../../serve/answer.ts";
import { findOutFolder, OUT_FLAGS } from "../inputs.ts";
import { commandOf, type Flags, flag } from "../options.ts";
import { escapeForTerminal } from "../terminal.ts";

const FLAGS = {
  ...OUT_FLAGS,
  fail: flag("print no body of an error, and exit with 4"),
  json: flag("print status, headers, source, key and body as one JSON object"),
};

function isJson({ headers }: ApiResponse): boolean {
  return headers["Content-Type"]?.startsWith("application/json") === true;
}

/** JSON for a reader at a terminal. */
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
function failOnError({ status, body }: ApiResponse): void {
  if (status < 400) return;
  const { error } = JSON.parse(body.toString("utf8")) as { error: { code: string; message: string } };
  throw new VitrineError("answer_is_error", `${status} ${error.code}: ${error.message}`);
}

export const addGet = commandOf(
  {
    name: "get",
    does: "say what the edge would answer: the body on standard output, the rest on standard error",
    takes: [
      new Argument("<path>", "path below the base address or a whole address of the API, with its query"),
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
    const answer = answerAtEdge(catalog, layout.site, toTarget(path, catalog.config.baseUrl));
    print(answer, flags);
    if (flags.fail === true) failOnError(answer);
  },
);
