import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    // Many tests wait for processes of their own: two files at once, also where there are only two cores.
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Everything that a developer's own time zone or locale could show must not show.
    env: { TZ: "UTC" },
  },
});
