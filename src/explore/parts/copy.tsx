/** A button that copies a text and then says so. */
import { useEffect, useState } from "preact/hooks";

const SHOWN_MILLISECONDS = 2000;

/** A page over plain HTTP may not use the clipboard. */
export const canCopy = navigator.clipboard !== undefined;

interface CopyProps {
  readonly words: string;
  readonly text: string;
  readonly class: string;
  /** For screen readers, without the context. */
  readonly label?: string;
}

export function CopyButton({ words, text, label, class: className }: CopyProps) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), SHOWN_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [isDone]);
  if (!canCopy) return null;
  return (
    <>
      <button
        type="button"
        class={className}
        aria-label={label}
        onClick={() => void navigator.clipboard.writeText(text).then(() => setDone(true))}
      >
        {isDone ? "Copied" : words}
      </button>
      <span class="vh" role="status">
        {isDone ? "Copied" : ""}
      </span>
    </>
  );
}
