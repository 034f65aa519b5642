/** Writes the table of docs/metrics.md from the help texts: `npm run docs:metrics`. */
import { readFileSync, writeFileSync } from "node:fs";
import { fillMetrics, METRICS_PAGE } from "./metrics/manual.ts";

writeFileSync(METRICS_PAGE, await fillMetrics(readFileSync(METRICS_PAGE, "utf8")));
