/** Bundles the widgets and the client, and writes the texts, into templates/widgets: `npx node scripts/bundle-widget.ts`. */
import { writeFileSync } from "node:fs";
import { WIDGET_LANGUAGES, WIDGETS } from "../src/api/endpoints.ts";
import {
  bundleClient,
  bundleJsonLd,
  bundleWidget,
  clientFile,
  jsonLdFile,
  textsFile,
  textsOf,
  widgetFile,
} from "./widget/bundle.ts";

for (const name of WIDGETS) {
  const text = await bundleWidget(name);
  writeFileSync(widgetFile(name), text);
  process.stdout.write(`${widgetFile(name)}: ${text.length} characters\n`);
}

writeFileSync(jsonLdFile, await bundleJsonLd());
for (const language of WIDGET_LANGUAGES) writeFileSync(textsFile(language), textsOf(language));

const client = await bundleClient();
writeFileSync(clientFile, client);
process.stdout.write(`${clientFile}: ${client.length} characters\n`);
