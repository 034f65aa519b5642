/** nginx in front of two fallbacks, one of which hangs or is dead: the other one answers every request. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { API_PATH } from "../../src/api/endpoints.ts";
import { type Running as Command, startServer } from "../support/command.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { temporaryFolder } from "../support/shop.ts";
import { until } from "../support/until.ts";
import { type Running, startNginx } from "./support/servers.ts";
import { describeWith } from "./support/tools.ts";
import { send } from "./support/wire.ts";

const folder = temporaryFolder();
const out = sharedSnapshot("demo");
type Fallback = Command & { readonly url: string };
const fallbacks: Fallback[] = [];
const edges: Running[] = [];

afterAll(async () => {
  for (const edge of edges) await edge.stop();
  for (const { child } of fallbacks) child.kill("SIGKILL");
});

async function startPair(name: string): Promise<{ pair: [Fallback, Fallback]; edge: Running }> {
  const args = ["fallback", "--catalog", join(out, "catalog.sqlite"), "--quiet"];
  const pair = await Promise.all([startServer(args), startServer(args)]);
  fallbacks.push(...pair);
  const edge = await startNginx({
    folder: join(folder, name),
    site: join(out, "site"),
    fallbackPort: 0,
    fallbackPorts: pair.map(({ url }) => Number(new URL(url).port)),
    exempt: ["127.0.0.0/8"],
    timeouts: "short",
  });
  edges.push(edge);
  return { pair, edge };
}

let misses = 0;

/** Requests answers that have no file and no copy in nginx, two at a time; returns the statuses. */
async function statusesOf({ port }: Running): Promise<number[]> {
  const statuses = new Set<number>();
  const ask = async () => {
    for (let count = 0; count < 30; count++) {
      misses += 1;
      statuses.add((await send({ port }, { target: `${API_PATH}/products?min_price=${misses}` })).status);
    }
  };
  await Promise.all([ask(), ask()]);
  return [...statuses];
}

describeWith(["nginx"], "nginx with two fallbacks", () => {
  it.each([
    ["hangs", "SIGSTOP", "504"],
    ["is dead", "SIGKILL", "502"],
  ] as const)("answers every request while one of them %s", async (name, signal, failure) => {
    const { pair, edge } = await startPair(name.replace(" ", "-"));
    const [failing, other] = pair;
    expect(await statusesOf(edge)).toEqual([200]);
    failing.child.kill(signal);
    if (signal === "SIGKILL") await failing.ended;
    expect(await statusesOf(edge)).toEqual([200]);
    // It was asked first, and the other one after it.
    const log = join(folder, name.replace(" ", "-"), "access.log");
    await until("the log", () => readFileSync(log, "utf8").includes(`"upstream_status":"${failure}, 200"`));
    other.child.kill("SIGSTOP");
    expect(await statusesOf(edge)).toEqual([503]);
    const file = await send({ port: edge.port }, { target: `${API_PATH}/products?page=2` });
    expect(file.status).toBe(200);
  });
});
