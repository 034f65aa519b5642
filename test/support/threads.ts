/**
 * Threads that a test starts run what `npm run build` makes, as users' do: each would else read and strip the types of forty
 * modules.
 */
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import threads, { Worker } from "node:worker_threads";
import { STARTED_MODULES, startedModule } from "../../src/package.ts";
import { packageFolder } from "./command.ts";

const STARTED = new Map(STARTED_MODULES.map((name) => [startedModule(name).href, name]));

threads.Worker = class extends Worker {
  constructor(module: string | URL, options?: ConstructorParameters<typeof Worker>[1]) {
    const name = STARTED.get(String(module));
    super(name === undefined ? module : pathToFileURL(join(packageFolder(), `dist/${name}.js`)), options);
  }
};
syncBuiltinESMExports();
