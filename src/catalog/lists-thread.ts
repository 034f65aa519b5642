/** The thread of {@link ListsThread}. */
import { workerData } from "node:worker_threads";
import { shareArrays } from "../base/shared-arrays.ts";
import { answerMessages } from "../base/thread-pool.ts";
import { openCatalog } from "./catalog.ts";
import type { ListsAnswer, ListsOrder } from "./lists.ts";

const { file } = workerData as { readonly file: string };
answerMessages(({ name, form }: ListsOrder): ListsAnswer => {
  const catalog = openCatalog(file, { fragments: "file" });
  try {
    const made = form === "rows" ? { rows: catalog.rowLists(name) } : { table: catalog.table(name).pack() };
    return shareArrays(made);
  } finally {
    catalog.close();
  }
});
