/** Links to the previous and the next page, and the number of the current one. */
import type { PageWords } from "../api.ts";

interface PagesProps {
  readonly pagination: PageWords;
  readonly label: string;
  readonly hrefOf: (page: number) => string;
}

export function Pages({ pagination: { page, total_pages: last }, label, hrefOf }: PagesProps) {
  if (last <= 1 || page > last) return null;
  const step = (to: number, words: string) =>
    to < 1 || to > last ? <span class="off">{words}</span> : <a href={hrefOf(to)}>{words}</a>;
  return (
    <nav class="pages num" aria-label={label}>
      {step(page - 1, "Previous")}
      <span>
        Page {page} of {last}
      </span>
      {step(page + 1, "Next")}
    </nav>
  );
}
