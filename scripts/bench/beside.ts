/**
 * A first publish and a price beside `rclone sync` and `aws s3 sync` of the same folder: each to a fresh Ceph, in turns, so that
 * a busy hour concerns all of them. The processors are shared by client and server, whose time is therefore measured, too.
 */
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { RGW_ENV, rgwFolder, stopRgw, useRgw } from "../../test/support/rgw.ts";
import { cpuSecondsOf, median, runProcess } from "./measure.ts";
import { Shop } from "./shop.ts";

const VITRINE = [process.execPath, "dist/cli/main.js"] as const;
const CACHE = "public, max-age=60, s-maxage=300, stale-if-error=86400";

/** What a program is run with. */
interface Place {
  readonly out: string;
  readonly endpoint: string;
}

const rclone = ({ out, endpoint }: Place, ...flags: string[]) => [
  "rclone",
  "sync",
  join(out, "site"),
  `:s3,provider=Ceph,endpoint="${endpoint}",region=us-east-1,env_auth=true,no_check_bucket=true:shop/api`,
  "--header-upload",
  `Cache-Control: ${CACHE}`,
  ...flags,
];
const aws = ({ out, endpoint }: Place) => [
  "aws",
  "--endpoint-url",
  endpoint,
  "s3",
  "sync",
  join(out, "site"),
  "s3://shop/api",
  "--delete",
  "--only-show-errors",
  "--cache-control",
  CACHE,
];
const AT_ONCE = ["--transfers", "64", "--checkers", "64"];

/** The programs, with the flags that a careful operator sets: as many requests at once as Vitrine, and no needless ones; or without. */
const PROGRAMS: Readonly<Record<string, (place: Place) => readonly string[]>> = {
  vitrine: ({ out, endpoint }) => [
    ...VITRINE,
    "publish",
    "--to",
    "s3://shop/api",
    "--endpoint",
    endpoint,
    "--out",
    out,
    "--allow-local",
  ],
  rclone: (place) => rclone(place, ...AT_ONCE, "--checksum", "--fast-list"),
  "rclone-no-head": (place) => rclone(place, ...AT_ONCE, "--checksum", "--fast-list", "--s3-no-head"),
  "rclone-defaults": (place) => rclone(place),
  aws,
  "aws-defaults": aws,
};

interface Measured {
  readonly seconds: number;
  readonly clientSeconds: number;
  readonly serverSeconds: number;
  readonly requests: string;
  readonly bytes: number;
  readonly load: number;
}

/** Processor time of the processes of the store so far. */
function serverSeconds(folder: string): number {
  const parent = readFileSync(join(folder, "pid"), "utf8");
  const isChild = (pid: string) => {
    try {
      return (
        readFileSync(`/proc/${pid}/stat`, "utf8")
          .replace(/^.*\) /s, "")
          .split(" ")[1] === parent
      );
    } catch {
      return false; // It has ended.
    }
  };
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isChild(name));
  return pids.reduce((sum, pid) => sum + cpuSecondsOf(Number(pid)), 0);
}

