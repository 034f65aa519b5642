/** The Node that runs this, and whether the native code that was installed for it is its own. */
import Database from "better-sqlite3";
import { messageOf } from "../base/error.ts";
import { type Found, ok, problem, warning } from "./finding.ts";

function openDatabase(): void {
  new Database(":memory:").close();
}

/** Node's odd versions get no fixes once the next one is there. */
export function checkNode(version: string = process.versions.node, open: () => void = openDatabase): Found[] {
  try {
    open();
  } catch (error) {
    return [
      problem(
        `SQLite's native code does not run in Node ${version}: ${messageOf(error)}`,
        "Install again with this Node (npm ci, or npm rebuild better-sqlite3).",
      ),
    ];
  }
  if (Number.parseInt(version, 10) % 2 === 0) return [ok(`Node ${version}, with SQLite`)];
  return [
    warning(`Node ${version} gets no fixes for long: its first number is odd`, "Take an even one: an LTS."),
  ];
}
