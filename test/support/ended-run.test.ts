import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "./shop.ts";
import { until } from "./until.ts";

const MODULE = new URL("server-of-run.ts", import.meta.url).href;

it.each(["SIGTERM", "SIGKILL"] as const)(
  "a run that %s ends leaves no server and no folder",
  async (signal) => {
    const temporary = temporaryFolder();
    const script = `const { clearAfterDeath } = await import(${JSON.stringify(MODULE)});
    clearAfterDeath(); console.log("ready"); setInterval(() => {}, 1000);`;
    const env = { ...process.env, TMPDIR: temporary };
    const run = spawn(process.execPath, ["--input-type=module", "-e", script], { env });
    await once(run.stdout, "data");
    const folder = join(temporary, `vitrine-run-${run.pid}`);
    mkdirSync(join(folder, "server-idle"), { recursive: true });
    const server = spawn("sleep", ["600"], { stdio: "ignore" });
    writeFileSync(join(folder, "server-idle", "pid"), String(server.pid));
    onTestFinished(() => void server.kill());
    const ended = once(server, "exit");
    run.kill(signal);
    expect(await ended).toEqual([null, "SIGQUIT"]);
    await until("its folder is deleted", () => !existsSync(folder));
  },
);
