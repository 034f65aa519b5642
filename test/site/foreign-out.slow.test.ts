/** A build replaces no files of others that have the names of a snapshot's. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { VitrineError } from "../../src/base/error.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { buildQuietly, demoInputs, readTree, seedSmall, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const store = seedSmall(folder);
const built = join(folder, "built");
await buildQuietly(demoInputs(store, built));

/** A new folder with some files. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const place = mkdtempSync(join(folder, "place-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(place, name, ".."), { recursive: true });
    writeFileSync(join(place, name), text);
  }
  return place;
}

describe("an output folder that has something else", () => {
  // As in the working directory, for `--out .`, `--out "$OUT"` without the variable, or `"out": ""`.
  it.each<[named: string, files: Readonly<Record<string, string>>]>([
    ["site", { "site/index.html": "our web site", "package.json": "{}" }],
    [".next", { ".next/BUILD_ID": "of Next.js", "src/page.tsx": "" }],
    ["catalog.sqlite", { "catalog.sqlite": "of another program" }],
    ["manifest.sqlite", { "manifest.sqlite": "of another program" }],
  ])("under the name %s is refused, and left as it is", async (named, files) => {
    const out = folderWith(files);
    const before = readTree(out);
    const error = await buildQuietly(demoInputs(store, out)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(VitrineError);
    expect(error).toMatchObject({
      code: "guard_refused",
      message: expect.stringContaining(`would replace: ${named}. Nothing was written. Name another folder`),
    });
    expect(readTree(out)).toEqual(before);
  });

  it("is refused if it is the shop's own database", async () => {
    const out = folderWith({});
    cpSync(store, join(out, "catalog.sqlite"));
    await expect(buildQuietly(demoInputs(store, out))).rejects.toThrow("would replace: catalog.sqlite.");
  });

  it("is used if the names are others", async () => {
    const out = folderWith({ "index.html": "", "lost+found/x": "", ".gitignore": "*" });
    await buildQuietly(demoInputs(store, out));
    expect(readTree(join(out, "site"))).toEqual(readTree(join(built, "site")));
  });
});

function remove(out: string, ...names: readonly string[]): void {
  for (const name of names) rmSync(join(out, name), { recursive: true });
}

function cut(out: string, sizeBytes: number): void {
  for (const name of ["catalog.sqlite", "manifest.sqlite"]) truncateSync(join(out, name), sizeBytes);
}

function emptyAll(out: string): void {
  remove(out, "site");
  cut(out, 0);
}

function killBuild(out: string): void {
  const { nextCatalog, nextFiles } = layoutOf(out);
  mkdirSync(nextFiles, { recursive: true });
  for (const end of ["", "-journal"]) writeFileSync(nextCatalog + end, "half");
}

describe("what remains of a snapshot", () => {
  it.each<[what: string, spoil: (out: string) => void]>([
    ["its files alone", (out) => remove(out, "catalog.sqlite", "manifest.sqlite")],
    ["its catalog alone", (out) => remove(out, "site", "manifest.sqlite")],
    ["a damaged catalog and manifest", (out) => cut(out, 5000)],
    ["a catalog and a manifest that a power failure emptied", emptyAll],
    // An upload of build artefacts leaves hidden files out.
    ["all that is not hidden", (out) => remove(out, ".lock", ".turn", ".readings.sqlite")],
    ["all of it, and the half of a killed build", killBuild],
  ])("is completed: %s", async (_what, spoil) => {
    const out = join(mkdtempSync(join(folder, "remains-")), "out");
    cpSync(built, out, { recursive: true });
    spoil(out);
    await buildQuietly(demoInputs(store, out));
    expect(readTree(join(out, "site"))).toEqual(readTree(join(built, "site")));
  });
});

// Such as a volume that is mounted there, to be shared with a web server.
const otherDisk = ["/dev/shm", tmpdir(), resolve(".")].find(
  (place) => existsSync(place) && statSync(place).dev !== statSync(folder).dev,
);

it.skipIf(otherDisk === undefined)(
  "a snapshot's files on another file system are refused before anything is written",
  async () => {
    const out = join(mkdtempSync(join(folder, "linked-")), "out");
    cpSync(built, out, { recursive: true });
    const other = mkdtempSync(join(otherDisk ?? "", "vitrine-other-disk-"));
    try {
      cpSync(join(out, "site/api/v1/store.json"), join(other, "api/v1/store.json"));
      rmSync(join(out, "site"), { recursive: true });
      symlinkSync(other, join(out, "site"));
      const before = readTree(other);
      const changed = { ...demoInputs(store, out), full: true };
      await expect(buildQuietly(changed)).rejects.toMatchObject({
        code: "guard_refused",
        message: expect.stringContaining("is on another file system than"),
      });
      expect(readTree(other)).toEqual(before);
      expect(existsSync(join(out, ".next"))).toBe(false);
    } finally {
      rmSync(other, { recursive: true });
    }
  },
);
