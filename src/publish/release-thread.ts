/** The thread in which a catalog that was fetched becomes one that can be believed: whoever serves meanwhile goes on. */
import { answerMessages } from "../base/thread-pool.ts";
import { makeCatalog } from "./make-catalog.ts";

answerMessages(makeCatalog);
