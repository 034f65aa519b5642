import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { type OpenApiOptions, openApiDocument } from "../../src/api/openapi.ts";
import { OPTIONS } from "./samples.ts";

const DOCUMENTS: readonly (readonly [string, OpenApiOptions])[] = [
  ["all endpoints and examples", OPTIONS],
  ["no example", { ...OPTIONS, examples: {} }],
  ["only the status", { ...OPTIONS, endpoints: ENDPOINTS.filter(({ path }) => path === "") }],
];

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "vitrine-openapi-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The linter's script, found as Node finds any package. */
function linter(): string {
  const manifest = createRequire(import.meta.url).resolve("@redocly/cli/package.json");
  const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: { redocly: string } };
  return join(dirname(manifest), bin.redocly);
}

/** Runs in a folder without a configuration, and neither reports home nor looks for updates. */
function lint(file: string): { totals: object; problems: object[] } {
  const args = [linter(), "lint", "--extends=recommended", "--format=json", file];
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  try {
    return JSON.parse(
      execFileSync(process.execPath, args, { cwd: folder, env, stdio: "pipe", encoding: "utf8" }),
    );
  } catch (error) {
    // With errors in the document it exits with 1, with its report on stdout.
    const { stdout } = error as { stdout?: string };
    if (!stdout) throw error;
    return JSON.parse(stdout);
  }
}

test.each(DOCUMENTS)("redocly reports no error and no warning: %s", (_, options) => {
  const file = join(folder, "openapi.json");
  writeFileSync(file, JSON.stringify(openApiDocument(options)));
  const { problems, totals } = lint(file);
  expect(problems).toEqual([]);
  expect(totals).toMatchObject({ errors: 0, warnings: 0 });
});
