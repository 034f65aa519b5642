/** `vitrine serve` */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { PublicConfig } from "../../api/config.ts";
import { PAGE_FOLDERS } from "../../api/endpoints.ts";
import type { ServerPorts } from "../../serve/http.ts";
import { findOutFolder, listenFlags, OUT_FLAGS } from "../inputs.ts";
import { commandOf, type Flags, flag, negated, rare, text } from "../options.ts";
import { runServer } from "../server.ts";
import { terminalLog } from "../terminal.ts";

/** The address for a browser on this machine: a server that listens on all addresses is reached as localhost. */
function urlOrigin(url: string): string {
  return url.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:)/, "//localhost");
}

function movedNotice({ baseUrl, siteUrl }: PublicConfig, origin: string): string {
  return (
    `built for ${baseUrl}; here the status, /store, /widgets, /openapi.json and the widget's script use ${origin} ` +
    `instead. Links to the shop's pages still lead to ${siteUrl}.`
  );
}

const [EXPLORER = "", REFERENCE = ""] = PAGE_FOLDERS;

const FLAGS = {
  ...OUT_FLAGS,
  ...listenFlags(8080),
  open: flag("open the explorer in the browser"),
  rateLimit: negated("do not limit requests"),
  media: text("<folder>", "also serve a folder at /media/, for pictures that the shop's site would serve"),
  trustProxy: rare(flag("count requests by the last X-Forwarded-For address: only behind your own proxy")),
};

/** The system's command that opens an address. */
function openerOf(platform: NodeJS.Platform): readonly string[] {
  if (platform === "darwin") return ["open"];
  return platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
}

/** Opens an address. Without a browser, people have the printed address. */
function openInBrowser(address: string): void {
  const wanted = process.env["BROWSER"];
  const [command = "", ...args] =
    wanted === undefined || wanted === "" ? openerOf(process.platform) : [wanted];
  const child = spawn(command, [...args, address], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}

/** Serves until a signal comes. `onServing` is called with the address that a browser reaches it by. */
export async function serve(
  flags: Flags<typeof FLAGS>,
  onServing: (origin: string) => void = () => undefined,
): Promise<void> {
  const [
    { temporaryFolder },
    { CatalogCopy },
    { fileSource },
    { LiveCatalog },
    { answerAtOwnAddress, isBuiltFor },
    { createHttpServer },
    { createProxyNotice, createRateLimiter },
  ] = await Promise.all([
    import("../../base/temporary-folder.ts"),
    import("../../serve/catalog-copy.ts"),
    import("../../serve/catalog-source.ts"),
    import("../../serve/live-catalog.ts"),
    import("../../serve/own-address.ts"),
    import("../../serve/http.ts"),
    import("../../serve/limits.ts"),
  ]);
  const layout = await findOutFolder(flags);
  const log = terminalLog(false);
  await using home = await temporaryFolder();
  await using copy = await CatalogCopy.open(fileSource(layout.catalog), home.path, { log });
  using catalog = await LiveCatalog.open(copy.file, log);
  copy.follow(catalog);
  const place = { site: layout.site, media: flags.media };
  let origin = "";
  const ports: ServerPorts = {
    answer: (target) => answerAtOwnAddress(catalog.current, target, { ...place, origin }),
    config: () => catalog.current.config,
    limiter: flags.rateLimit ? createRateLimiter(() => catalog.current.config.rateLimit.requests) : null,
    trustProxy: flags.trustProxy === true,
    limited: createProxyNotice(log.warn, flags.trustProxy === true),
    access: ({ method, target, status, source, milliseconds }) => {
      log.info(`${status} ${method} ${target} ${source} ${milliseconds.toFixed(1)} ms`);
    },
    failed: (error, target) =>
      log.warn(`500 ${target}: ${error instanceof Error ? error.stack : String(error)}`),
  };
  await runServer(createHttpServer(ports, { connections: flags.maxConnections }), flags, log, async (url) => {
    origin = urlOrigin(url);
    const { config } = catalog.current;
    if (!isBuiltFor(catalog.current, origin)) log.info(movedNotice(config, origin));
    if (config.pages && existsSync(join(layout.site, EXPLORER)))
      log.info(`explorer: ${origin}/${EXPLORER}/, reference: ${origin}/${REFERENCE}/`);
    if (flags.open === true) {
      const address = `${origin}/${EXPLORER}/`;
      log.info(`opening ${address}`);
      openInBrowser(address);
    }
    onServing(origin);
    return null;
  });
}

export const addServe = commandOf(
  {
    name: "serve",
    does: "serve the snapshot on this machine, as an edge would",
    flags: FLAGS,
    examples: [
      "vitrine serve",
      "vitrine serve --open",
      "vitrine serve --out public --port 9000 --no-rate-limit",
      "curl -i 'http://127.0.0.1:8080/api/v1/products?category=scripts'",
    ],
  },
  (flags) => serve(flags),
);
