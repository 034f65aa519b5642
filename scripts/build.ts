/** `npm run build`: makes `dist`, with its four parts at once. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { buildDist } from "./build-dist.ts";
import { buildObject } from "./build-object.ts";
import { buildPages } from "./build-pages.ts";

/** The declarations of what is public. */
async function buildTypes(): Promise<void> {
  const compiler = spawn("tsc -p tsconfig.build.json", { shell: true, stdio: "inherit" });
  const [code] = await once(compiler, "exit");
  if (code !== 0) throw new Error(`tsc ended with ${code}`);
}

rmSync("dist", { recursive: true, force: true });
await Promise.all([buildTypes(), buildDist("dist"), buildPages("dist/public"), buildObject()]);
