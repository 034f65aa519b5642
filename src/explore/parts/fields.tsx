/** Fields of forms: a label inside the frame, as narrow as its text. */
import { useEffect, useRef, useState } from "preact/hooks";
import { hrefOf } from "../route.ts";

export interface Choice {
  readonly value: string;
  readonly words: string;
}

export const YES_NO: readonly Choice[] = [
  { value: "", words: "All" },
  { value: "1", words: "Yes" },
  { value: "0", words: "No" },
];

/** Values as labelled choices. `without`: the value that addresses leave out, or the label for no value. */
export function choicesOf(words: Readonly<Record<string, string>>, without: string): readonly Choice[] {
  const choices = Object.entries(words).map(([value, each]) => ({
    value: value === without ? "" : value,
    words: each,
  }));
  return without in words ? choices : [{ value: "", words: without }, ...choices];
}

/** Opens a section's list with another value of a filter, at its first page. */
export function filterSetter(section: string, { page: _, ...values }: Readonly<Record<string, string>>) {
  return (name: string) => (value: string) => {
    location.hash = hrefOf([section], { ...values, [name]: value });
  };
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly class?: string;
  readonly onChange: (value: string) => void;
}

/** A value that is not among the choices is shown unchanged. */
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
  /** True if the search opens another view: only Enter or the button does that. */
  readonly isAway?: boolean;
  readonly hasButton?: boolean;
}

/** Searches while typing, a moment after the last letter. */
export function SearchField({ label, value, onSearch, isAway = false, hasButton = false }: SearchProps) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => setText(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    if (isAway) return;
    timer.current = setTimeout(() => onSearch(next.trim()), TYPING_MILLISECONDS);
  };
  const send = (event: Event) => {
    event.preventDefault();
    clearTimeout(timer.current);
    onSearch(text.trim());
  };
  return (
    <form class="find" role="search" aria-label={label} onSubmit={send}>
      <label class="field">
        <span class="vh">{label}</span>
        <input
          type="search"
          placeholder={label}
          value={text}
          maxLength={200}
          onInput={(event) => type(event.currentTarget.value)}
        />
      </label>
      {hasButton && (
        <button type="submit" class="btn go tall">
          Search
        </button>
      )}
    </form>
  );
}
