/** The reference: Scalar, bundled from its modules without what this page never shows. */
import { readFileSync } from "node:fs";
import { type Plugin, rolldown } from "rolldown";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { operationOf } from "../../src/api/envelope.ts";

/** A chat that `agent.disabled` keeps closed, 87 icons that no document of ours names, and errors in 50 languages. */
const UNUSED = /AgentScalarDrawer\.vue\.js$|^@scalar\/icons\/library$|locales\/index\.js$/;
const NOTHING = "\0nothing";

/** Of the languages to highlight, those that the page shows. */
const LANGUAGES = "{ bash, curl: curlLanguage, http, javascript: javascript$1, json, php, python, shell }";

const leaveOut: Plugin = {
  name: "leave-out",
  resolveId: (id) => (UNUSED.test(id) ? NOTHING : null),
  load(id) {
    if (id === NOTHING) return "export const LibraryIcon = () => null; export default () => null;";
    if (id.endsWith(".css")) return ""; // All of it is in Scalar's style.css.
    if (!id.endsWith("code-highlight/dist/chunks/languages.js")) return null;
    const source = readFileSync(id, "utf8");
    return source.replace(/var standardLanguages = \{[^}]*\}/, () => `var standardLanguages = ${LANGUAGES}`);
  },
};

/** Writes the script of the page and what it loads later; returns the name of the first. */
export async function bundleReference(entry: string, folder: string): Promise<string> {
  const bundle = await rolldown({
    input: { page: entry },
    platform: "browser",
    plugins: [leaveOut],
    treeshake: { moduleSideEffects: [{ test: /node_modules/, sideEffects: false }] },
    transform: {
      define: {
        __VUE_OPTIONS_API__: "false",
        __VUE_PROD_DEVTOOLS__: "false",
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
        "process.env.NODE_ENV": '"production"',
      },
    },
  });
  const names = { entryFileNames: "[name]-[hash].js", chunkFileNames: "[name]-[hash].js" };
  const { output } = await bundle.write({ dir: folder, format: "esm", minify: true, ...names });
  await bundle.close();
  return output[0].fileName;
}

/** What the page says until the reference is there: each endpoint, with where it stands there. */
export function endpointLines(): string {
  return ENDPOINTS.map((endpoint) => {
    const { path } = endpoint;
    const { tag, summary } = operationOf(endpoint);
    const place = `#tag/${tag.toLowerCase().replaceAll(" ", "-")}/GET/${path}`;
    return `<li id="${path || "status"}"><a href="${place}"><code>GET /api/v1/${path}</code></a> ${summary}</li>`;
  }).join("\n");
}
