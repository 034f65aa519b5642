/** `vitrine export` */
import type { Command } from "commander";
import { VitrineError } from "../base/error.ts";
import type { ExportFormat } from "../export/export.ts";
import { addOutOptions, findOut, type OutFlags } from "./inputs.ts";

const EXAMPLES = `
Examples:
  vitrine export products --csv > products.csv
  vitrine export reviews --ndjson
  vitrine export products --parquet --file products.parquet`;

interface ExportFlags extends OutFlags {
  readonly csv?: true;
  readonly ndjson?: true;
  readonly parquet?: true;
  readonly file?: string;
}

function formatOf({ csv, ndjson, parquet }: ExportFlags): ExportFormat {
  const chosen = [csv && "csv", ndjson && "ndjson", parquet && "parquet"].filter((one) => one !== undefined);
  const [format] = chosen;
  if (chosen.length === 1 && format !== undefined) return format as ExportFormat;
  throw new VitrineError("usage", "Name one format: --csv, --ndjson or --parquet.");
}

export function addExport(program: Command): void {
  const command = program
    .command("export")
    .description("write a list of the catalog as a table, for spreadsheets and analysis")
    .argument("<list>", "as the API names it: products, reviews, categories, …")
    .option("--csv", "comma-separated values, of which a spreadsheet takes none for a formula")
    .option("--ndjson", "the API's own records, one a line")
    .option("--parquet", "Apache Parquet, into a file")
    .option("--file <file>", "where to write (default: standard output)");
  addOutOptions(command)
    .addHelpText("after", EXAMPLES)
    .action(async (list: string, flags: ExportFlags) => {
      const format = formatOf(flags);
      const [{ openCatalog }, { EXPORTS, exportToFile, exportToStream }, layout] = await Promise.all([
        import("../catalog/catalog.ts"),
        import("../export/export.ts"),
        findOut(flags),
      ]);
      if (!EXPORTS.includes(list))
        throw new VitrineError("usage", `There is no list "${list}". There are ${EXPORTS.join(", ")}.`);
      const catalog = openCatalog(layout.catalog, { fragments: "file" });
      try {
        if (flags.file !== undefined) await exportToFile(catalog, list, format, flags.file);
        else if (format !== "parquet") await exportToStream(catalog, list, format, process.stdout);
        else throw new VitrineError("usage", "Parquet is no text: name its file with --file.");
      } finally {
        catalog.close();
      }
    });
}
