/** `vitrine demo` */
import { basename, join, relative } from "node:path";
import { Argument } from "commander";
import { byDefault, commandOf, flag, whole } from "../options.ts";
import { printSummary } from "../terminal.ts";
import { buildAndReport } from "./build.ts";
import { checkSnapshot } from "./check.ts";
import { serve } from "./serve.ts";

const FOLDER = "vitrine-demo";
const FLAGS = {
  port: byDefault(whole("<number>", "port to listen on, at 127.0.0.1", 1, 65_535), 8080),
  open: flag("open the explorer in the browser"),
};

/** A path as one word of a shell's line. */
const shown = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;

/** How each program that installs packages runs a command of one; it names itself in `npm_config_user_agent`: `pnpm/12.21.0 npm/? …` */
const RUNNERS: Readonly<Record<string, string>> = {
  npm: "npx vitrine",
  pnpm: "pnpm exec vitrine",
  yarn: "yarn vitrine",
  bun: "bunx vitrine",
};

/**
 * How to call this command again.
 * @param file that of the command: in a clone, or in `node_modules`, where a shim of pnpm or Windows names it, too, and npm's link does not
 * @param agent `npm_config_user_agent`; none if the command was called by its name alone
 */
export function programOf(file: string, agent: string | undefined): string {
  const isInstalled = basename(file) === "vitrine" || /[\\/]node_modules[\\/]/.test(file);
  // In a clone npx finds the Node that npm ci brought, if it did; the system's may be too old.
  if (!isInstalled) return `npx node ${shown(relative(".", file))}`;
  return RUNNERS[agent?.split("/")[0] ?? ""] ?? "vitrine";
}

const program = () => programOf(process.argv[1] ?? "", process.env["npm_config_user_agent"]);

/** Suggests what to do once the shop is served. */
function guide(folder: string, origin: string): string[] {
  const at = (name: string) => shown(join(folder, name));
  return [
    "",
    "Northlight Digital, an invented studio for scripts and templates, is open. Click:",
    `  ${origin}/explore/                         the shop: search, categories, reviews, forum`,
    `  ${origin}/explore/#/product/invoice-kit    a product, and the requests behind its page`,
    `  ${origin}/docs/                            the reference of the API`,
    `  ${origin}/feeds/google.xml                 its products for Google`,
    "Ask in another terminal. The second request has a typing error, which the search corrects:",
    `  curl '${origin}/api/v1/reviews?product_slug=invoice-kit'`,
    `  curl '${origin}/api/v1/search?q=invoce'`,
    "Change a price and build again, while this server is running:",
    `  sqlite3 ${at("store.sqlite")} "UPDATE products SET regular_price_minor = 4200 WHERE slug = 'invoice-kit'"`,
    `  ${program()} build --config ${at("vitrine.config.json")}`,
    "Look for something private. The database has customers and orders; the second command finds none of them:",
    `  sqlite3 ${at("store.sqlite")} "SELECT name, email FROM customers LIMIT 5"`,
    `  grep -rl '@mail.example' ${at("out")}`,
    `Ctrl-C ends the server. Delete the folder ${shown(folder)} when you are done.`,
    "",
  ];
}

export const addDemo = commandOf(
  {
    name: "demo",
    does: "copy an example shop, build, check and serve it",
    takes: [new Argument("[folder]", "where the shop's copy is").default(FOLDER)],
    flags: FLAGS,
    examples: ["vitrine demo", "vitrine demo --open", "vitrine demo shop-to-play-with --port 9000"],
  },
  async ({ port, open }, folder = FOLDER) => {
    const { prepareDemo } = await import("../../setup/demo.ts");
    const { config, media, out, again } = prepareDemo(folder, port);
    const say = (...lines: string[]) => printSummary(false, {}, lines);
    if (again.length > 0) say(`Copied again, because it was deleted or damaged: ${again.join(", ")}.`);
    say(`$ ${program()} build --config ${shown(config)}`);
    await buildAndReport({ config });
    say("", `$ ${program()} check --out ${shown(out)}`);
    await checkSnapshot({ out, config, json: undefined });
    say(
      "",
      `$ ${program()} serve --out ${shown(out)} --media ${shown(media)} --port ${port} --no-rate-limit`,
    );
    const server = { out, config, media, port, open, host: "127.0.0.1", maxConnections: 1024 };
    await serve({ ...server, rateLimit: false, trustProxy: undefined }, (origin) =>
      say(...guide(folder, origin)),
    );
  },
);
