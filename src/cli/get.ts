/** `vitrine get` */
import type { Command } from "commander";
import { API_PATH } from "../contract/endpoints.ts";
import { outLayout } from "./inputs.ts";

const EXAMPLES = `
Examples:
  vitrine get '/products?category=scripts'
  vitrine get '/search?q=invoice' --json`;

/** A path as people write it → a request target: below the base address, and raw letters as UTF-8 bytes. */
function toTarget(path: string): string {
  const slashed = path.startsWith("/") ? path : `/${path}`;
  const below = slashed === API_PATH || slashed.startsWith(`${API_PATH}/`) || slashed.startsWith("/widgets/");
  const target = below ? slashed : slashed === "/" ? API_PATH : API_PATH + slashed;
  return Buffer.from(target, "utf8").toString("latin1");
}

export function addGet(program: Command): void {
  program
    .command("get")
    .description("say what the edge would answer: the body on standard output, the rest on standard error")
    .argument("<path>", "path below the base address, with its query")
    .option("--out <folder>", "where the snapshot stands (default: out)")
    .option("--json", "print status, headers, source, key and body as one JSON object")
    .addHelpText("after", EXAMPLES)
    .action(async (path: string, flags: { out?: string; json?: true }) => {
      const { openCatalog } = await import("../catalog/catalog.ts");
      const { answerAtEdge } = await import("../serve/edge.ts");
      const layout = outLayout(flags.out);
      const catalog = openCatalog(layout.catalog);
      const { status, headers, source, key, body } = answerAtEdge(catalog, layout.site, toTarget(path));
      catalog.close();
      if (flags.json === true) {
        const isJson = headers["Content-Type"]?.startsWith("application/json");
        const text = body.toString("utf8");
        const object = { status, headers, source, key, body: isJson ? (JSON.parse(text) as unknown) : text };
        process.stdout.write(`${JSON.stringify(object)}\n`);
        return;
      }
      process.stderr.write(`${status} ${source}${key === null ? "" : ` ${key}`}\n`);
      process.stdout.write(body);
      if (process.stdout.isTTY) process.stdout.write("\n");
    });
}
