/** Writes docs/cli.md: `npx node scripts/cli-manual.ts`. */
import { writeFileSync } from "node:fs";
import { MANUAL_FILE, makeManual } from "./cli/manual.ts";

writeFileSync(MANUAL_FILE, makeManual());
