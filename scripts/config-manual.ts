/** Writes docs/configuration.md: `npm run docs:config`. */
import { writeFileSync } from "node:fs";
import { CONFIGURATION_FILE, makeConfigurationReference } from "./config/manual.ts";

writeFileSync(CONFIGURATION_FILE, makeConfigurationReference());
