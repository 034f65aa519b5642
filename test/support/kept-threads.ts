/**
 * Keeps threads that have finished their work for the next caller that starts the same: a thread's start is most of what a
 * small build's or release's work costs. `Worker` of this thread's Node is another from then on; only who loads the module knows.
 */
import { syncBuiltinESMExports } from "node:module";
import threads, { type Worker, type WorkerOptions } from "node:worker_threads";

/** The modules of `src` whose threads hold nothing of what they did. */
const KEPT = /\/dist\/(worker-thread|serve\/catalog-thread)\.js$/;

const idle = new Map<string, Worker[]>();

/** A thread has the environment that its starter had. */
function keyOf(module: string): string {
  return JSON.stringify([module, Object.entries(process.env).sort()]);
}

/** Forgets who listened. Node's own listeners, of other events, stay. */
function silence(worker: Worker): void {
  for (const event of ["message", "error", "exit"])
    for (const each of worker.listeners(event)) worker.off(event, each as () => void);
}

/** From now on, asking the thread to end only ends its use, where nothing is left to be answered. */
function keep(worker: Worker, key: string): Worker {
  const { postMessage, terminate } = worker;
  let [asked, answered] = [0, 0];
  let isEnding = false;
  // A thread that failed is not used again.
  const hear = (message: object) => {
    answered += Number("done" in message);
  };
  worker.on("message", hear);
  worker.postMessage = (...given) => {
    asked += 1;
    postMessage.apply(worker, given);
  };
  worker.terminate = async () => {
    // Its answer may still arrive before it has ended.
    isEnding ||= asked !== answered;
    if (isEnding) return terminate.call(worker);
    silence(worker);
    worker.on("message", hear);
    worker.unref();
    idle.set(key, [...(idle.get(key) ?? []), worker]);
    worker.once("exit", () => idle.set(key, idle.get(key)?.filter((each) => each !== worker) ?? []));
    return 0;
  };
  return worker;
}

function start(Base: typeof Worker, file: string, options: WorkerOptions = {}): Worker {
  const key = keyOf(file);
  const kept = idle.get(key)?.pop();
  kept?.removeAllListeners("exit").ref();
  return kept ?? keep(new Base(new URL(file), options), key);
}

const mark = Symbol.for("vitrine.kept-threads");
const state = globalThis as { [mark]?: true };

// A test's worker loads its modules again for each of its files.
if (state[mark] === undefined) {
  state[mark] = true;
  threads.Worker = new Proxy(threads.Worker, {
    construct(Base, [module, options]: ConstructorParameters<typeof Worker>, asked) {
      if (KEPT.test(String(module))) return start(Base, String(module), options);
      return Reflect.construct(Base, [module, options], asked);
    },
  });
  syncBuiltinESMExports();
}
