/** Copying: the word itself says that it was done. */
import { useEffect, useState } from "preact/hooks";

/** Where the page may not use the clipboard, as over plain HTTP, the old way still works. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(text).catch(() => copySelected(text));
    return;
  }
  copySelected(text);
}

function copySelected(text: string): void {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "vh";
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

const SHOWN_MILLISECONDS = 2000;

interface CopyProps {
  readonly words: string;
  readonly text: string;
  readonly class: string;
  /** For who hears it without what stands around. */
  readonly label?: string;
}

export function CopyButton({ words, text, label, class: className }: CopyProps) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), SHOWN_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [isDone]);
  return (
    <>
      <button
        type="button"
        class={className}
        aria-label={label}
        onClick={() => void copyText(text).then(() => setDone(true))}
      >
        {isDone ? "Copied" : words}
      </button>
      <span class="vh" role="status">
        {isDone ? "Copied" : ""}
      </span>
    </>
  );
}
