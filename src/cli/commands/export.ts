/** `vitrine export` */
import { Argument } from "commander";
import { VitrineError } from "../../base/error.ts";
import type { ExportFormat } from "../../feeds/export.ts";
import { OUT_FLAGS, openOutCatalog } from "../inputs.ts";
import { commandOf, flag, text } from "../options.ts";

export const addExport = commandOf(
  {
    name: "export",
    does: "write a list of the catalog as a table, for spreadsheets and analysis",
    takes: [new Argument("<list>", "as the API names it: products, reviews, categories, …")],
    flags: {
      csv: flag("comma-separated values, of which a spreadsheet takes none for a formula"),
      ndjson: flag("the API's own records, one a line"),
      parquet: flag("Apache Parquet, into a file"),
      file: text("<file>", "where to write (default: standard output)"),
      ...OUT_FLAGS,
    },
    examples: [
      "vitrine export products --csv > products.csv",
      "vitrine export reviews --ndjson",
      "vitrine export products --parquet --file products.parquet",
    ],
  },
  async ({ csv, ndjson, parquet, file, ...place }, list = "") => {
    const chosen = Object.entries({ csv, ndjson, parquet }).filter(([, isChosen]) => isChosen === true);
    const [[format] = []] = chosen as [ExportFormat, true][];
    if (format === undefined || chosen.length > 1)
      throw new VitrineError("usage", "Name one format: --csv, --ndjson or --parquet.");
    const { EXPORTS, exportToFile, exportToStream } = await import("../../feeds/export.ts");
    if (!EXPORTS.includes(list))
      throw new VitrineError("usage", `There is no list "${list}". There are ${EXPORTS.join(", ")}.`);
    using catalog = await openOutCatalog(place);
    if (file !== undefined) exportToFile(catalog, list, format, file);
    else if (format !== "parquet") await exportToStream(catalog, list, format, process.stdout);
    else throw new VitrineError("usage", "Parquet is no text: name its file with --file.");
  },
);
