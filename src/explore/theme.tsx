/** Light or dark: as the system says, until somebody says otherwise here. */
import { useState } from "preact/hooks";

type Theme = "light" | "dark";
const KEY = "vitrine-theme";

/** Where a browser keeps nothing for this page, the choice lasts as long as the page. */
function stored(): Theme | null {
  try {
    const theme = localStorage.getItem(KEY);
    return theme === "light" || theme === "dark" ? theme : null;
  } catch {
    return null;
  }
}

function apply(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
}

/** Before anything is drawn. */
export function applyStoredTheme(): void {
  const theme = stored();
  if (theme !== null) apply(theme);
}

export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(
    () => stored() ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"),
  );
  const other = theme === "dark" ? "light" : "dark";
  const change = () => {
    apply(other);
    setTheme(other);
    try {
      localStorage.setItem(KEY, other);
    } catch {
      // Kept nowhere.
    }
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
