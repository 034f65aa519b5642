/**
 * Threads that builds start run what `npm run build` makes, as users' do: each thread would else read and strip the types of
 * forty modules, which is four fifths of what a small build costs. Those that are done are kept for the next.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { vi } from "vitest";
import { packageFolder } from "./command.ts";
import "./kept-threads.ts";

vi.mock(import("../../src/package.ts"), async (original) => ({
  ...(await original()),
  startedModule: (name) => pathToFileURL(join(packageFolder(), `dist/${name}.js`)),
}));
