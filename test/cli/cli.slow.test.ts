import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { makeConfigSchema } from "../../scripts/config-schema.ts";
import { vitrine as run } from "../support/command.ts";
import { copySnapshot, sharedSnapshot } from "../support/shared-demo.ts";
import { sharedStore, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const out = sharedSnapshot("demo");
const store = sharedStore(150);

function vitrine(...args: string[]) {
  return run(args);
}

describe("vitrine", () => {
  it("helps, with examples, for every command", () => {
    const all = vitrine("--help");
    expect(all.status).toBe(0);
    for (const command of ["build", "serve", "fallback", "check", "plan", "get", "diff"]) {
      expect(all.stdout).toContain(`  ${command} `);
      const help = vitrine(command, "--help");
      expect(help.status).toBe(0);
      expect(help.stdout).toContain("Examples:");
    }
  });

  it("exits with 2 on a wrong command line", () => {
    expect(vitrine("bulid").status).toBe(2);
    expect(vitrine("build", "--nonsense").status).toBe(2);
    expect(vitrine("build", "--store", store, "--as-of", "tomorrow")).toMatchObject({
      status: 2,
      stdout: "",
    });
    expect(vitrine("build", "--config", join(folder, "none.json"))).toMatchObject({ status: 2 });
    expect(vitrine("serve", "--out", out, "--port", "99999").status).toBe(2);
  });

  it("shows the rows, the time and the plan of each SQL file", () => {
    const flags = ["plan", "--explain", "--config", "examples/chinook/vitrine.config.json"];
    expect(vitrine(...flags).stdout).toMatch(/^categories\.sql: 25 rows in \d+\.\d{3} s\n {2}SCAN g$/m);
    const { files } = JSON.parse(vitrine(...flags, "--json").stdout) as { files: object[] };
    expect(files).toContainEqual({
      file: "faqs.sql",
      rows: 5,
      seconds: expect.any(Number),
      plan: expect.arrayContaining([expect.stringContaining("SCAN")]),
    });
  });

  it("plans exactly the files that a build makes, writes none, and prints the report of a build as JSON", () => {
    const place = join(folder, "planned");
    const plan = JSON.parse(vitrine("plan", "--store", store, "--out", place, "--json").stdout) as {
      files: number;
      sizeBytes: number;
    };
    expect(existsSync(place)).toBe(false);
    const { status, stdout, stderr } = vitrine("build", "--store", store, "--out", place, "--json");
    expect([status, stderr]).toEqual([0, ""]);
    const report = JSON.parse(stdout) as Record<"files" | "written" | "sizeBytes", number> & {
      records: { product: number };
    };
    expect(report.records.product).toBeGreaterThan(100);
    expect([report.files, report.sizeBytes]).toEqual([plan.files, plan.sizeBytes]);
    expect(report.written).toBe(report.files);
  });

  it("keeps the ceiling by leaving out bands of pages, and lists the files of each endpoint", () => {
    const config = join(folder, "small.json");
    const small = {
      baseUrl: "https://shop.test/api/v1",
      siteUrl: "https://shop.test",
      queries: resolve("templates/queries"),
      grid: { maxFiles: 2000, pages: 50 },
    };
    writeFileSync(config, JSON.stringify(small));
    const flags = ["plan", "--store", store, "--out", join(folder, "s"), "--config", config];
    const plan = JSON.parse(vitrine(...flags, "--json").stdout) as {
      files: number;
      endpoints: { endpoint: string }[];
      bands: { family: string; firstPage: number; form: string; kept: boolean; files: number }[];
    };
    expect(plan.files).toBeLessThanOrEqual(2000);
    expect(plan.bands.find(({ family }) => family === "products")?.kept).toBe(true);
    const left = plan.bands.filter((band) => !band.kept);
    expect(left.length).toBeGreaterThan(0);
    const short = vitrine(...flags)
      .stdout.trimEnd()
      .split("\n");
    for (const [at, { endpoint }] of plan.endpoints.entries())
      expect(short[at]?.split(" ")[0]).toBe(endpoint);
    const after = short.slice(plan.endpoints.length);
    expect(after.map((line) => line.slice(0, 6)).filter((start) => !/^ *\d* *$/.test(start))).toEqual([
      "pages ",
      "in all",
      "Left t",
      "Pages ",
      // A frame of a description.
      "left o",
    ]);
    const counted = after.flatMap((line) => /^ +([\d,]+) /.exec(line)?.[1]?.replaceAll(",", "") ?? []);
    expect(counted.map(Number).reduce((sum, files) => sum + files)).toBe(
      left.reduce((sum, { files }) => sum + files, 0),
    );
    expect(short.find((line) => line.startsWith("/products "))).toMatch(/all [\d,]+ first pages|\(\d+ %\)/);
    expect(short.find((line) => line.startsWith("/product "))).toContain("by id left to the fallback");
    const long = vitrine(...flags, "--verbose").stdout;
    expect(long.split("\n").length).toBeGreaterThan(short.length + plan.bands.length);
    expect(long).toContain("products category, pages 1 to 10\n");
  });

  it("gets the answers of the edge", () => {
    const file = vitrine("get", "/products?category=scripts", "--out", out);
    expect(file.stderr).toBe("200 file api/v1/products/category=scripts/page=1.json\n");
    expect(JSON.parse(file.stdout)).toMatchObject({ success: true });
    const other = JSON.parse(
      vitrine("get", "/products?min_price=10&category=scripts", "--out", out, "--json").stdout,
    ) as Record<string, unknown>;
    expect(other).toMatchObject({ status: 200, source: "fallback", body: { success: true } });
    expect(Object.keys(other)).toEqual(["status", "headers", "source", "key", "body"]);
    const wrong = vitrine("get", "/nothing", "--out", out);
    expect([wrong.status, wrong.stderr]).toEqual([0, "404 none\n"]);
  });

  it("checks, and exits with 4 if a check fails", async () => {
    expect(vitrine("check", "--out", out)).toMatchObject({ status: 0 });
    const broken = join(folder, "broken");
    copySnapshot("small", broken);
    writeFileSync(join(broken, "site/api/v1/store.json"), "{}");
    const { status, stderr } = vitrine("check", "--out", broken);
    expect(status).toBe(4);
    expect(stderr).toContain("api/v1/store.json: its digest differs from the manifest's");
    expect(stderr).toContain("\nvitrine build --full writes again what is missing or wrong.\n");
    const strange = join(folder, "strange");
    copySnapshot("small", strange);
    writeFileSync(join(strange, "site/.DS_Store"), "");
    const stray = vitrine("check", "--out", strange);
    expect(stray.status).toBe(4);
    expect(stray.stderr).toContain(
      "\n  .DS_Store: not in the manifest\nDelete what is not in the manifest, or move it elsewhere: no build made it.\n",
    );
    expect(vitrine("check", "--out", join(folder, "nowhere")).status).toBe(4);
  });

  it("exits with 3 if the store or the allow-list is wrong", () => {
    expect(vitrine("build", "--store", join(folder, "nowhere"), "--out", join(folder, "out")).status).toBe(3);
  });

  it("names the mistakes of a configuration", () => {
    const config = join(folder, "bad.json");
    writeFileSync(
      config,
      JSON.stringify({ baseUrl: "shop.test", siteUrl: "https://shop.test/", colour: 1, pageSizes: [0] }),
    );
    const { status, stderr } = vitrine("build", "--store", store, "--config", config);
    expect(status).toBe(2);
    for (const word of ["baseUrl", "siteUrl", "colour", "pageSizes.0"]) expect(stderr).toContain(word);
  });

  it("ships the configuration's JSON Schema as its table has it", () => {
    expect(JSON.parse(readFileSync("vitrine.config.schema.json", "utf8"))).toEqual(makeConfigSchema());
  });
});
