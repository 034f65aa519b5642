/** `vitrine serve`, and `vitrine open`, which shows what it serves in the browser. */
import { spawn } from "node:child_process";
import type { Command } from "commander";
import type { PublicConfig } from "../api/config.ts";
import type { Log } from "../base/log.ts";
import { temporaryFolder } from "../base/temporary-folder.ts";
import type { ServerPorts } from "../serve/http.ts";
import { addListenOptions, addOutOptions, findOut, type OutFlags } from "./inputs.ts";
import { runServer } from "./server.ts";
import { terminalLog } from "./terminal.ts";

interface ServeFlags extends OutFlags {
  readonly host: string;
  readonly port: number;
  readonly maxConnections: number;
  readonly rateLimit: boolean;
  readonly trustProxy?: true;
  readonly media?: string;
}

const EXAMPLES = `
Examples:
  vitrine serve
  vitrine serve --out public --port 9000 --no-rate-limit
  curl -i 'http://127.0.0.1:8080/api/v1/products?category=scripts'`;

/** The address that a browser on this machine reaches a server by; one that listens on all has no name of its own. */
function originOf(url: string): string {
  return url.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:)/, "//localhost");
}

function movedNotice({ baseUrl, siteUrl }: PublicConfig, origin: string): string {
  return (
    `built for ${baseUrl}; here the status, /store, /widgets, /openapi.json and the widget's script name ${origin} ` +
    `instead. Links to the shop's pages at ${siteUrl} are left as they are.`
  );
}

/** Options of the commands that serve a snapshot. */
function addServeOptions(command: Command): Command {
  return command
    .option("--no-rate-limit", "do not limit requests")
    .option(
      "--trust-proxy",
      "count requests for the last X-Forwarded-For address: only behind a proxy of yours",
    )
    .option("--media <folder>", "serve the files of a folder at /media/: in place of the shop's own site");
}

/** Serves until a signal comes. `onListen` is told the address that a browser on this machine reaches it by. */
async function serveSnapshot(
  flags: ServeFlags,
  onListen: (origin: string, log: Log) => void = () => undefined,
): Promise<void> {
  const [
    { CatalogCopy },
    { fileSource },
    { LiveCatalog },
    { answerAtOwnAddress, isBuiltFor },
    { createHttpServer },
    { createRateLimiter },
  ] = await Promise.all([
    import("../serve/catalog-copy.ts"),
    import("../serve/catalog-source.ts"),
    import("../serve/live-catalog.ts"),
    import("../serve/own-address.ts"),
    import("../serve/http.ts"),
    import("../serve/limits.ts"),
  ]);
  const layout = await findOut(flags);
  const log = terminalLog(false);
  await using home = await temporaryFolder();
  await using copy = await CatalogCopy.open(fileSource(layout.catalog), home.path, { log });
  using catalog = await LiveCatalog.open(copy.whole.file, log);
  copy.follow(catalog);
  const place = { site: layout.site, media: flags.media };
  let origin = "";
  const ports: ServerPorts = {
    answer: (target) => answerAtOwnAddress(catalog.current, target, { ...place, origin }),
    config: () => catalog.current.config,
    limiter: flags.rateLimit ? createRateLimiter(() => catalog.current.config.rateLimit.requests) : null,
    trustProxy: flags.trustProxy === true,
    access: ({ method, target, status, source, milliseconds }) => {
      log.info(`${status} ${method} ${target} ${source} ${milliseconds.toFixed(1)} ms`);
    },
    failed: (error, target) =>
      log.info(`500 ${target}: ${error instanceof Error ? error.stack : String(error)}`),
  };
  await runServer(createHttpServer(ports, { connections: flags.maxConnections }), flags, log, async (url) => {
    origin = originOf(url);
    const { config } = catalog.current;
    if (!isBuiltFor(catalog.current, origin)) log.info(movedNotice(config, origin));
    if (config.pages) log.info(`explorer: ${origin}/explore/, reference: ${origin}/docs/`);
    onListen(origin, log);
    return null;
  });
}

export function addServe(program: Command): void {
  const command = program
    .command("serve")
    .description("serve a snapshot as the edge would: files first, the fallback on a miss");
  addServeOptions(addListenOptions(addOutOptions(command), 8080))
    .addHelpText("after", EXAMPLES)
    .action((flags: ServeFlags) => serveSnapshot(flags));
}

const OPEN_EXAMPLES = `
Examples:
  vitrine open
  vitrine open --out public --port 9000
  BROWSER=firefox vitrine open`;

/** Where the explorer stands in every snapshot. */
const EXPLORER_PATH = "/explore/";

/** The system's own command that opens an address. */
function openerOf(platform: NodeJS.Platform): readonly string[] {
  if (platform === "darwin") return ["open"];
  return platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
}

/** Opens an address. Where there is no browser, the address that is printed must do. */
function openInBrowser(address: string): void {
  const wanted = process.env["BROWSER"];
  const [command = "", ...args] =
    wanted === undefined || wanted === "" ? openerOf(process.platform) : [wanted];
  const child = spawn(command, [...args, address], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}

export function addOpen(program: Command): void {
  const command = program
    .command("open")
    .description("serve a snapshot and open its explorer in the browser");
  addServeOptions(addListenOptions(addOutOptions(command), 8080))
    .addHelpText("after", OPEN_EXAMPLES)
    .action((flags: ServeFlags) =>
      serveSnapshot(flags, (origin, log) => {
        const address = `${origin}${EXPLORER_PATH}`;
        log.info(`opening ${address}`);
        openInBrowser(address);
      }),
    );
}
