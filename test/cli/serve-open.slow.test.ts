import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startVitrine } from "../support/command.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { temporaryFolder } from "../support/shop.ts";
import { until } from "../support/until.ts";

it("vitrine serve --open hands the explorer's address to the browser", async () => {
  const folder = temporaryFolder();
  const [browser, opened] = [join(folder, "browser"), join(folder, "opened")];
  writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > ${opened}.part && mv ${opened}.part ${opened}\n`, {
    mode: 0o755,
  });
  const args = ["serve", "--open", "--out", sharedSnapshot("small"), "--port", "0"];
  const { child, ended } = startVitrine(args, { BROWSER: browser });
  await until("a browser that gets an address", () => existsSync(opened));
  const address = readFileSync(opened, "utf8");
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/explore\/$/);
  expect((await fetch(new URL("/api/v1/store", address))).status).toBe(200);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});
