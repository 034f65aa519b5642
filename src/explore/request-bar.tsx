/** The request behind a view: its address, which can be edited, the status of its answer, and the same request as code. */
import { useEffect, useId, useState } from "preact/hooks";
import { type Answer, BASE, type Source, urlOf } from "./api.ts";
import { formatBytes, formatMilliseconds } from "./format.ts";
import { CopyButton, canCopy } from "./parts/copy.tsx";
import { hrefOf } from "./route.ts";
import { SAMPLES, sampleOf } from "./samples.ts";
import { restFrom } from "./target.ts";
import type { Asked } from "./use-answer.ts";

/** The address below the API's base; Enter sends the request. */
function Address({ url }: { url: string }) {
  const path = url.slice(BASE.length) || "/";
  const [typed, setTyped] = useState(path);
  useEffect(() => setTyped(path), [path]);
  const send = (event: Event) => {
    event.preventDefault();
    location.hash = hrefOf(["request"], { path: restFrom(typed, BASE) });
  };
  return (
    <form class="req-url" onSubmit={send}>
      <span class="get">GET</span>
      <label class="field">
        <span class="host">{BASE}</span>
        <input
          aria-label="Request"
          value={typed}
          maxLength={2000}
          autoComplete="off"
          autocapitalize="off"
          spellcheck={false}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="btn">
        Send
      </button>
    </form>
  );
}

const SOURCES = {
  file: "File",
  fallback: "Fallback",
  cache: "Cached",
  missing: "No file",
  unanswered: "No answer",
} as const satisfies Record<NonNullable<Source>, string>;

function SourceChip({ answer: { source, status } }: { answer: Answer }) {
  // The rate limit answers before a file or the fallback does.
  if (source === null || status === 429) return null;
  return <b class={source === "file" ? "chip ok" : "chip"}>{SOURCES[source]}</b>;
}

/** Red is for faults. A rate limit, or a request that only a server can answer, is not one. */
function statusClass({ status, isUnanswered }: Answer): string {
  if (status === 429 || isUnanswered) return "status limit";
  return status < 400 ? "status good" : "status bad";
}

/** A web page instead of JSON is not an answer, with any status. */
function statusWords({ source, status, statusWords }: Answer): string {
  return source === "missing" && status < 400 ? "No answer" : statusWords;
}

function Outcome({ answer }: { answer: Answer }) {
  return (
    <>
      <span class={statusClass(answer)}>{statusWords(answer)}</span>
      <span class="source" title={answer.sourceWords}>
        <SourceChip answer={answer} />
        <span>{answer.sourceWords}</span>
      </span>
      <span class="num">
        {formatMilliseconds(answer.milliseconds)}, {formatBytes(answer.sizeBytes)}
      </span>
    </>
  );
}

/** On a phone the bar is one line until it is tapped. */
function Line({ asked, path, isOpen, onTap }: LineProps) {
  const { answer, isCurrent } = asked;
  return (
    <button type="button" class="req-line" aria-expanded={isOpen} onClick={onTap}>
      <span class="get">GET</span>
      <code>{path}</code>
      {answer !== null && isCurrent && (
        <>
          <span class={statusClass(answer)}>{answer.isUnanswered ? "" : answer.status}</span>
          <SourceChip answer={answer} />
        </>
      )}
      {asked.isOffline && <span class="status limit">No connection</span>}
    </button>
  );
}

interface LineProps {
  readonly asked: Asked;
  readonly path: string;
  readonly isOpen: boolean;
  readonly onTap: () => void;
}

interface BarProps {
  readonly rest: string;
  readonly asked: Asked;
  readonly label?: string | undefined;
  /** True if the view shows the request itself. */
  readonly isOpen?: boolean;
}

export function RequestBar({
  rest,
  asked,
  label = "The request behind this view",
  isOpen: isFirst = false,
}: BarProps) {
  const { answer, isCurrent } = asked;
  const titleId = useId();
  const [isOpen, setOpen] = useState(isFirst);
  const path = rest.split("?", 1)[0];
  const url = answer?.rest === rest ? answer.url : urlOf(rest);
  return (
    <section class={isOpen ? "req open" : "req"} aria-labelledby={titleId}>
      <h2 class="vh" id={titleId}>
        {label}
      </h2>
      <Line
        asked={asked}
        path={url.slice(BASE.length) || "/"}
        isOpen={isOpen}
        onTap={() => setOpen(!isOpen)}
      />
      <Address url={url} />
      <div class="req-meta">
        {answer !== null && isCurrent ? (
          <Outcome answer={answer} />
        ) : (
          <span class={asked.isOffline ? "status limit" : "status wait"}>
            {asked.isOffline ? "No connection" : "Loading"}
          </span>
        )}
        <span class="copies">
          {canCopy && <span aria-hidden="true">Copy</span>}
          {SAMPLES.map((sample) => (
            <CopyButton
              key={sample}
              class="link"
              words={sample}
              label={`Copy as ${sample}`}
              text={sampleOf(sample, url)}
            />
          ))}
          <a class="link" href={`../docs/#${path || "status"}`}>
            Reference
          </a>
        </span>
      </div>
    </section>
  );
}
