/** What all views have in common: a heading, the request behind it, what it shows, and the answer itself beside that. */
import type { ComponentChildren } from "preact";
import { AnswerPanel } from "./answer-panel.tsx";
import { Failure, hasFailed } from "./parts/states.tsx";
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

/** The content beside its answer. Old results stay, dimmed, while new ones are on their way. */
export function Split({ asked, children }: { asked: Asked; children: ComponentChildren }) {
  const isLate = asked.answer !== null && !asked.isCurrent && !asked.isOffline;
  return (
    <div class="split">
      <div class={isLate ? "content late" : "content"} aria-busy={!asked.isCurrent}>
        {hasFailed(asked) ? <Failure asked={asked} /> : children}
      </div>
      <AnswerPanel answer={asked.answer} />
    </div>
  );
}

interface ViewProps {
  readonly title: string;
  readonly count?: string;
  readonly rest: string;
  readonly asked: Asked;
  /** What stands between the request and its answer: filters. */
  readonly bar?: ComponentChildren;
  /** Said to who cannot see it. */
  readonly status?: string;
  readonly children: ComponentChildren;
}

export function View({ title, count, rest, asked, bar, status, children }: ViewProps) {
  return (
    <>
      <Heading title={title} {...(count === undefined ? {} : { count })} />
      <RequestBar rest={rest} asked={asked} />
      {bar}
      <p class="vh" role="status">
        {asked.isCurrent ? status : ""}
      </p>
      <Split asked={asked}>{children}</Split>
    </>
  );
}
