/** `vitrine export` */
import { Argument } from "commander";
import { VitrineError } from "../../base/error.ts";
import { OUT_FLAGS, openOutCatalog } from "../inputs.ts";
import { byDefault, choice, commandOf } from "../options.ts";

export const addExport = commandOf(
  {
    name: "export",
    does: "print a list of records as CSV or NDJSON, for spreadsheets",
    takes: [new Argument("<list>", "the list by its name in the API: products, reviews, categories, …")],
    flags: {
      format: byDefault(
        choice(
          "<format>",
          "ndjson: the records of the API, one a line; csv: comma-separated values, safe from running as formulas",
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
    if (!EXPORTS.includes(list)) {
      const { didYouMean } = await import("../../base/nearest.ts");
      throw new VitrineError("usage", `There is no list ${list}. ${didYouMean(list, EXPORTS)}`);
    }
    using catalog = await openOutCatalog(place);
    await writeLines(exportLines(catalog, list, format), process.stdout);
  },
);
