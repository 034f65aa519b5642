/** Bundles the widgets and the client into templates/widgets: `npx node scripts/bundle-widget.ts`. */
import { writeFileSync } from "node:fs";
import { WIDGETS } from "../src/api/endpoints.ts";
import { bundleClient, bundleWidget, clientFile, widgetFile } from "./widget/bundle.ts";

for (const name of WIDGETS) {
  const text = await bundleWidget(name);
  writeFileSync(widgetFile(name), text);
  process.stdout.write(`${widgetFile(name)}: ${text.length} characters\n`);
}

const client = await bundleClient();
writeFileSync(clientFile, client);
process.stdout.write(`${clientFile}: ${client.length} characters\n`);
