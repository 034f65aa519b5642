/** Bundles the widgets into templates/widgets: `npx node scripts/bundle-widget.ts`. */
import { writeFileSync } from "node:fs";
import { WIDGETS } from "../src/api/endpoints.ts";
import { bundleWidget, widgetFile } from "./widget/bundle.ts";

for (const name of WIDGETS) {
  const text = await bundleWidget(name);
  writeFileSync(widgetFile(name), text);
  process.stdout.write(`${widgetFile(name)}: ${text.length} characters\n`);
}
