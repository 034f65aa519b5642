/**
 * The script of the reference, which is complete without it: the explorer's theme, copying, and one language for all
 * examples. It is part of the page, before its body, so that the page is drawn in the right theme. The policy names its digest.
 */
import { applyStoredTheme, chooseTheme, otherTheme, presentTheme } from "../theme.ts";

const LANGUAGE = "vitrine-language";
const SHOWN_MILLISECONDS = 2000;

/** A browser may deny storage to this page: then the choice of the language lasts for this visit. */
function keepLanguage(language: string): void {
  try {
    localStorage.setItem(LANGUAGE, language);
  } catch {
    // The browser denies storage.
  }
}

function keptLanguage(): string | null {
  try {
    return localStorage.getItem(LANGUAGE);
  } catch {
    // The browser denies storage.
    return null;
  }
}

function all<E extends HTMLElement>(selector: string): E[] {
  return [...document.querySelectorAll<E>(selector)];
}

function showLanguage(language: string | null): void {
  for (const input of all<HTMLInputElement>(".languages input"))
    if (input.value === language) input.checked = true;
}

/** The other examples change their height, so the page is scrolled until the chosen one is at the same place again. */
function chooseLanguage({ target }: Event): void {
  if (!(target instanceof HTMLInputElement) || target.type !== "radio") return;
  const before = target.getBoundingClientRect().top;
  showLanguage(target.value);
  keepLanguage(target.value);
  scrollBy({ top: target.getBoundingClientRect().top - before, behavior: "instant" });
}

function startTheme(button: HTMLElement): void {
  const name = () => button.setAttribute("aria-label", `Switch to ${otherTheme(presentTheme())}`);
  name();
  button.hidden = false;
  button.onclick = () => {
    chooseTheme(otherTheme(presentTheme()));
    name();
  };
}

/** Copies the program or the answer that is visible beside the button. */
function startCopying(button: HTMLElement, status: HTMLElement | undefined): void {
  button.hidden = false;
  button.onclick = async () => {
    const texts = [...(button.closest(".panel")?.querySelectorAll("pre") ?? [])];
    await navigator.clipboard.writeText(texts.find((each) => each.checkVisibility())?.textContent ?? "");
    const show = (words: string, announced: string) => {
      button.textContent = words;
      if (status !== undefined) status.textContent = announced;
    };
    show("Copied", "Copied");
    setTimeout(() => show("Copy", ""), SHOWN_MILLISECONDS);
  };
}

applyStoredTheme();
addEventListener("DOMContentLoaded", () => {
  showLanguage(keptLanguage());
  document.addEventListener("change", chooseLanguage);
  all(".theme").forEach(startTheme);
  const [status] = all("[role=status]");
  // A page over plain HTTP may not use the clipboard.
  if (navigator.clipboard !== undefined) for (const button of all(".copy")) startCopying(button, status);
});
