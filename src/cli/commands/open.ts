/** `vitrine open`: the explorer of a snapshot, in the browser. */
import { spawn } from "node:child_process";
import { commandOf } from "../options.ts";
import { EXPLORER, SERVE_FLAGS, serveSnapshot } from "./serve.ts";

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

export const addOpen = commandOf(
  {
    name: "open",
    does: "serve a snapshot and open its explorer in the browser",
    flags: SERVE_FLAGS,
    examples: ["vitrine open", "vitrine open --out public --port 9000", "BROWSER=firefox vitrine open"],
  },
  (flags) =>
    serveSnapshot(flags, (origin, log) => {
      const address = `${origin}/${EXPLORER}/`;
      log.info(`opening ${address}`);
      openInBrowser(address);
    }),
);
