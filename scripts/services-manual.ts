/** Writes docs/s3-services.md: `npm run docs:services`. */
import { writeFileSync } from "node:fs";
import { makeServicesPage, SERVICES_FILE } from "./services/manual.ts";

writeFileSync(SERVICES_FILE, makeServicesPage());
