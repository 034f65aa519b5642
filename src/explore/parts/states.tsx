/** What stands where an answer should: it is coming, it is empty, it failed. One way out each. */
import type { ComponentChildren } from "preact";
import { failureOf } from "../failure.ts";
import { hrefOf, parseRoute, valuesOf } from "../route.ts";
import type { Asked } from "../use-answer.ts";

export function Skeleton({ count, shape }: { count: number; shape: "card" | "line" }) {
  return (
    <div class={`skeletons ${shape}`} role="img" aria-label="Loading">
      {Array.from({ length: count }, (_, at) => (
        <div class="skeleton" key={at}>
          <span class="sk a" />
          <span class="sk" />
          <span class="sk b" />
        </div>
      ))}
    </div>
  );
}

export function State({
  title,
  text,
  children,
}: {
  title: string;
  text: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="state">
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </div>
  );
}

/** Where filters leave nothing; `href` leads to the list without them. */
export function NoMatch({ href }: { href: string }) {
  return (
    <State title="Nothing matches these filters" text="Take one away, or show everything.">
      <a class="btn" href={href}>
        Clear filters
      </a>
    </State>
  );
}

/** The page's own address without some parameters, and at the first page. */
function hrefWithout(names: readonly string[]): string {
  const { path, query } = parseRoute(location.hash);
  const gone = Object.fromEntries(["page", ...names].map((name) => [name, null]));
  return hrefOf(path, { ...valuesOf(query), ...gone });
}

/** What went wrong, and the ways out; null where nothing did. */
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
