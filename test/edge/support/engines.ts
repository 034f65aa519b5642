/** The key function in every engine: raw targets in, keys out (null: no file can answer). */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { targetKey } from "../../../src/key/key.ts";
import { startNginx } from "./servers.ts";
import { sendMany } from "./wire.ts";

export interface Engine {
  keys(targets: readonly string[]): Promise<(string | null)[]>;
  stop(): Promise<void>;
}

const nothing = () => Promise.resolve();

export const node: Engine = {
  keys: (targets) => Promise.resolve(targets.map((target) => targetKey(target))),
  stop: nothing,
};

/** Runs a script with the njs command line; it calls `answer` once. */
function runNjs(folder: string, script: string, targets: readonly string[]): unknown {
  writeFileSync(join(folder, "targets.json"), JSON.stringify(targets));
  writeFileSync(join(folder, "run.js"), script);
  const flags = ["-p", resolve("templates/edge/nginx"), join(folder, "run.js")];
  execFileSync("njs", flags, { cwd: folder });
  return JSON.parse(readFileSync(join(folder, "answer.json"), "utf8"));
}

/** Not with console.log, which breaks long lines. */
const READ_TARGETS = `const fs = require("fs");
const targets = JSON.parse(fs.readFileSync("targets.json"));
function answer(value) { fs.writeFileSync("answer.json", JSON.stringify(value)); }\n`;

function fileToKey(file: string): string | null {
  return file === "/none" ? null : file.slice(1);
}

/** nginx's bundle on the njs command line. */
export function njs(folder: string): Engine {
  const script = `import vitrine from "vitrine-key.js";
${READ_TARGETS}answer(targets.map((target) => vitrine.file({ variables: { request_uri: target } })));\n`;
  return {
    keys: (targets) => Promise.resolve((runNjs(folder, script, targets) as string[]).map(fileToKey)),
    stop: nothing,
  };
}

/** What CloudFront's function made of a request; without a path, the function answered itself. */
export interface Rewritten {
  readonly uri?: string;
  readonly querystring: object;
  readonly headers: Readonly<Record<string, { readonly value: string }>>;
}

/** CloudFront's function on the njs command line, with its own event objects; returns its results. */
export function runCloudFront<Returned = Rewritten>(
  folder: string,
  functionCode: string,
  targets: readonly string[],
  method = "GET",
): Returned[] {
  const script = `${functionCode}
${READ_TARGETS}function run(target) {
  const mark = target.indexOf("?");
  const request = { method: ${JSON.stringify(method)}, uri: mark < 0 ? target : target.slice(0, mark), querystring: { a: { value: "b" } }, headers: {} };
  request.rawQueryString = () => (mark < 0 ? undefined : target.slice(mark + 1));
  return handler({ version: "1.0", context: { eventType: "viewer-request" }, viewer: { ip: "192.0.2.1" }, request: request });
}
answer(targets.map(run));\n`;
  return runNjs(folder, script, targets) as Returned[];
}

export function cloudFront(folder: string, functionCode: string): Engine {
  return {
    keys: (targets) =>
      Promise.resolve(
        runCloudFront(folder, functionCode, targets).map(({ uri }) =>
          uri === undefined || uri.startsWith("/fallback") ? null : uri.slice(1),
        ),
      ),
    stop: nothing,
  };
}

/** A server beside the real one that returns what the same function gave. */
const PROBE = (port: number) => `
server {
    listen 127.0.0.1:${port};
    merge_slashes off;
    large_client_header_buffers 4 16k;
    default_type text/plain;
    return 200 $vitrine_key;
}
`;

/** A running nginx with the configuration that users get. */
export async function nginx(folder: string, port: number): Promise<Engine> {
  const change = (name: string, text: string) => (name === "vitrine.conf" ? text + PROBE(port) : text);
  const running = await startNginx({ folder, site: folder, fallbackPort: 9, change });
  return {
    keys: async (targets) => {
      const replies = await sendMany(
        { port },
        targets.map((target) => ({ target })),
      );
      // 400: nginx itself refuses the path (an escape unknown to RFC 3986, a NUL, a path above the root).
      return replies.map(({ status, body }) => (status === 200 ? fileToKey(body) : null));
    },
    stop: running.stop,
  };
}

/** The key function as bundled for Workers, in workerd. */
export async function workerd(): Promise<Engine> {
  const contents = `import { targetKey } from "./src/key/key.ts";
export default { fetch: async (request) => Response.json((await request.json()).map((target) => targetKey(target))) };`;
  const built = await build({
    stdin: { contents, resolveDir: resolve(".") },
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
  });
  const miniflare = new Miniflare({ modules: true, script: built.outputFiles[0]?.text ?? "", cf: false });
  return {
    keys: async (targets) => {
      const reply = await miniflare.dispatchFetch("http://probe/", {
        method: "POST",
        body: JSON.stringify(targets),
      });
      return (await reply.json()) as (string | null)[];
    },
    stop: () => miniflare.dispose(),
  };
}
