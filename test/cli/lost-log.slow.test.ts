/** A server whose log can't be written: its disk is full, as that of logs often is first. */
import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { expect, it } from "vitest";
import { commandFile } from "../support/command.ts";
import { freePort } from "../support/free-port.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { until } from "../support/until.ts";

const out = sharedSnapshot("small");

it("a fallback goes on answering, says so once where it can, and ends as usual", async () => {
  const port = await freePort();
  const full = openSync("/dev/full", "w");
  const args = [commandFile(), "fallback", "--out", out, "--port", String(port), "--drain", "0"];
  const child = spawn("node", args, { stdio: ["ignore", full, "pipe"] });
  closeSync(full);
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (part: string) => {
    said += part;
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      (response) => response.status,
      () => 0,
    );
  await until("it answers", async () => child.exitCode !== null || (await ask("/readyz")) === 200);
  // More lines than are gathered before they are written.
  for (let at = 0; at < 50; at++) expect(await ask(`/api/v1/search?q=${"a".repeat(90)}${at}`)).toBe(200);
  child.kill();
  expect(await ended).toBe(0);
  expect(said).toBe(
    "the log cannot be written, and the server goes on: ENOSPC: no space left on device, write\n",
  );
});
