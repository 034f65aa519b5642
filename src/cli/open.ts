/** `vitrine open`: the explorer of a snapshot, in the browser. */
import { spawn } from "node:child_process";
import type { Command } from "commander";
import { addListenOptions, addOutOptions } from "./inputs.ts";
import { addServeOptions, type ServeFlags, serveSnapshot } from "./serve.ts";

const EXAMPLES = `
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
    .addHelpText("after", EXAMPLES)
    .action((flags: ServeFlags) =>
      serveSnapshot(flags, (origin, log) => {
        const address = `${origin}${EXPLORER_PATH}`;
        log.info(`opening ${address}`);
        openInBrowser(address);
      }),
    );
}
