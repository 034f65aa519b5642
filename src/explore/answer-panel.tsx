/** What came: as a tree, as text, and its headers. */
import { useEffect, useState } from "preact/hooks";
import { type Answer, paginationOf } from "./api.ts";
import { formatBytes, formatCount } from "./format.ts";
import { Tree } from "./tree.tsx";

/** Larger answers are shown as text first: a tree of megabytes takes the page's breath away. */
const MOST_TREE_BYTES = 1e6;

const FORMS = ["Tree", "Raw", "Headers"] as const;
type Form = (typeof FORMS)[number];

function firstForm(answer: Answer): Form {
  const isTree =
    typeof answer.json === "object" && answer.json !== null && answer.sizeBytes <= MOST_TREE_BYTES;
  return isTree ? "Tree" : "Raw";
}

function summaryOf(answer: Answer): string {
  const pagination = paginationOf(answer);
  const { data } = (answer.json ?? {}) as { data?: unknown };
  const form = answer.json === undefined ? "Text" : "JSON";
  if (!Array.isArray(data)) return `${form}, ${formatBytes(answer.sizeBytes)}`;
  return `JSON, ${formatCount(data.length)} of ${formatCount(pagination?.total ?? data.length)}`;
}

function Headers({ answer }: { answer: Answer }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <div class="raw" tabIndex={0} role="region" aria-label="Headers of the answer">
      <dl>
        {answer.headers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Raw({ answer }: { answer: Answer }) {
  const text = answer.json === undefined ? answer.text : JSON.stringify(answer.json, null, 2);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <pre class="raw" tabIndex={0} role="region" aria-label="Answer as text">
      {text}
    </pre>
  );
}

/** `isOpen`: at first, where there is room for it. */
export function AnswerPanel({ answer, isOpen = true }: { answer: Answer | null; isOpen?: boolean }) {
  const [form, setForm] = useState<Form | null>(null);
  const [open, setOpen] = useState(isOpen && innerWidth > 1020);
  useEffect(() => setForm(null), [answer?.rest]);
  if (answer === null) return <div class="answer" aria-hidden="true" />;
  const shown = form ?? firstForm(answer);
  const forms = (
    <span class="choices" role="group" aria-label="Form of the answer">
      {FORMS.map((each) => (
        <button key={each} type="button" aria-pressed={each === shown} onClick={() => setForm(each)}>
          {each}
        </button>
      ))}
    </span>
  );
  return (
    <details class="answer" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Answer<span class="num">{summaryOf(answer)}</span>
      </summary>
      {open && (
        <>
          {shown === "Tree" ? <Tree json={answer.json}>{forms}</Tree> : <div class="forms">{forms}</div>}
          {shown === "Raw" && <Raw answer={answer} />}
          {shown === "Headers" && <Headers answer={answer} />}
        </>
      )}
    </details>
  );
}
