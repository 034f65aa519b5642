/** The answer as nested `<details>`: only open values are rendered, and long arrays in hundreds. */
import { useState } from "preact/hooks";

/** How many entries of an array are shown at first, and added by each click on "more". */
const CHUNK = 100;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const NAMES = ["title", "name", "store_name", "question", "version", "slug", "path", "code"];

/** `("data", "0", true)` → `data[0]` */
function pathOf(parent: string, name: string, isArray: boolean): string {
  if (isArray) return `${parent}[${name}]`;
  if (!IDENTIFIER.test(name)) return `${parent}[${JSON.stringify(name)}]`;
  return parent === "" ? name : `${parent}.${name}`;
}

/** Label of a closed value: an object's title or name, or the number of its entries. */
function summaryOf(value: object): string {
  if (Array.isArray(value)) return `[ ] ${value.length} ${value.length === 1 ? "entry" : "entries"}`;
  const fields = value as Readonly<Record<string, unknown>>;
  const name = NAMES.map((each) => fields[each]).find((each) => typeof each === "string" && each !== "");
  const count = Object.keys(fields).length;
  return `{ } ${name ?? (count === 1 ? "1 field" : `${count} fields`)}`;
}

/** Open at first: the data, and of a list only its first record. */
function isOpenAtFirst(path: string): boolean {
  return ["data", "data[0]", "error"].includes(path);
}

const CLASSES: Readonly<Record<string, string>> = { string: "j-str", number: "j-num" };

interface EntryProps {
  readonly name: string;
  readonly path: string;
  readonly value: unknown;
}

function Entry({ name, path, value }: EntryProps) {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0)
    return (
      <p class="leaf" title={path}>
        <span class="j-key">{name}</span>
        <span class={CLASSES[typeof value] ?? "j-lit"}>{JSON.stringify(value)}</span>
      </p>
    );
  return <Node name={name} path={path} value={value} />;
}

function Node({ name, path, value }: EntryProps & { readonly value: object }) {
  const [isOpen, setOpen] = useState(isOpenAtFirst(path));
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary title={path}>
        <span class="j-key">{name}</span>
        <span class="j-sum">{summaryOf(value)}</span>
      </summary>
      {isOpen && <Entries path={path} value={value} />}
    </details>
  );
}

function Entries({ path, value }: { readonly path: string; readonly value: object }) {
  const [shown, setShown] = useState(CHUNK);
  const entries = Object.entries(value);
  const more = entries.length - shown;
  return (
    <div class="nested">
      {entries.slice(0, shown).map(([name, child]) => (
        <Entry key={name} name={name} path={pathOf(path, name, Array.isArray(value))} value={child} />
      ))}
      {more > 0 && (
        <button type="button" class="link" onClick={() => setShown(shown + CHUNK)}>
          {more} more
        </button>
      )}
    </div>
  );
}

export function JsonView({ json }: { readonly json: object }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <div class="raw json" tabIndex={0} role="region" aria-label="Answer as a tree">
      <Entries path="" value={json} />
    </div>
  );
}
