import { accessSync, constants, statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { runFolder } from "./test/support/once.ts";

/** Tests make many small trees of files: in memory, where the machine has a file system there with this much room. */
const MEMORY = "/dev/shm";
const MEMORY_BYTES = 2 ** 32;

function hasMemoryFolder(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= MEMORY_BYTES;
  } catch {
    return false;
  }
}

if (process.env["TMPDIR"] === undefined && hasMemoryFolder()) process.env["TMPDIR"] = MEMORY;

/** Slow files first, or the last of them would run alone at the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isQuick = ({ moduleId }: TestSpecification) => !moduleId.endsWith(".slow.test.ts");
    return sorted.sort((a, b) => Number(isQuick(a)) - Number(isQuick(b)));
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Files of a worker share what they import, which else is half of the quick tests' time.
    isolate: false,
    // Node imports them itself, as it does for users: no transform, and the code of a build is quicker without Vite's lookups of imports.
    experimental: { viteModuleRunner: false },
    setupFiles: ["equality", "environment"].map((name) => `test/support/${name}.ts`),
    globalSetup: ["test/support/global-setup.ts"],
    // Many tests wait for processes, or for time to pass: two files more at once than there are cores. Each worker loads all modules.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: SlowFirst },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // As long as test/support/until.ts waits.
    expect: { poll: { timeout: 120_000 } },
    env: {
      // Everything that a developer's own time zone or locale could show must not show.
      TZ: "UTC",
      // The commands that tests start are compiled once a run, not once a process.
      NODE_COMPILE_CACHE: join(runFolder(process.pid), "compiled"),
    },
  },
});
