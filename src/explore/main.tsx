/** Starts the explorer. */
import { render } from "preact";
import { App } from "./app.tsx";
import { applyStoredTheme } from "./theme.ts";

applyStoredTheme();
const root = document.getElementById("app");
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}
