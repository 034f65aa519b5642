/**
 * Full builds of one store by several versions in turns, so that what else the machine does bears on all of them:
 * `npm run bench:turns -- --store FILE --tree NAME=FOLDER[:NODE] … [--rounds N] [--json]`. FOLDER is a checkout that is built
 * (`npm run build`); NODE the Node that runs it, this project's where none is named: an older version's packages may need
 * the one that they were installed with. Each build is a process of its own, with the folder's own configuration, into an empty
 * folder in memory. Prints seconds, processor seconds (user's and system's) and peak memory, each beside its ratio to
 * the first version's of the same round.
 */
import { existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { benchFolder, median, runNode } from "./bench/measure.ts";

const COMMAND = "dist/cli/main.js";

interface Tree {
  readonly name: string;
  readonly folder: string;
  readonly node: string;
}

/** What is measured of a build. */
interface Figures {
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly peakBytes: number;
}

interface Turn extends Figures {
  readonly round: number;
  readonly tree: string;
  readonly files: number;
  /** To the first tree's of the same round. */
  readonly ratio: Figures;
}

function parseTree(text: string): Tree {
  const { name, folder, node } =
    /^(?<name>[^=]+)=(?<folder>[^:]+)(?::(?<node>.+))?$/.exec(text)?.groups ?? {};
  if (name === undefined || folder === undefined)
    throw new Error(`--tree is not NAME=FOLDER[:NODE]: ${text}`);
  const tree = { name, folder: resolve(folder), node: node === undefined ? process.execPath : resolve(node) };
  for (const file of [join(tree.folder, COMMAND), tree.node])
    if (!existsSync(file)) throw new Error(`${name} has no ${file}`);
  return tree;
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      store: { type: "string" },
      tree: { type: "string", multiple: true, default: [] },
      rounds: { type: "string", default: "3" },
      json: { type: "boolean", default: false },
    },
  });
  const { store, tree, rounds, json } = values;
  if (store === undefined) throw new Error("--store FILE is missing");
  if (tree.length === 0) throw new Error("--tree NAME=FOLDER[:NODE] is missing");
  if (!/^[1-9][0-9]{0,2}$/.test(rounds)) throw new Error(`--rounds is not a number of rounds: ${rounds}`);
  return { store: resolve(store), trees: tree.map(parseTree), rounds: Number(rounds), json };
}

async function build({ folder: cwd, node }: Tree, store: string, room: string) {
  const out = join(room, "out");
  const args = ["build", "--store", store, "--out", out, "--as-of", "2026-11-20T12:00:00Z", "--json"];
  try {
    const ran = await runNode(node, [join(cwd, COMMAND), ...args], join(room, "usage.json"), { cwd });
    const { files } = JSON.parse(ran.stdout) as { readonly files: number };
    const { seconds, processorSeconds, peakBytes } = ran;
    return { seconds, processorSeconds, peakBytes, files };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

function ratioOf(figures: Figures, first: Figures): Figures {
  return {
    seconds: figures.seconds / first.seconds,
    processorSeconds: figures.processorSeconds / first.processorSeconds,
    peakBytes: figures.peakBytes / first.peakBytes,
  };
}

function mediansOf(all: readonly Figures[]): Figures {
  return {
    seconds: median(all.map(({ seconds }) => seconds)),
    processorSeconds: median(all.map(({ processorSeconds }) => processorSeconds)),
    peakBytes: median(all.map(({ peakBytes }) => peakBytes)),
  };
}

const HEAD = "| round | version | seconds | | processor seconds | | peak memory | | files |";

function lineOf(round: string, tree: string, figures: Figures, ratio: Figures, files: number): string {
  const { seconds, processorSeconds, peakBytes } = figures;
  const cells = [
    ...[round, tree, seconds.toFixed(1), ratio.seconds.toFixed(2), processorSeconds.toFixed(1)],
    ...[ratio.processorSeconds.toFixed(2), `${Math.round(peakBytes / 2 ** 20)} MiB`],
    ...[ratio.peakBytes.toFixed(2), String(files)],
  ];
  return `| ${cells.join(" | ")} |`;
}

/** The trees' figures over all rounds; ratios are medians of the rounds' ratios. */
function summaryOf(turns: readonly Turn[], { name }: Tree) {
  const own = turns.filter(({ tree }) => tree === name);
  return { tree: name, ...mediansOf(own), ratio: mediansOf(own.map(({ ratio }) => ratio)) };
}

async function measure({ store, trees, rounds, json }: ReturnType<typeof readOptions>): Promise<void> {
  const room = benchFolder();
  const turns: Turn[] = [];
  const print = (line: string): void => {
    if (!json) console.log(line);
  };
  print(`${HEAD}\n|${"---|".repeat(9)}`);
  try {
    for (let round = 1; round <= rounds; round++) {
      let first: Figures | undefined;
      for (const tree of trees) {
        const { files, ...figures } = await build(tree, store, room);
        first ??= figures;
        const ratio = ratioOf(figures, first);
        turns.push({ round, tree: tree.name, ...figures, files, ratio });
        print(lineOf(String(round), tree.name, figures, ratio, files));
      }
    }
  } finally {
    rmSync(room, { recursive: true, force: true });
  }
  const medians = trees.map((tree) => summaryOf(turns, tree));
  for (const { tree, ratio, ...figures } of medians)
    print(lineOf("median", tree, figures, ratio, turns.find((turn) => turn.tree === tree)?.files ?? 0));
  if (json) console.log(JSON.stringify({ store, turns, medians }, null, 2));
}

await measure(readOptions());
