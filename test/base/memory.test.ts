import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { VitrineError } from "../../src/base/error.ts";
import {
  damagedMemory,
  isAbsent,
  isDamage,
  isMachineTrouble,
  type Memory,
  otherMemory,
  readMemory,
  writeMemory,
} from "../../src/base/memory.ts";
import { temporaryFolder } from "../support/shop.ts";

const failure = (code: string, message = code) => Object.assign(new Error(message), { code });

const MACHINE = [
  ..."SQLITE_BUSY SQLITE_BUSY_SNAPSHOT SQLITE_READONLY_DBMOVED SQLITE_CANTOPEN SQLITE_FULL SQLITE_IOERR_WRITE".split(
    " ",
  ),
  ..."EROFS EACCES EPERM ENOSPC EDQUOT EMFILE ENFILE ENOTDIR EISDIR ELOOP EBUSY EIO ENOENT".split(" "),
  ..."ERR_WORKER_INIT_FAILED ERR_DLOPEN_FAILED".split(" "),
];
const PROVEN = "SQLITE_CORRUPT SQLITE_CORRUPT_INDEX SQLITE_NOTADB SQLITE_IOERR_SHORT_READ".split(" ");
const BUGS =
  "ERR_INVALID_ARG_TYPE SQLITE_ERROR SQLITE_MISUSE SQLITE_CONSTRAINT_UNIQUE EBADF EINVAL EPARSE ECONNRESET".split(
    " ",
  );

function memoryIn(folder: string): { readonly memory: Memory; readonly said: string[] } {
  const file = join(folder, "memory");
  writeFileSync(file, "sound");
  const said: string[] = [];
  const log = { info: () => undefined, warn: (message: string) => void said.push(message) };
  return { memory: { file, what: "what was seen", follows: "all is read again", log }, said };
}

const throwing = (error: unknown) => () => {
  throw error;
};

describe("a memory", () => {
  it.each(MACHINE)("is kept if the machine is in the way: %s", (code) => {
    const { memory, said } = memoryIn(temporaryFolder());
    expect(readMemory(memory, throwing(failure(code)))).toBeNull();
    expect(writeMemory(memory, throwing(failure(code)))).toBeNull();
    expect(readFileSync(memory.file, "utf8")).toBe("sound");
    for (const line of said)
      expect(line).toMatch(/^what was seen .*: (unless that one keeps it, )?all is read again\.$/);
    for (const line of said)
      expect(line.includes("(another process keeps it locked)")).toBe(code.startsWith("SQLITE_BUSY"));
    expect(said).toHaveLength(code === "ENOENT" ? 1 : 2);
  });

  it.each(PROVEN)(
    "is deleted with its journal if its content proves damage, and that is said: %s",
    (code) => {
      const { memory, said } = memoryIn(temporaryFolder());
      writeFileSync(`${memory.file}-journal`, "");
      expect(readMemory(memory, throwing(failure(code)))).toBeNull();
      expect([memory.file, `${memory.file}-journal`].filter(existsSync)).toEqual([]);
      expect(said).toEqual([
        `what was seen (${memory.file}) is damaged: ${code}. It was deleted: all is read again.`,
      ]);
    },
  );

  it.each(BUGS)("hides no bug: %s", (code) => {
    const { memory } = memoryIn(temporaryFolder());
    const bug = failure(code);
    expect(() => readMemory(memory, throwing(bug))).toThrow(bug);
    expect(() => writeMemory(memory, throwing(bug))).toThrow(bug);
    expect(readFileSync(memory.file, "utf8")).toBe("sound");
  });

  it("is not deleted or talked about by who has no lock", () => {
    const { memory } = memoryIn(temporaryFolder());
    expect(readMemory({ ...memory, log: null }, throwing(damagedMemory("torn")))).toBeNull();
    expect(readFileSync(memory.file, "utf8")).toBe("sound");
  });

  it("of another version stays until it is written", () => {
    const { memory, said } = memoryIn(temporaryFolder());
    expect(readMemory(memory, throwing(otherMemory("format 9")))).toBeNull();
    expect(existsSync(memory.file)).toBe(true);
    let tries = 0;
    const write = () => {
      tries += 1;
      if (tries === 1) throw otherMemory("format 9");
      return existsSync(memory.file);
    };
    expect(writeMemory(memory, write)).toBe(false);
    expect(said).toEqual([]);
  });

  it("says the same once", () => {
    const { memory, said } = memoryIn(temporaryFolder());
    for (let time = 0; time < 3; time++) writeMemory(memory, throwing(failure("ENOSPC", "no space left")));
    expect(said).toHaveLength(1);
  });
});

it("an error is judged by what caused it", () => {
  const wrapped = (cause: unknown) => new VitrineError("catalog_unreadable", "Cannot read it.", { cause });
  expect(isMachineTrouble(wrapped(failure("SQLITE_CANTOPEN")))).toBe(true);
  expect(isDamage(wrapped(failure("SQLITE_CORRUPT")))).toBe(true);
  expect(isMachineTrouble(wrapped(failure("SQLITE_CORRUPT")))).toBe(false);
});

it("a missing file, a bug and another program's code are not the machine's trouble", () => {
  for (const code of ["ENOENT", "EBADF", "EINVAL", "EPARSE", "ECONNREFUSED", "E"])
    expect(isMachineTrouble(failure(code)), code).toBe(false);
  expect(
    isAbsent(new VitrineError("catalog_unreadable", "Cannot read it.", { cause: failure("ENOENT") })),
  ).toBe(true);
});
