/** Starts the explorer. */
import { render } from "preact";
import { App } from "./app.tsx";
import { keepPlaces } from "./place.ts";
import { applyStoredTheme } from "./theme.ts";

applyStoredTheme();
keepPlaces();
const root = document.getElementById("app");
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}
