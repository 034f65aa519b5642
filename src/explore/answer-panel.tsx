/** The answer: as a tree of values, or as text below its headers. */
import { useEffect, useState } from "preact/hooks";
import { type Answer, paginationOf } from "./api.ts";
import { formatBytes, formatCount } from "./format.ts";
import { JsonView } from "./json-view.tsx";

/** Larger answers are shown as text first. */
const MOST_TREE_BYTES = 1e6;

const FORMS = ["Tree", "Raw"] as const;
type Form = (typeof FORMS)[number];

function isObject(json: unknown): json is object {
  return typeof json === "object" && json !== null;
}

function firstForm(answer: Answer): Form {
  return isObject(answer.json) && answer.sizeBytes <= MOST_TREE_BYTES ? "Tree" : "Raw";
}

function summaryOf(answer: Answer): string {
  const pagination = paginationOf(answer);
  const { data } = (answer.json ?? {}) as { data?: unknown };
  const form = answer.json === undefined ? "Text" : "JSON";
  if (!Array.isArray(data)) return `${form}, ${formatBytes(answer.sizeBytes)}`;
  return `JSON, ${formatCount(data.length)} of ${formatCount(pagination?.total ?? data.length)}`;
}

function Raw({ answer }: { answer: Answer }) {
  const headers = answer.headers.map(([name, value]) => `${name}: ${value}\n`);
  const text = answer.json === undefined ? answer.text : JSON.stringify(answer.json, null, 2);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <pre class="raw" tabIndex={0} role="region" aria-label="Answer as text">
      {headers.join("")}
      {"\n"}
      {text}
    </pre>
  );
}

/** Open at first if there is room for it, or if the view shows nothing else. */
export function AnswerPanel({ answer, isOpen }: { answer: Answer | null; isOpen: boolean }) {
  const [form, setForm] = useState<Form | null>(null);
  const [open, setOpen] = useState(isOpen || innerWidth > 1020);
  useEffect(() => setForm(null), [answer?.rest]);
  if (answer === null) return <div class="answer" aria-hidden="true" />;
  const shown = form ?? firstForm(answer);
  return (
    <details class="answer" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Answer<span class="num">{summaryOf(answer)}</span>
      </summary>
      {open && (
        <>
          <div class="choices" role="group" aria-label="Form of the answer">
            {FORMS.map((each) => (
              <button key={each} type="button" aria-pressed={each === shown} onClick={() => setForm(each)}>
                {each}
              </button>
            ))}
          </div>
          {shown === "Tree" && isObject(answer.json) && <JsonView key={answer.rest} json={answer.json} />}
          {shown === "Raw" && <Raw answer={answer} />}
        </>
      )}
    </details>
  );
}