/** Requests by method and the bytes of all bodies, from the lines of the gateway's log. */
function countLog(log: string): Pick<Measured, "requests" | "bytes"> {
  const counts = new Map<string, number>();
  let bytes = 0;
  for (const [, method = "", size] of log.matchAll(/ beast: .*?"([A-Z]+) \/[^"]*" \d+ (\d+) /g)) {
    counts.set(method, (counts.get(method) ?? 0) + 1);
    bytes += Number(size);
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const parts = [...counts].map(([method, count]) => `${count} ${method}`);
  return { requests: `${all} (${parts.join(", ")})`, bytes };
}

async function measure(command: readonly string[], env: NodeJS.ProcessEnv): Promise<Measured> {
  const folder = rgwFolder(process.ppid);
  const logFile = join(folder, "ceph/log/client.rgw.a.log");
  const seen = readFileSync(logFile, "utf8").length;
  const before = serverSeconds(folder);
  const [program = "", ...args] = command;
  const { seconds, cpuSeconds: clientSeconds } = await runProcess(program, args, { env });
  return {
    seconds,
    clientSeconds,
    serverSeconds: serverSeconds(folder) - before,
    ...countLog(readFileSync(logFile, "utf8").slice(seen)),
    load: loadavg()[0] ?? 0,
  };
}

/** A first publish and a price by one program, to a store of its own. `store` and `out` are copied. */
async function runOnce(name: string, folder: string): Promise<readonly [first: Measured, price: Measured]> {
  const copy = join(folder, "copy");
  const [store, out] = [join(copy, "store.sqlite"), join(copy, "out")];
  cpSync(join(folder, "shop"), copy, { recursive: true, preserveTimestamps: true });
  try {
    const { endpoint, client } = await useRgw();
    client.destroy();
    const settings = join(folder, "aws.ini");
    const atOnce = name === "aws" ? "s3 =\n  max_concurrent_requests = 64\n" : "";
    writeFileSync(settings, `[default]\n${atOnce}`);
    const env: NodeJS.ProcessEnv = { ...process.env, ...RGW_ENV, AWS_CONFIG_FILE: settings };
    // rclone 1.60 refuses every S3 service, http ones too, while this names a file.
    delete env["AWS_CA_BUNDLE"];
    const command = PROGRAMS[name]?.({ out, endpoint }) ?? [];
    const first = await measure(command, env);
    const shop = new Shop(store, join(out, "site"));
    shop.price();
    shop.close();
    await runProcess(VITRINE[0], [VITRINE[1], "build", "--store", store, "--out", out, "--json"]);
    return [first, await measure(command, env)];
  } finally {
    await stopRgw(rgwFolder(process.ppid));
    rmSync(copy, { recursive: true, force: true });
  }
}

const versionOf = (program: string) =>
  execFileSync(program, [program === "aws" ? "--version" : "version"], { encoding: "utf8" }).split("\n")[0];

/** `folder/shop` has the store and its build. Prints each run, then a table of medians. */
export async function besideOthers(folder: string, names: readonly string[], rounds: number): Promise<void> {
  const unknown = names.find((name) => !Object.hasOwn(PROGRAMS, name));
  if (unknown !== undefined) throw new Error(`${unknown} is none of ${Object.keys(PROGRAMS).join(", ")}`);
  const print = (line: string) => process.stdout.write(`${line}\n`);
  print(
    [...new Set(names.map((name) => name.split("-")[0] ?? ""))]
      .filter((name) => name !== "vitrine")
      .map(versionOf)
      .join("; "),
  );
  const runs = new Map(names.map((name) => [name, [[], []] as [Measured[], Measured[]]]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const measured = await runOnce(name, folder);
      for (const [at, each] of measured.entries()) {
        runs.get(name)?.[at]?.push(each);
        print(`${round + 1} ${name} ${at === 0 ? "first" : "price"}: ${JSON.stringify(each)}`);
      }
    }
  }
  print(
    "\n| publish | program | s | of vitrine's | client's processor s | server's | requests | bytes of bodies |",
  );
  print("|---|---|---|---|---|---|---|---|");
  for (const [at, what] of ["first", "one price"].entries()) {
    const of = (name: string, pick: (each: Measured) => number) =>
      median((runs.get(name)?.[at] ?? []).map(pick));
    const own = of("vitrine", ({ seconds }) => seconds);
    for (const name of names) {
      const seconds = of(name, (each) => each.seconds);
      const cells = [
        what,
        name,
        seconds.toFixed(1),
        (seconds / own).toFixed(2),
        of(name, (each) => each.clientSeconds).toFixed(1),
        of(name, (each) => each.serverSeconds).toFixed(1),
        runs.get(name)?.[at]?.[0]?.requests ?? "",
        `${(of(name, ({ bytes }) => bytes) / 1e6).toFixed(1)} MB`,
      ];
      print(`| ${cells.join(" | ")} |`);
    }
  }
}
