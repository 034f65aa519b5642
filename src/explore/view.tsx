/** What all views have in common: a heading, the request behind it, what it shows, and the answer itself beside that. */
import type { ComponentChildren } from "preact";
import { AnswerPanel } from "./answer-panel.tsx";
import { failureOf } from "./failure.ts";
import { Failure } from "./parts/states.tsx";
import { RequestBar } from "./request-bar.tsx";
import type { Asked } from "./use-answer.ts";

export function Heading({
  title,
  count,
  children,
}: {
  title: string;
  count?: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="h">
      <h1 tabIndex={-1}>{title}</h1>
      {count !== undefined && <span class="num">{count}</span>}
      {children}
    </div>
  );
}

/** Where who turns a page goes on reading. */
export const RESULTS_ID = "results";

interface SplitProps {
  readonly asked: Asked;
  /** What came, said to who cannot see it. */
  readonly status?: string | undefined;
  readonly children: ComponentChildren;
}

/** The content beside its answer. Old results stay, dimmed, while new ones are on their way. */
export function Split({ asked, status, children }: SplitProps) {
  const isLate = asked.answer !== null && !asked.isCurrent && !asked.isOffline;
  const failure = failureOf(asked);
  return (
    <>
      <p class="vh" role="status">
        {failure !== null ? failure.title : asked.isCurrent ? status : ""}
      </p>
      <div class="split">
        <section
          class={isLate ? "content late" : "content"}
          id={RESULTS_ID}
          tabIndex={-1}
          aria-label="Results"
          aria-busy={!asked.isCurrent && !asked.isOffline}
        >
          {failure !== null ? <Failure asked={asked} /> : children}
        </section>
        <AnswerPanel answer={asked.answer} />
      </div>
    </>
  );
}

interface ViewProps {
  readonly title: string;
  readonly count?: string;
  readonly rest: string;
  readonly asked: Asked;
  /** What stands between the request and its answer: filters. */
  readonly bar?: ComponentChildren;
  /** What came, said to who cannot see it. */
  readonly status?: string | undefined;
  readonly children: ComponentChildren;
}

export function View({ title, count, rest, asked, bar, status, children }: ViewProps) {
  return (
    <>
      <Heading title={title} {...(count === undefined ? {} : { count })} />
      <RequestBar rest={rest} asked={asked} />
      {bar}
      <Split asked={asked} status={status}>
        {children}
      </Split>
    </>
  );
}
