/** The web servers that `vitrine edge` writes configurations for, as far as they are installed here. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemCodeOf } from "../base/error.ts";
import { type Found, ok, warning } from "./finding.ts";

/** Where the configurations look for nginx's modules: Debian's folder. */
const MODULES = "/usr/lib/nginx/modules";
const LEAST_HAPROXY = "2.6";
const ANSWER_MILLISECONDS = 10_000;

/** What the generated files use of what nginx may be built without. */
const NGINX_PARTS = ["http_ssl", "http_v2", "http_realip", "http_gzip_static"];

/** All that a program says of itself; null where it is not installed. */
function ask(program: string, argument: string): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(program, [argument], { timeout: ANSWER_MILLISECONDS }, (error, stdout, stderr) =>
      resolve(systemCodeOf(error) === "ENOENT" ? null : `${stdout}${stderr}`),
    );
  });
}

function judgeNginx(said: string, modules: string): Found[] {
  const version = /nginx\/([\w.]+)/.exec(said)?.[1] ?? "of an unknown version";
  const isThere = (name: string) => existsSync(join(modules, `ngx_http_${name}_module.so`));
  if (!isThere("js"))
    return [
      warning(
        `nginx ${version} has no njs in ${modules}: what vitrine edge nginx writes does not start here`,
        "apt-get install libnginx-mod-http-js, or correct the path in the nginx.conf that is written.",
      ),
    ];
  const lacking = NGINX_PARTS.filter((part) => !said.includes(`--with-${part}_module`));
  if (lacking.length > 0)
    return [
      warning(
        `nginx ${version} was built without ${lacking.join(", ")}, which the written files may use`,
        "Take the nginx of a distribution: Debian's has all of them.",
      ),
    ];
  const brotli = isThere("brotli_filter") && isThere("brotli_static");
  return [
    ok(`nginx ${version} with njs, ${brotli ? "and with brotli" : "without brotli: leave --brotli out"}`),
  ];
}

function judgeHaproxy(said: string): Found[] {
  const version = /version (\d+\.\d+[\w.]*)/i.exec(said)?.[1] ?? "0";
  if (version.localeCompare(LEAST_HAPROXY, "en", { numeric: true }) < 0)
    return [
      warning(`HAProxy ${version} is too old for vitrine edge haproxy`, `Take ${LEAST_HAPROXY} or newer.`),
    ];
  if (!/Built with Lua version/i.test(said))
    return [warning(`HAProxy ${version} was built without Lua`, "Take one with Lua: Debian's is.")];
  return [ok(`HAProxy ${version} with Lua`)];
}

export async function checkEdges(modules = MODULES): Promise<Found[]> {
  const [nginx, haproxy] = await Promise.all([ask("nginx", "-V"), ask("haproxy", "-vv")]);
  const found = [
    ...(nginx === null ? [] : judgeNginx(nginx, modules)),
    ...(haproxy === null ? [] : judgeHaproxy(haproxy)),
  ];
  return found.length > 0 ? found : [ok("Neither nginx nor HAProxy is installed here")];
}
