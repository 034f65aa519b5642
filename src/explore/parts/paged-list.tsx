/** A page of a list: it is coming, there is nothing, or its records with the ways to the other pages. */
import type { ComponentChildren } from "preact";
import { type Answer, dataOf, paginationOf } from "../api.ts";
import { Pages } from "./pages.tsx";
import { State } from "./states.tsx";

interface Props<Entry> {
  readonly answer: Answer | null;
  /** What stands there until the answer does. */
  readonly skeleton: ComponentChildren;
  /** What is said where the whole list is empty. */
  readonly nothing: ComponentChildren;
  /** What the ways to other pages are called. */
  readonly label: string;
  /** Address of this list at a page; null is the first. */
  readonly hrefOf: (page: number | null) => string;
  readonly children: (entries: readonly Entry[]) => ComponentChildren;
}

function PastTheEnd({ page, last, href }: { page: number; last: number; href: string }) {
  return (
    <State title={`There is no page ${page}`} text={`The last is ${last}.`}>
      <a class="btn go" href={href}>
        Go to page {last}
      </a>
    </State>
  );
}

export function PagedList<Entry>({ answer, skeleton, nothing, label, hrefOf, children }: Props<Entry>) {
  const entries = dataOf<readonly Entry[]>(answer);
  const pagination = paginationOf(answer);
  if (entries === null || pagination === null) return skeleton;
  const { page, total_pages: last } = pagination;
  const at = (next: number) => hrefOf(next === 1 ? null : next);
  if (entries.length === 0)
    return page > last && last > 0 ? <PastTheEnd page={page} last={last} href={at(last)} /> : nothing;
  return (
    <>
      {children(entries)}
      <Pages pagination={pagination} label={label} hrefOf={at} />
    </>
  );
}
