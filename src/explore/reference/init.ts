/** Starts the reference on the document that stands beside it. Everything that would ask another host is off. */
import { createApiReference } from "@scalar/api-reference";
import { applyStoredTheme, chooseTheme, otherTheme, presentTheme } from "../theme.ts";

const base = new URL("../api/v1", location.href.replace(/[?#].*/s, "")).href;

/** The document's title is the store's name and "catalog API". */
function nameStore(): void {
  const title = document.querySelector("#app h1")?.textContent?.trim() ?? "";
  const name = document.getElementById("name");
  if (name !== null && title !== "") name.textContent = title.replace(/ catalog API$/, "");
}

applyStoredTheme();
// The explorer names an endpoint by its path; the placeholder says where that stands in the reference.
const wanted = document.getElementById(location.hash.slice(1))?.querySelector("a");
if (wanted) history.replaceState(null, "", wanted.hash);
// Vue would hydrate the placeholder.
document.getElementById("app")?.replaceChildren();
createApiReference("#app", {
  url: `${base}/openapi.json`,
  servers: [{ url: base }],
  theme: "none",
  forceDarkModeState: presentTheme(),
  hideDarkModeToggle: true,
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: "json",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  onLoaded: nameStore,
});
document.getElementById("request")?.addEventListener("click", ({ currentTarget }) => {
  const path = /\/GET\/(.*)$/.exec(decodeURIComponent(location.hash))?.[1] ?? "";
  (currentTarget as HTMLAnchorElement).href = `../explore/#/request?path=${encodeURIComponent(path)}`;
});
const button = document.getElementById("theme");
if (button !== null) {
  const other = otherTheme(presentTheme());
  button.hidden = false;
  button.setAttribute("aria-label", `Switch to ${other}`);
  button.addEventListener("click", () => {
    chooseTheme(other);
    location.reload(); // Scalar reads its theme once.
  });
}
