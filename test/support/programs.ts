/** Runs programs that documents show, unchanged. */
import { spawn, spawnSync } from "node:child_process";

type Command = readonly [command: string, ...args: string[]];

/** The command that runs a program of each language from standard input. */
export const RUNNERS = {
  sh: ["sh", "-e"],
  js: ["node", "--input-type=module"],
  python: ["python3", "-"],
  php: ["php"],
} as const satisfies Record<string, Command>;

/** Standard output and error of a program, after its exit code if that is not 0. */
export function runProgram([command, ...args]: Command, program: string, folder: string): Promise<string> {
  const child = spawn(command, args, { cwd: folder, stdio: "pipe" });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Buffer) => {
      said += part.toString();
    });
  child.stdin.end(program);
  return new Promise((resolve) =>
    child.on("close", (code) => resolve(code === 0 ? said : `${code}: ${said}`)),
  );
}

/** False with a warning if a command is missing; in CI that is an error. */
export function hasCommand(command: string): boolean {
  if (spawnSync(command, ["--version"]).status === 0) return true;
  if (process.env["CI"] === "true") throw new Error(`${command} is missing`);
  console.warn(`Examples are not tested: ${command} is missing.`);
  return false;
}
