/** Light or dark: as the system says, until somebody chooses. */

export type Theme = "light" | "dark";
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

export function presentTheme(): Theme {
  return stored() ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

export function otherTheme(theme: Theme): Theme {
  return theme === "dark" ? "light" : "dark";
}

/** Before anything is drawn. */
export function applyStoredTheme(): void {
  const theme = stored();
  if (theme !== null) document.documentElement.dataset["theme"] = theme;
}

export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Kept nowhere.
  }
}
