/** `vitrine init` on a terminal, as a person uses it. */
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { commandFile } from "./command.ts";
import { until } from "./until.ts";

export const ENTER = "\r";
export const DOWN = "\u001b[B";

/** When a text appears, these keys are pressed. */
export async function initOnTerminal(
  place: string,
  steps: readonly (readonly [text: string, keys: string])[],
  ...args: string[]
): Promise<{ readonly status: number | null; readonly said: string }> {
  mkdirSync(place, { recursive: true });
  const words = ["node", commandFile(), "init", ...args].map((word) => `'${word}'`).join(" ");
  const command = `stty cols 200 rows 50; ${words}`;
  const child = spawn("script", ["-qec", command, "/dev/null"], {
    cwd: place,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  let heard = "";
  child.stdout.on("data", (part: Buffer) => {
    heard += part.toString();
  });
  const said = () => stripVTControlCharacters(heard);
  try {
    for (const [text, keys] of steps) {
      await until(text, () => said().includes(text));
      child.stdin.write(keys);
    }
    return { status: await ended, said: said() };
  } finally {
    child.kill();
  }
}
