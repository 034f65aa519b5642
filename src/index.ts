/** The package for programs: build a store, publish what came out, read it. For pages and other clients: `vitrine/api`. */
export * from "./api/types.ts";
export { type ErrorCode, VitrineError } from "./base/error.ts";
export type { JsonChange } from "./base/json-difference.ts";
export type { Counted, Log, Progress } from "./base/log.ts";
export type { BuildOptions } from "./config/inputs.ts";
export type { ConfigInput } from "./config/load.ts";
export { build } from "./pipeline/build.ts";
export type { BuildReport } from "./pipeline/build-report.ts";
export {
  type DiffOptions,
  type DiffReport,
  type DiffSide,
  diff,
  diffAnswer,
  type KeyReport,
} from "./pipeline/diff.ts";
export { type PublishOptions, type PublishReport, publishFolder as publish } from "./pipeline/publish.ts";
export { type WatchFailure, type WatchOptions, watch } from "./pipeline/watch.ts";
export {
  type CatalogResponse,
  type OpenCatalog,
  openPublicCatalog as openCatalog,
} from "./serve/read-catalog.ts";
export { type OpenFolder, openFolder } from "./serve/read-folder.ts";
