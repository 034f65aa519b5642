/** `npm run docs:site -- --base /somewhere/`: the documentation as static pages in `docs-site/`. */
import { parseArgs } from "node:util";
import { buildSite } from "./docs-site/build.ts";

const { values } = parseArgs({ options: { base: { type: "string", default: "/" } } });
await buildSite("docs-site", values.base);
