/** Fields of forms: a label inside the frame, as narrow as its words. */
import { useEffect, useRef, useState } from "preact/hooks";

export interface Choice {
  readonly value: string;
  readonly words: string;
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly class?: string;
  readonly onChange: (value: string) => void;
}

/** A value that is not among the choices stands as it is. */
export function ChoiceField({ label, value, choices, class: className = "", onChange }: ChoiceProps) {
  const isKnown = choices.some((choice) => choice.value === value);
  return (
    <label class={`field ${className}`}>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {!isKnown && <option value={value}>{value}</option>}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.words}
          </option>
        ))}
      </select>
    </label>
  );
}

const TYPING_MILLISECONDS = 350;

interface SearchProps {
  readonly label: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
}

/** Searches while one types, a moment after the last letter. */
export function SearchField({ label, value, onSearch }: SearchProps) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => setText(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onSearch(next.trim()), TYPING_MILLISECONDS);
  };
  const send = (event: Event) => {
    event.preventDefault();
    clearTimeout(timer.current);
    onSearch(text.trim());
  };
  return (
    <form class="find" role="search" onSubmit={send}>
      <label class="field">
        <span class="vh">{label}</span>
        <svg
          width="16"
          height="16"
          viewBox="0 0 16 16"
          fill="none"
          stroke="currentColor"
          stroke-width="1.6"
          aria-hidden="true"
        >
          <circle cx="7" cy="7" r="4.8" />
          <path d="m10.6 10.6 4 4" />
        </svg>
        <input
          type="search"
          placeholder={label}
          value={text}
          maxLength={200}
          onInput={(event) => type(event.currentTarget.value)}
        />
      </label>
    </form>
  );
}
