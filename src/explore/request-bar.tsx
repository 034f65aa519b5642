/** The request behind a view: its address, what came, and how to ask the same elsewhere. */
import type { Answer } from "./api.ts";
import { urlOf } from "./api.ts";
import { formatBytes, formatMilliseconds } from "./format.ts";
import { CopyButton } from "./parts/copy.tsx";
import { SAMPLES, sampleOf } from "./samples.ts";
import type { Asked } from "./use-answer.ts";

/** The address with its parameters' names set apart. */
function Address({ url }: { url: string }) {
  const [path = "", query = ""] = url.split(/\?(.*)/s, 2);
  const { origin } = new URL(url);
  const parts = query === "" ? [] : query.split("&");
  return (
    <code>
      <span class="host">{origin}</span>
      {path.slice(origin.length)}
      {parts.map((part, at) => {
        const [name = "", value = ""] = part.split(/=(.*)/s, 2);
        return (
          <span key={part}>
            <wbr />
            {at === 0 ? "?" : "&"}
            <span class="name">{name}</span>={value}
          </span>
        );
      })}
    </code>
  );
}

const SOURCES = {
  file: { chip: "File", class: "chip ok" },
  fallback: { chip: "Fallback", class: "chip warn" },
  cache: { chip: "Browser cache", class: "chip" },
};

function SourceWords({ answer }: { answer: Answer }) {
  const { chip, class: className } = SOURCES[answer.source];
  const text =
    answer.source === "fallback"
      ? `No file for this; the fallback answered: ${answer.sourceWords}.`
      : `A file answered: ${answer.sourceWords}`;
  return (
    <span class="source" title={text}>
      <b class={className}>{chip}</b>
      {answer.source === "fallback" ? <span>{answer.sourceWords}</span> : <code>{answer.sourceWords}</code>}
    </span>
  );
}

function Outcome({ answer }: { answer: Answer }) {
  const isGood = answer.status < 400;
  return (
    <>
      <span class={isGood ? "status good" : answer.status === 429 ? "status slow" : "status bad"}>
        {answer.statusWords}
      </span>
      <SourceWords answer={answer} />
      <span class="num">{formatMilliseconds(answer.milliseconds)}</span>
      <span class="num">{formatBytes(answer.sizeBytes)}</span>
    </>
  );
}

export function RequestBar({ rest, asked, label }: { rest: string; asked: Asked; label?: string }) {
  const { answer, isCurrent } = asked;
  const url = answer?.rest === rest ? answer.url : urlOf(rest);
  return (
    <section class="req" aria-label={label ?? "The request behind this view"}>
      <div class="req-url">
        <span class="get">GET</span>
        <Address url={url} />
      </div>
      <div class="req-meta">
        {answer !== null && isCurrent ? (
          <Outcome answer={answer} />
        ) : (
          <span class="status wait">On its way</span>
        )}
        <span class="copies">
          <span aria-hidden="true">Copy</span>
          {SAMPLES.map((sample) => (
            <CopyButton
              key={sample}
              class="link"
              words={sample}
              label={`Copy as ${sample}`}
              text={sampleOf(sample, url, rest)}
            />
          ))}
        </span>
      </div>
    </section>
  );
}
