/** The answer as a WAI-ARIA tree: one tab stop, arrows to walk, letters to copy. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { allOpen, firstOpen, rowsOf, shownAfter, type TreeRow, type TreeState } from "./json-tree.ts";
import { CopyButton, copyText } from "./parts/copy.tsx";

function startOf(json: unknown): TreeState {
  return { open: firstOpen(json), shown: new Map() };
}

function toggled(state: TreeState, paths: readonly string[], isOpen: boolean): TreeState {
  const open = new Set(state.open);
  for (const path of paths) {
    if (isOpen) open.add(path);
    else open.delete(path);
  }
  return { ...state, open };
}

function withMore(state: TreeState, parent: string): TreeState {
  return { ...state, shown: new Map(state.shown).set(parent, shownAfter(state.shown.get(parent))) };
}

/** What a key does in a tree: where to go, or what to open. */
interface Move {
  readonly to?: number;
  readonly state?: TreeState;
  readonly copy?: string;
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function enter(row: TreeRow, state: TreeState): Move {
  if (row.kind === "more") return { state: withMore(state, row.parent) };
  if (row.isOpen === null) return {};
  return { state: toggled(state, [row.path], !row.isOpen) };
}

/** Right opens a node or goes into it, left closes it or goes out of it. */
function sideways(key: string, rows: readonly TreeRow[], at: number, state: TreeState): Move {
  const row = rows[at] as TreeRow;
  if (key === "ArrowRight") {
    if (row.isOpen === true) return { to: at + 1 };
    return row.isOpen === false || row.kind === "more" ? enter(row, state) : {};
  }
  if (row.isOpen === true) return enter(row, state);
  const parent = rows.findIndex(({ path }) => path === row.parent);
  return parent < 0 ? {} : { to: parent };
}

function moveOf(key: string, rows: readonly TreeRow[], at: number, state: TreeState): Move | null {
  const row = rows[at] as TreeRow;
  switch (key) {
    case "ArrowDown":
      return { to: Math.min(rows.length - 1, at + 1) };
    case "ArrowUp":
      return { to: Math.max(0, at - 1) };
    case "Home":
      return { to: 0 };
    case "End":
      return { to: rows.length - 1 };
    case "ArrowRight":
    case "ArrowLeft":
      return sideways(key, rows, at, state);
    case "Enter":
    case " ":
      return enter(row, state);
    case "*": {
      const beside = rows.filter(({ parent, isOpen }) => parent === row.parent && isOpen !== null);
      return {
        state: toggled(
          state,
          beside.map(({ path }) => path),
          true,
        ),
      };
    }
    case "c":
      return { copy: row.path };
    case "v":
      return { copy: valueText(row.value) };
    default:
      return null;
  }
}

const CLASSES = {
  string: "j-str",
  number: "j-num",
  literal: "j-lit",
  object: "j-sum",
  array: "j-sum",
  more: "j-sum",
};

function Row({
  row,
  isStop,
  isCurrent,
  onChoose,
}: {
  row: TreeRow;
  /** The one that Tab leads to. */
  isStop: boolean;
  isCurrent: boolean;
  onChoose: () => void;
}) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys of all its rows
    <div
      role="treeitem"
      aria-level={row.level}
      aria-setsize={row.siblings}
      aria-posinset={row.place}
      aria-selected={isCurrent}
      aria-expanded={row.isOpen ?? undefined}
      tabIndex={isStop ? 0 : -1}
      class={`row l${Math.min(row.level, 9)}${isCurrent && row.kind === "string" ? " whole" : ""}`}
      onClick={onChoose}
    >
      <span class="j-key">{row.name}</span>
      <span class={CLASSES[row.kind]}>{row.words}</span>
    </div>
  );
}

/** A tree as it is looked at. */
interface Look {
  readonly json: unknown;
  readonly state: TreeState;
  /** Path of the chosen row; "" before there is one. */
  readonly current: string;
}

/** Kept beside the drawing: keys may come faster than that. */
function useLook(json: unknown) {
  const look = useRef<Look>({ json, state: startOf(json), current: "" });
  const [, redraw] = useState({});
  if (look.current.json !== json) look.current = { json, state: startOf(json), current: "" };
  const change = (next: Partial<Look>) => {
    look.current = { ...look.current, ...next };
    redraw({});
  };
  return [look, change] as const;
}

function placeOf(rows: readonly TreeRow[], current: string): number {
  return Math.max(
    0,
    rows.findIndex(({ path }) => path === current),
  );
}

/** `json` must be an object. `children` stand beside the buttons. */
export function Tree({ json, children }: { json: unknown; children: ComponentChildren }) {
  const [look, change] = useLook(json);
  const [copied, setCopied] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const mustFocus = useRef(false);
  const { state, current } = look.current;
  const rows = rowsOf(json, state);
  const at = placeOf(rows, current);
  useEffect(() => {
    if (!mustFocus.current) return;
    mustFocus.current = false;
    (list.current?.children[at] as HTMLElement | undefined)?.focus();
  });
  const apply = (from: TreeRow, { to, state: next, copy }: Move, among: readonly TreeRow[]) => {
    mustFocus.current = true;
    change({ current: (to === undefined ? from : among[to])?.path ?? "", ...(next && { state: next }) });
    if (copy !== undefined) void copyText(copy).then(() => setCopied("Copied"));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const now = look.current;
    const present = rowsOf(now.json, now.state);
    const place = placeOf(present, now.current);
    const row = present[place];
    const move = row === undefined ? null : moveOf(event.key, present, place, now.state);
    if (row === undefined || move === null) return;
    event.preventDefault();
    apply(row, move, present);
  };
  return (
    <>
      <div class="forms">
        {children}
        <button
          type="button"
          class="link"
          onClick={() => change({ state: { ...state, open: allOpen(json) } })}
        >
          Open all
        </button>
        <button type="button" class="link" onClick={() => change({ state: { ...state, open: new Set() } })}>
          Close all
        </button>
        <span class="vh" role="status">
          {copied}
        </span>
      </div>
      <div class="tree" role="tree" aria-label="Answer as a tree" ref={list} onKeyDown={onKeyDown}>
        {rows.map((row, place) => (
          <Row
            key={row.path}
            row={row}
            isStop={place === at}
            isCurrent={row.path === current}
            onChoose={() => apply(row, enter(row, state), rows)}
          />
        ))}
      </div>
      <div class="path">
        <code>{current === "" ? "Choose a row for its path" : current}</code>
        <CopyButton class="btn small" words="Copy path" text={rows[at]?.path ?? ""} />
      </div>
    </>
  );
}
