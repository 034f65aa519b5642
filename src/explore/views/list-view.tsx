/** The list of a section: its filters, its records page by page, and the request behind them. */
import type { ComponentChildren } from "preact";
import { dataOf, paginationOf } from "../api.ts";
import { formatCount, pageWords } from "../format.ts";
import { PagedList } from "../parts/paged-list.tsx";
import { hrefOf, type Route, valuesOf } from "../route.ts";
import { restOf } from "../target.ts";
import { useAnswer } from "../use-answer.ts";
import { View } from "../view.tsx";

interface Props<Entry> {
  /** Its section is named like the endpoint. */
  readonly route: Route;
  readonly title: string;
  /** What one is called, and several. */
  readonly nouns: readonly [one: string, many: string];
  /** Filters, by their values; some offer what the records have that are shown. */
  readonly bar: (values: Readonly<Record<string, string>>, entries: readonly Entry[]) => ComponentChildren;
  /** What stands there until the answer does. */
  readonly skeleton: ComponentChildren;
  /** What is said where the whole list is empty. */
  readonly nothing: ComponentChildren;
  readonly class: string;
  readonly children: (entry: Entry) => ComponentChildren;
}

export function ListView<Entry extends { readonly id: number }>(props: Props<Entry>) {
  const { route, title, nouns, bar, skeleton, nothing, class: className, children } = props;
  const [section = ""] = route.path;
  const values = valuesOf(route.query);
  const rest = restOf(section, values);
  const asked = useAnswer(rest);
  const pagination = paginationOf(asked.answer);
  return (
    <View
      title={title}
      {...(pagination === null ? {} : { count: formatCount(pagination.total) })}
      rest={rest}
      asked={asked}
      status={pageWords(pagination, ...nouns)}
      bar={bar(values, dataOf<readonly Entry[]>(asked.answer) ?? [])}
    >
      <PagedList<Entry>
        answer={asked.answer}
        skeleton={skeleton}
        nothing={nothing}
        label={`Pages of ${nouns[1]}`}
        hrefOf={(page) => hrefOf([section], { ...values, page })}
      >
        {(entries) => (
          <ul class={className}>
            {entries.map((entry) => (
              <li key={entry.id}>{children(entry)}</li>
            ))}
          </ul>
        )}
      </PagedList>
    </View>
  );
}
