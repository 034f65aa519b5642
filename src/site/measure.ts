/** Makes files only to learn their digests and sizes, by key. */
import { hash } from "node:crypto";
import { toMetaTime } from "../base/time.ts";
import { reusedMemory } from "../catalog/envelope.ts";
import type { MadeFile } from "./made-file.ts";

/** As long as any time. */
const NO_TIME = toMetaTime("1970-01-01 00:00:00");

interface Measured {
  /** SHA-256, hexadecimal. */
  readonly digest: string;
  readonly sizeBytes: number;
}

/** Makes files one after the other and keeps none. Only for files without a time in them: feeds, pages, widgets. */
export function measureFiles(files: Iterable<MadeFile>): Map<string, Measured> {
  const measured = new Map<string, Measured>();
  const putFile = (key: string) => {
    const found = measured.get(key);
    return found === undefined ? null : { digest: found.digest, generatedAt: NO_TIME };
  };
  const ports = { allocate: reusedMemory(), putFile };
  for (const file of files) {
    const { bytes } = file.make(ports);
    measured.set(file.key, { digest: hash("sha256", bytes, "hex"), sizeBytes: bytes.length });
  }
  return measured;
}
