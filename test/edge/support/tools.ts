/** The real tools that edges are tested with, and the message if one is missing. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";

const INSTALL =
  "apt-get install -y --no-install-recommends nginx libnginx-mod-http-js njs wrk curl prometheus systemd " +
  "libnginx-mod-http-brotli-filter libnginx-mod-http-brotli-static";
const NJS_MODULE = "/usr/lib/nginx/modules/ngx_http_js_module.so";

const BROTLI_MODULE = "/usr/lib/nginx/modules/ngx_http_brotli_static_module.so";

export type Tool =
  | "nginx"
  | "njs"
  | "wrk"
  | "promtool"
  | "prometheus"
  | "systemd-analyze"
  | "unshare"
  | "curl"
  | "brotli";

function isInstalled(tool: Tool): boolean {
  if (tool === "brotli") return existsSync(BROTLI_MODULE);
  try {
    execFileSync("sh", ["-c", `command -v ${tool}`], { stdio: "ignore" });
    return tool !== "nginx" || existsSync(NJS_MODULE);
  } catch {
    return false;
  }
}

export function areInstalled(tools: readonly Tool[]): boolean {
  return tools.every(isInstalled);
}

/** A group of tests that needs tools. If they are missing, it is skipped with a message; in CI, where they must exist, it fails. */
export function describeWith(tools: readonly Tool[], name: string, tests: () => void): void {
  const missing = tools.filter((tool) => !isInstalled(tool));
  if (missing.length === 0) {
    describe(name, tests);
    return;
  }
  const message = `not run, ${missing.join(" and ")} missing: ${INSTALL}`;
  describe(name, () => {
    if (process.env["CI"] === "true") it(message, () => expect.fail(message));
    else it.skip(message, () => {});
  });
}
