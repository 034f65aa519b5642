/** Commands that serve, in processes that have served before: a signal ends the command, and its process waits for the next one. */
import { type ChildProcess, fork } from "node:child_process";
import { Socket } from "node:net";
import { join, resolve } from "node:path";
import { commandFile, type Running } from "./command.ts";
import type { ServingRequest } from "./warm-server-process.ts";

const END = "\u0004";

/** Those of this test worker that run nothing now. */
const idle: ChildProcess[] = [];

function startProcess(): ChildProcess {
  const child = fork(join(import.meta.dirname, "warm-server-process.ts"), { silent: true });
  child.unref();
  child.channel?.unref();
  for (const stream of [child.stdout, child.stderr])
    if (stream instanceof Socket) stream.setEncoding("utf8").unref();
  return child;
}

/** Starts a command in a folder; for tests that look at what it says and answers, and not at its process. */
export function startWarmServer(args: readonly string[], cwd: string): Running {
  const child = idle.pop() ?? startProcess();
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  let text = "";
  let status: number | null = null;
  const ended = new Promise<number | null>((resolve) => {
    const hear = (part: string) => {
      text += part;
      look();
    };
    const finish = (code: number | null) => {
      for (const stream of streams) stream.off("data", hear);
      child.off("message", setStatus).off("close", finish);
      resolve(code);
    };
    const look = () => {
      if (status === null || text.split(END).length <= streams.length) return;
      idle.push(child);
      finish(status);
    };
    const setStatus = (code: unknown) => {
      status = Number(code);
      look();
    };
    for (const stream of streams) stream.on("data", hear);
    child.on("message", setStatus).on("close", finish);
  });
  const program = join(commandFile(), "../program.js");
  child.send({ program, args, cwd: resolve(cwd), end: END } satisfies ServingRequest);
  return { child, said: () => text.replaceAll(END, ""), ended };
}
