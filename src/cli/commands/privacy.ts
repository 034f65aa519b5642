/** `vitrine privacy` */
import { replaceFile } from "../../base/write-failure.ts";
import { CONFIG_FILE, resolveInputs } from "../../config/inputs.ts";
import { byDefault, commandOf, flag, text } from "../options.ts";
import { printSummary } from "../terminal.ts";

export const addPrivacy = commandOf(
  {
    name: "privacy",
    does: "say of every table and column of the store what the SQL files make public of it, as Markdown",
    flags: {
      store: text("<place>", "the store (else `store` of the configuration)"),
      queries: text("<folder>", "the allow-list's SQL files (else `queries` of the configuration)"),
      config: byDefault(text("<file>", "configuration"), CONFIG_FILE),
      write: flag("write it to PRIVACY.md beside the configuration, in the place of what stands there"),
    },
    examples: [
      "vitrine privacy",
      "vitrine privacy --write",
      "vitrine privacy --store shop.sqlite --queries my-queries",
    ],
  },
  async ({ config, write, ...flags }) => {
    const { privacyFile, readPrivacy } = await import("../../setup/privacy.ts");
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
