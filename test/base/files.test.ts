import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { makeOpenFolder, OPEN_FOLDER } from "../../src/base/files.ts";
import { temporaryFolder } from "../support/shop.ts";

const usual = { umask: process.umask(), folder: process.cwd() };
afterEach(() => {
  process.umask(usual.umask);
  process.chdir(usual.folder);
});

it("opens each folder that it makes, also by a relative path", () => {
  process.chdir(temporaryFolder());
  process.umask(0o077);
  const path = join("metrics", "vitrine");
  makeOpenFolder(path);
  for (const made of [path, dirname(path)]) expect(statSync(made).mode & 0o777).toBe(OPEN_FOLDER);
});
