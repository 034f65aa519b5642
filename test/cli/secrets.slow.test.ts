import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { runVitrine } from "../support/command.ts";
import { temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const MISSPELT = [
  "postgres:shop:canary@db.invalid/shop",
  "postgres://shop:canary@db.invalid/shop",
  "postgres://shop%3Acanary@db.invalid/shop",
  "postgres://shop@db.invalid/shop?password=canary",
  "mysql//shop:canary@db.invalid/shop",
  "host=db.invalid user=shop password=canary",
  "shop:canary@db.invalid",
];
const BASE = {
  baseUrl: "https://api.shop.example/api/v1",
  siteUrl: "https://shop.example",
  queries: resolve("templates/queries"),
};

function config(name: string, value: object | string): string {
  const file = join(folder, name);
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
  return file;
}

/** Runs a command that must fail; what it says has no secret. */
async function refused(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { code, out, err } = await runVitrine(args, undefined, env);
  expect([args.join(" "), code === 0]).toEqual([args.join(" "), false]);
  expect([args.join(" "), out + err]).toEqual([args.join(" "), expect.not.stringContaining("canary")]);
  return out + err;
}

describe("a secret in an address", { timeout: 300_000 }, () => {
  const good = config("good.json", BASE);
  const out = join(folder, "out");
  it.each(MISSPELT)("%s is not revealed", async (store) => {
    await refused(["build", "--store", store, "--config", good, "--out", out, "--json"]);
  });

  it("is revealed by no command", async () => {
    const [store = ""] = MISSPELT;
    const place = ["--store", store, "--config", good];
    await refused(["watch", "--once", ...place, "--out", out, "--json"]);
    await refused(["plan", ...place, "--explain"]);
    await refused(["doctor", ...place, "--out", out]);
    await refused(["doctor", ...place, "--out", out, "--json"]);
    await refused(["doctor", "--left-out", ...place]);
    await refused(["init", "--store", store, "--yes", "--json"]);
    await refused(["build", "--config", config("store.json", { ...BASE, store }), "--out", out]);
    for (const name of readdirSync(folder).filter((file) => file !== "store.json" && file !== "out"))
      expect(readFileSync(join(folder, name), "utf8")).not.toContain("canary");
  });

  it("is not revealed by a message about a wrong configuration", async () => {
    for (const wrong of [
      { ...BASE, store: { password: "canary" } },
      { ...BASE, baseUrl: "https://u:canary@api.shop.example/api/v1" },
      { ...BASE, siteUrl: "https://u:canary@shop.example" },
      `{"store": canary}`,
      `{"store": "postgres://u:canary`,
    ])
      await refused(["build", "--config", config("wrong.json", wrong), "--out", out]);
  });

  it("is not revealed in places, endpoints and webhooks", async () => {
    await refused(["publish", "--out", out, "--to", "s3://KEY:canary@bucket/x"]);
    await refused(["rollback", "s3://KEY:canary@bucket/x"]);
    const to = ["--to", "s3://bucket", "--region", "eu-central-1", "--timeout", "5"];
    const env = { AWS_ACCESS_KEY_ID: "KEY", AWS_SECRET_ACCESS_KEY: "canary" };
    await refused(["doctor", "--config", good, ...to, "--endpoint", "http://u:canary@127.0.0.1:9"], env);
    await refused(["doctor", "--config", good, ...to, "--endpoint", "http://127.0.0.1:9"], env);
    await refused(["publish", "--password=canary"]);
  });

  it("is refused with a hint where the password belongs", async () => {
    const said = await refused([
      "build",
      "--store",
      "postgres://shop@127.0.0.1:9/shop",
      "--config",
      good,
      "--out",
      out,
    ]);
    expect(said).toMatch(/VITRINE_STORE_PASSWORD/);
  });
});
