/**
 * A build works in the calling thread, unless the test says how many threads it starts: a shop of a few hundred rows takes
 * half the time then. The commands that tests start have all cores. Threads that are started run what `npm run build` makes,
 * as users' do: each would else read and strip the types of forty modules. Those that are done are kept for the next.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { vi } from "vitest";
import { packageFolder } from "./command.ts";
import "./kept-threads.ts";

vi.mock(import("../../src/base/thread-pool.ts"), async (original) => ({
  ...(await original()),
  allCores: () => ({ count: 0, fromRows: Number.POSITIVE_INFINITY }),
}));

vi.mock(import("../../src/package.ts"), async (original) => ({
  ...(await original()),
  startedModule: (name) => pathToFileURL(join(packageFolder(), `dist/${name}.js`)),
}));
