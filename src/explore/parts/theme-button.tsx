/** Switches between light and dark. */
import { useState } from "preact/hooks";
import { chooseTheme, otherTheme, presentTheme } from "../theme.ts";

export function ThemeButton() {
  const [theme, setTheme] = useState(presentTheme);
  const other = otherTheme(theme);
  const change = () => {
    chooseTheme(other);
    setTheme(other);
  };
  return (
    <button type="button" class="btn icon" aria-label={`Switch to ${other}`} onClick={change}>
      <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
        <circle cx="9" cy="9" r="7" fill="none" stroke="currentColor" stroke-width="1.6" />
        <path d="M9 2a7 7 0 0 1 0 14z" fill="currentColor" />
      </svg>
    </button>
  );
}
