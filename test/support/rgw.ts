/**
 * A real object store for tests: one Ceph for a whole run of vitest, started by the first test file that wants it and
 * ended by the global teardown. Where its programs are missing, tests skip and say so; with CI=true that is a failure.
 */
import { spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { freePort } from "./free-port.ts";

const PROGRAMS = ["ceph-mon", "ceph-osd", "radosgw", "ceph", "monmaptool", "radosgw-admin"];
const START_SECONDS = 120;

export const RGW_MISSING: string | null = PROGRAMS.every((name) => spawnSync("which", [name]).status === 0)
  ? null
  : "Ceph is not installed (apt-get install radosgw ceph-mon ceph-osd ceph-common): publishing to S3 is not tested";

if (RGW_MISSING !== null && process.env["CI"] === "true") throw new Error(RGW_MISSING);
if (RGW_MISSING !== null) process.stderr.write(`${RGW_MISSING}\n`);

/** Credentials of the test store, as the SDK's chain finds them. */
export const RGW_ENV: Readonly<Record<string, string>> = {
  AWS_ACCESS_KEY_ID: "test",
  AWS_SECRET_ACCESS_KEY: "testsecret",
  AWS_REGION: "us-east-1",
};

/** One folder for each run: vitest's main process is the parent of its workers. */
export function rgwFolder(run: number): string {
  return join(tmpdir(), `vitrine-rgw-${run}`);
}

/** The SDK's own client: what tests look at the store with. */
function createClient(endpoint: string): S3Client {
  return new S3Client({
    endpoint,
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
}

/** Starts a store in a folder that exists. */
async function startRgw(folder: string): Promise<void> {
  const [gateway, monitor, monitorV1] = [await freePort(), await freePort(), await freePort()];
  const out = openSync(join(folder, "out"), "a");
  const child = spawn(
    resolve("scripts/ceph-one-box.sh"),
    [join(folder, "ceph"), String(gateway), String(monitor), String(monitorV1)],
    { detached: true, stdio: ["ignore", out, out] },
  );
  child.unref();
  closeSync(out);
  writeFileSync(join(folder, "pid"), String(child.pid));
  const deadline = Date.now() + START_SECONDS * 1000;
  while (!readFileSync(join(folder, "out"), "utf8").includes("ready")) {
    if (Date.now() > deadline || child.exitCode !== null) {
      throw new Error(`Ceph did not start: ${readFileSync(join(folder, "out"), "utf8")}`);
    }
    await sleep(100);
  }
  const endpoint = `http://127.0.0.1:${gateway}`;
  const client = createClient(endpoint);
  await client.send(new CreateBucketCommand({ Bucket: "shop" }));
  client.destroy();
  writeFileSync(join(folder, "endpoint"), endpoint);
}

export interface Rgw {
  readonly endpoint: string;
  readonly bucket: string;
  readonly client: S3Client;
}

/** The run's store, started at its first use. */
export async function useRgw(): Promise<Rgw> {
  Object.assign(process.env, RGW_ENV);
  const folder = rgwFolder(process.ppid);
  let first = true;
  try {
    mkdirSync(folder);
  } catch {
    first = false;
  }
  if (first) await startRgw(folder);
  const deadline = Date.now() + START_SECONDS * 1000;
  while (!existsSync(join(folder, "endpoint"))) {
    if (Date.now() > deadline) throw new Error("Ceph was not started by the test file that began to");
    await sleep(100);
  }
  const endpoint = readFileSync(join(folder, "endpoint"), "utf8");
  return {
    endpoint,
    bucket: "shop",
    client: createClient(endpoint),
  };
}

/** Ends the store of a run. */
export async function stopRgw(folder: string): Promise<void> {
  if (!existsSync(join(folder, "pid"))) return;
  const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
  try {
    process.kill(pid, "SIGTERM");
    const deadline = Date.now() + 20_000;
    for (; Date.now() < deadline; await sleep(100)) process.kill(pid, 0);
  } catch {
    // It has ended.
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
