/** A thread that makes the row lists of resources, for threads to have in common. */
import { workerData } from "node:worker_threads";
import { shareArrays } from "../base/shared-arrays.ts";
import { answerMessages } from "../base/thread-pool.ts";
import { openCatalog } from "../catalog/catalog.ts";
import type { ResourceName } from "../catalog/resources.ts";
import type { RowLists } from "../catalog/row-lists.ts";

export interface RowListsData {
  /** Its file. */
  readonly catalog: string;
}

export interface RowListsOrder {
  readonly name: ResourceName;
}

const { catalog: file } = workerData as RowListsData;
answerMessages(({ name }: RowListsOrder): RowLists => {
  const catalog = openCatalog(file, { fragments: "file" });
  try {
    return shareArrays(catalog.rowLists(name));
  } finally {
    catalog.close();
  }
});
