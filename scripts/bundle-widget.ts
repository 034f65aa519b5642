/** Bundles the review widget into templates/widgets: `npx node scripts/bundle-widget.ts`. */
import { writeFileSync } from "node:fs";
import { bundleWidget, WIDGET_FILE } from "./widget/bundle.ts";

const text = await bundleWidget();
writeFileSync(WIDGET_FILE, text);
process.stdout.write(`${WIDGET_FILE}: ${text.length} characters\n`);
