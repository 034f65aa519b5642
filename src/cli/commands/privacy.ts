/** `vitrine privacy` */
import { replaceFile } from "../../base/write-failure.ts";
import { resolveInputs } from "../../config/inputs.ts";
import { INPUT_FLAGS } from "../inputs.ts";
import { commandOf, flag } from "../options.ts";
import { printSummary } from "../terminal.ts";

export const addPrivacy = commandOf(
  {
    name: "privacy",
    does: "list what becomes public, by table and column, as Markdown",
    flags: {
      store: INPUT_FLAGS.store,
      queries: INPUT_FLAGS.queries,
      config: INPUT_FLAGS.config,
      write: flag("write it to PRIVACY.md beside the configuration, and replace the file"),
    },
    examples: [
      "vitrine privacy",
      "vitrine privacy --write",
      "vitrine privacy --store shop.sqlite --queries my-queries",
    ],
  },
  async ({ config, write, ...flags }) => {
    const { privacyFile, readPrivacy } = await import("../../setup/privacy/page.ts");
    const { store, queries } = await resolveInputs({ ...flags, configFile: config });
    const page = await readPrivacy(store, queries);
    if (write !== true) {
      process.stdout.write(page);
      return;
    }
    const file = privacyFile(config);
    replaceFile(file, page);
    printSummary(false, {}, [`${file}: written`]);
  },
);
