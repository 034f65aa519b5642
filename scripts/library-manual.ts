/** Writes the tables of docs/library.md from the types: `npm run docs:library`. */
import { readFileSync, writeFileSync } from "node:fs";
import { fillTables, LIBRARY_FILE } from "./library/manual.ts";

writeFileSync(LIBRARY_FILE, fillTables(readFileSync(LIBRARY_FILE, "utf8")));
