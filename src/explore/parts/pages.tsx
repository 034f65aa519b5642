/** Previous, 1 2 3 … 10, Next: links, each the address of its page. */
import type { PageWords } from "../api.ts";

/** The numbers that are shown; 0 stands for a gap. `(5, 10)` → 1 0 4 5 6 0 10 */
function numbersOf(page: number, last: number): number[] {
  const wanted = [
    1,
    page - 1,
    page,
    page + 1,
    last,
    ...(page < 3 ? [2, 3] : []),
    ...(page > last - 2 ? [last - 1, last - 2] : []),
  ];
  const numbers = [...new Set(wanted)].filter((n) => n >= 1 && n <= last).sort((a, b) => a - b);
  return numbers.flatMap((n, at) => {
    const before = numbers[at - 1] ?? 0;
    return n - before > 1 ? [0, n] : [n];
  });
}

interface PagesProps {
  readonly pagination: PageWords;
  readonly label: string;
  readonly hrefOf: (page: number) => string;
}

export function Pages({ pagination: { page, total_pages: last }, label, hrefOf }: PagesProps) {
  if (last <= 1) return null;
  const step = (to: number, words: string) =>
    to < 1 || to > last ? (
      <span class="off">{words}</span>
    ) : (
      <a href={hrefOf(to)} rel={words === "Next" ? "next" : "prev"}>
        {words}
      </a>
    );
  return (
    <nav class="pages num" aria-label={label}>
      {step(page - 1, "Previous")}
      {numbersOf(page, last).map((n, at) =>
        n === 0 ? (
          <i key={`gap${at}`} aria-hidden="true">
            …
          </i>
        ) : (
          <a
            key={n}
            class="n"
            href={hrefOf(n)}
            aria-label={`Page ${n}`}
            aria-current={n === page ? "page" : undefined}
          >
            {n}
          </a>
        ),
      )}
      <span class="of">
        Page {page} of {last}
      </span>
      {step(page + 1, "Next")}
    </nav>
  );
}
