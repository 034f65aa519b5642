/** `vitrine export` */
import { Argument } from "commander";
import { VitrineError } from "../../base/error.ts";
import { OUT_FLAGS, openOutCatalog } from "../inputs.ts";
import { byDefault, choice, commandOf } from "../options.ts";

export const addExport = commandOf(
  {
    name: "export",
    does: "write a list of the catalog to standard output, for spreadsheets and analysis",
    takes: [new Argument("<list>", "as the API names it: products, reviews, categories, …")],
    flags: {
      format: byDefault(
        choice(
          "<format>",
          "ndjson: the API's own records, one a line; csv: comma-separated values that no spreadsheet runs as formulas",
          ["csv", "ndjson"],
        ),
        "ndjson",
      ),
      ...OUT_FLAGS,
    },
    examples: ["vitrine export products --format csv > products.csv", "vitrine export reviews"],
  },
  async ({ format, ...place }, list = "") => {
    const { EXPORTS, exportLines, writeLines } = await import("../../site/feeds/export.ts");
    if (!EXPORTS.includes(list))
      throw new VitrineError("usage", `There is no list "${list}". There are ${EXPORTS.join(", ")}.`);
    using catalog = await openOutCatalog(place);
    await writeLines(exportLines(catalog, list, format), process.stdout);
  },
);
