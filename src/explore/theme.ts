/** Light or dark: the system's theme until the reader chooses one. */

export type Theme = "light" | "dark";
const KEY = "vitrine-theme";

/** If a browser denies storage to this page, the choice lasts as long as the page. */
function stored(): Theme | null {
  try {
    const theme = localStorage.getItem(KEY);
    return theme === "light" || theme === "dark" ? theme : null;
  } catch {
    // The browser denies storage.
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
    // The browser denies storage.
  }
}
