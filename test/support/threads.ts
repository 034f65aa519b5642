/**
 * Threads that a test starts run what `npm run build` makes, as users' do: each would else read and strip the types of forty
 * modules.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { vi } from "vitest";
import { packageFolder } from "./command.ts";

vi.mock(import("../../src/package.ts"), async (original) => ({
  ...(await original()),
  startedModule: (name) => pathToFileURL(join(packageFolder(), `dist/${name}.js`)),
}));
