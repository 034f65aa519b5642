/** What the npm package holds. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

describe("the npm package", () => {
  const { stdout } = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    encoding: "utf8",
  });
  const report = JSON.parse(stdout) as Record<string, unknown>;
  // npm 12 names packages, older ones list them.
  const [about] = Object.values(report) as [{ filename: string; files: { path: string }[] }];
  const paths = about.files.map(({ path }) => path);

  it("contains the examples, the changelog and all files that the docs name", () => {
    expect(paths).toEqual(
      expect.arrayContaining([
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE",
        "README.md",
        "SECURITY.md",
        "docs/allow-list.md",
        "docs/architecture.md",
        "examples/chinook/README.md",
        "examples/chinook/chinook.sqlite",
        "examples/chinook/queries/products.sql",
        "examples/chinook/vitrine.config.json",
        "examples/demo/media/products/invoice-kit.webp",
        "examples/demo/store.sqlite",
        "examples/demo/vitrine.config.json",
        "templates/queries/products.sql",
        "vitrine.config.schema.json",
      ]),
    );
  });

  it("contains no development files", () => {
    expect(paths.filter((path) => /^(src|test|scripts|demo|out|node_modules|\.)/.test(path))).toEqual([]);
  });

  const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
    scripts: Record<string, string>;
    bugs: { email: string };
    preferUnplugged?: boolean;
  };

  it("has no script that npm would ask about at installation", () => {
    // Of a file, npm names `prepare` as well.
    const asked = ["preinstall", "install", "postinstall", "prepare"];
    expect(Object.keys(manifest.scripts).filter((name) => asked.includes(name))).toEqual([]);
  });

  // Yarn's Plug'n'Play would leave it in an archive, from which no folder can be copied: demo and init failed.
  it("is a folder in each program that installs it", () => {
    expect(manifest.preferUnplugged).toBe(true);
  });

  it("names the address to which SECURITY.md sends reports", () => {
    expect(readFileSync("SECURITY.md", "utf8")).toContain(manifest.bugs.email);
  });

  it("can be installed as the README says", () => {
    expect(readFileSync("README.md", "utf8")).toContain(`npm install --global ./${about.filename}`);
  });
});
