/** `vitrine privacy` */
import type { Command } from "commander";
import { CONFIG_FILE, resolveInputs } from "../config/inputs.ts";
import { printSummary } from "./terminal.ts";

const EXAMPLES = `
Examples:
  vitrine privacy
  vitrine privacy --write
  vitrine privacy --store shop.sqlite --queries my-queries`;

interface PrivacyFlags {
  readonly store?: string;
  readonly queries?: string;
  readonly config?: string;
  readonly write?: true;
}

async function privacy({ config, write, ...flags }: PrivacyFlags): Promise<void> {
  const { privacyFile, readPrivacy, writePrivacy } = await import("../privacy.ts");
  const { store, queries } = await resolveInputs({ ...flags, configFile: config });
  const page = await readPrivacy(store, queries);
  if (write !== true) {
    process.stdout.write(page);
    return;
  }
  const file = privacyFile(config);
  writePrivacy(file, page);
  printSummary(false, {}, [`${file}: written`]);
}

export function addPrivacy(program: Command): void {
  program
    .command("privacy")
    .description(
      "say of every table and column of the store what the SQL files make public of it, as Markdown",
    )
    .option("--store <place>", "the store (else `store` of the configuration)")
    .option("--queries <folder>", "the allow-list's SQL files (else `queries` of the configuration)")
    .option("--config <file>", "configuration", CONFIG_FILE)
    .option("--write", "write it to PRIVACY.md beside the configuration, in the place of what stands there")
    .addHelpText("after", EXAMPLES)
    .action(privacy);
}
