/** What stands where an answer should: it is coming, it is empty, it failed. One way out each. */
import type { ComponentChildren } from "preact";
import { errorOf } from "../api.ts";
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

/** What went wrong, and one button; null where nothing did. */
export function Failure({ asked }: { asked: Asked }) {
  const { answer, isCurrent, isOffline, waitSeconds, again } = asked;
  const button = (words: string) => (
    <button type="button" class="btn go" onClick={again}>
      {words}
    </button>
  );
  if (isOffline)
    return (
      <State title="No connection" text="This page can't reach the store. Check the connection.">
        {button("Try again")}
      </State>
    );
  const error = isCurrent ? errorOf(answer) : null;
  if (answer === null || error === null) return null;
  if (answer.status === 429)
    return (
      <State
        title="Too many requests"
        text={waitSeconds === null ? error.message : `Trying again in ${waitSeconds} seconds.`}
      >
        {button("Try now")}
      </State>
    );
  const title = answer.status === 404 ? "Not found" : "The store answered with an error";
  return (
    <State title={title} text={error.message}>
      {answer.status >= 500 && button("Try again")}
    </State>
  );
}

export function hasFailed({ answer, isCurrent, isOffline }: Asked): boolean {
  return isOffline || (isCurrent && errorOf(answer) !== null);
}
