/** States of a view without content: loading, empty, failed. Each offers one thing to do. */
import type { ComponentChildren } from "preact";
import { failureOf } from "../failure.ts";
import { hrefOf, parseRoute, valuesOf } from "../route.ts";
import type { Asked } from "../use-answer.ts";

export function Skeleton({ count }: { count: number }) {
  return (
    <div class="skeletons" role="img" aria-label="Loading">
      {Array.from({ length: count }, (_, at) => (
        <div class="skeleton" key={at} />
      ))}
    </div>
  );
}

interface StateProps {
  readonly class?: string;
  readonly title: string;
  readonly text: string;
  readonly children?: ComponentChildren;
}

export function State({ class: more = "", title, text, children }: StateProps) {
  return (
    <div class={`state ${more}`}>
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </div>
  );
}

/** Shown over the placeholders of a slow answer, so that nothing moves. */
export function Slow({ asked }: { asked: Asked }) {
  return (
    <State class="slow" title="This takes longer than usual" text="The request is still on its way.">
      <button type="button" class="btn go" onClick={asked.again}>
        Ask again
      </button>
    </State>
  );
}

/** The address of this view without some parameters, at the first page. */
function hrefWithout(names: readonly string[]): string {
  const { path, query } = parseRoute(location.hash);
  const gone = Object.fromEntries(["page", ...names].map((name) => [name, null]));
  return hrefOf(path, { ...valuesOf(query), ...gone });
}

/** The failure and what to do about it; null if nothing failed. */
export function Failure({ asked }: { asked: Asked }) {
  const failure = failureOf(asked);
  if (failure === null) return null;
  const { title, text, again, free } = failure;
  return (
    <State title={title} text={text}>
      <div class="buttons">
        {again !== null && (
          <button type="button" class="btn go" onClick={asked.again}>
            {again}
          </button>
        )}
        {free?.canGo && (
          <a class="btn" href={hrefWithout(free.names)}>
            Clear the {free.words}
          </a>
        )}
      </div>
    </State>
  );
}
