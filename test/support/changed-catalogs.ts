import { join } from "node:path";
import Database from "better-sqlite3";
import { extractTemporarily } from "../../src/pipeline/plan.ts";
import { DEMO_CONFIG, NOW, seedDemo } from "./shop.ts";

/** The files of the example shop's catalog, after each of some changes of its database, which are made one after the other. */
export async function catalogsAfter<Step extends string>(
  folder: string,
  changes: Readonly<Record<Step, string>>,
): Promise<Record<Step, string>> {
  const store = seedDemo(folder);
  const files = {} as Record<Step, string>;
  for (const [step, sql] of Object.entries(changes) as [Step, string][]) {
    const db = new Database(store);
    db.pragma("foreign_keys = OFF");
    db.exec(sql);
    db.close();
    files[step] = join(folder, `${step}.sqlite`);
    const inputs = { store, queries: "templates/queries", config: DEMO_CONFIG, now: NOW, maxLeftOut: 1000 };
    await extractTemporarily(inputs, files[step]);
  }
  return files;
}
