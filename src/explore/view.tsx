/** The frame of all views: a heading, the request behind it, the content, and the answer next to it. */
import { type ComponentChildren, Fragment } from "preact";
import { AnswerPanel } from "./answer-panel.tsx";
import { dataOf, paginationOf } from "./api.ts";
import { failureOf, NOT_FOUND } from "./failure.ts";
import { countWords, formatCount, formatDay, pageWords } from "./format.ts";
import { Pages } from "./parts/pages.tsx";
import { Failure, Skeleton, Slow, State } from "./parts/states.tsx";
import { RequestBar } from "./request-bar.tsx";
import { hrefOf } from "./route.ts";
import { soughtIn } from "./target.ts";
import { useTitle } from "./title.ts";
import { type Asked, useAnswer } from "./use-answer.ts";

/** The heading of a view, which is the document's title, too. */
export function Heading({ title, count }: { title: string; count?: string | undefined }) {
  useTitle(title);
  return (
    <div class="h">
      <h1 tabIndex={-1} dir="auto">
        {title}
      </h1>
      {count !== undefined && <span class="num">{count}</span>}
    </div>
  );
}

/** The content of a view: reading continues here after another page of a list is opened. */
export const RESULTS_ID = "results";

interface SplitProps {
  readonly asked: Asked;
  /** The answer in words, for screen readers. */
  readonly status?: string;
  /** True if the view shows the answer itself. */
  readonly isWhole?: boolean;
  readonly children: ComponentChildren;
}

/** True if the API gave no answer. */
function hasNoAnswer({ answer, isCurrent, isOffline }: Asked): boolean {
  return isOffline || (isCurrent && answer?.isUnanswered === true);
}

/** Says that the search text was corrected. */
function Corrected({ asked: { answer } }: { asked: Asked }) {
  if (answer === null || answer.corrected === "") return null;
  return (
    <p class="lead corrected">
      Results for <b dir="auto">{answer.corrected}</b>. Nothing matches “<bdi>{soughtIn(answer.rest)}</bdi>”.
    </p>
  );
}

/** The result for screen readers: `Results for invoice: 3 products` */
function withCorrection({ answer }: Asked, status = ""): string {
  return answer === null || answer.corrected === "" ? status : `Results for ${answer.corrected}: ${status}`;
}

/** The content next to its answer, or the failure. Old results stay, dimmed, while new ones are loading. */
export function Split({ asked, status, isWhole = false, children }: SplitProps) {
  const isLate = asked.answer !== null && !asked.isCurrent && !asked.isOffline;
  const failure = failureOf(asked);
  return (
    <>
      <p class="vh" role="status">
        {failure !== null ? failure.title : asked.isCurrent ? withCorrection(asked, status) : ""}
      </p>
      <div class={`split${isWhole ? " whole" : ""}${failure !== null ? " failed" : ""}`}>
        <section
          class={isLate ? "content late" : "content"}
          id={RESULTS_ID}
          tabIndex={-1}
          aria-label="Results"
          aria-busy={!asked.isCurrent && !asked.isOffline}
        >
          {failure !== null ? <Failure asked={asked} /> : asked.isSlow && <Slow asked={asked} />}
          {failure === null && <Corrected asked={asked} />}
          {failure === null && children}
        </section>
        {!hasNoAnswer(asked) && <AnswerPanel answer={asked.answer} isOpen={isWhole} />}
      </div>
    </>
  );
}

/** The author and date of a text, and further facts. */
export function By({ who, when, children }: { who?: string; when: string; children?: ComponentChildren }) {
  return (
    <p class="by">
      {who !== undefined && (
        <>
          <bdi>{who}</bdi>,{" "}
        </>
      )}
      <time dateTime={when}>{formatDay(when)}</time>
      {children}
    </p>
  );
}

interface ListProps<Entry> {
  readonly rest: string;
  /** Heading of a view that is a list; a list within a view has a label for its request instead. */
  readonly title?: string;
  readonly label?: string;
  /** The noun for one record and for several. */
  readonly nouns: readonly [one: string, many: string];
  /** Filters; some offer the values of the shown entries. A list without any records has no filters. */
  readonly bar?: (entries: readonly Entry[]) => ComponentChildren;
  /** True without filters and search text. */
  readonly isWhole?: boolean;
  /** The text for an empty list. */
  readonly nothing: ComponentChildren;
  readonly class: "grid" | "grid two" | "stack";
  /** Address of this list at a page; null is the first. */
  readonly hrefOf: (page: number | null) => string;
  readonly children: (entry: Entry) => ComponentChildren;
}

/** A list: its filters, its entries page by page, and the request behind them. */
export function List<Entry>(props: ListProps<Entry>) {
  const { rest, title, label, nouns, bar, class: className } = props;
  const asked = useAnswer(rest);
  const entries = dataOf<readonly Entry[]>(asked.answer);
  const pagination = paginationOf(asked.answer);
  const { page = 1, total_pages: last = 1 } = pagination ?? {};
  const at = (next: number) => props.hrefOf(next === 1 ? null : next);
  const [one, many] = nouns;
  const whole = entries === null ? "" : countWords(entries.length, one, many);
  const count = pagination === null ? undefined : formatCount(pagination.total);
  return (
    <>
      {title !== undefined && <Heading title={title} count={count} />}
      <RequestBar rest={rest} asked={asked} label={label} />
      {!(props.isWhole && entries?.length === 0) && bar?.(entries ?? [])}
      <Split asked={asked} status={pagination === null ? whole : pageWords(pagination, one, many)}>
        {entries === null ? (
          <Skeleton count={className === "stack" ? 4 : 9} />
        ) : entries.length > 0 ? (
          <ul class={className}>
            {entries.map((entry, key) => (
              <li key={key}>{props.children(entry)}</li>
            ))}
          </ul>
        ) : page > last && last > 0 ? (
          <State title={`Page ${page} does not exist`} text={`The last page is ${last}.`}>
            <a class="btn go" href={at(last)}>
              Go to page {last}
            </a>
          </State>
        ) : (
          props.nothing
        )}
        {pagination !== null && <Pages pagination={pagination} label={`Pages of ${many}`} hrefOf={at} />}
      </Split>
    </>
  );
}

interface DetailProps<Data> {
  readonly rest: string;
  /** The heading until the record is loaded. */
  readonly slug: string;
  /** The breadcrumbs: sections above this view, the nearest last. */
  readonly crumbs: (data: Data | null) => readonly (readonly [words: string, href: string])[];
  /** The noun for a record, its list, and the parameter that searches it. */
  readonly kind: readonly [noun: string, list: string, search: string];
  /** True if a list within the view shows its own request: a page has one request bar. */
  readonly hasOwnBar?: boolean;
  readonly children: (data: Data, asked: Asked) => ComponentChildren;
}

/** One record: breadcrumbs, title, the request behind it, and its content. */
export function Detail<Data extends { readonly title: string }>(props: DetailProps<Data>) {
  const asked = useAnswer(props.rest);
  const data = asked.isCurrent ? dataOf<Data>(asked.answer) : null;
  const [noun, list, search] = props.kind;
  const isMissing = failureOf(asked)?.title === NOT_FOUND;
  return (
    <>
      <nav class="crumbs" aria-label="Breadcrumbs">
        {props.crumbs(data).map(([words, href], at) => (
          <Fragment key={href}>
            {at > 0 && <span aria-hidden="true">/</span>}
            <a href={href} dir="auto">
              {words}
            </a>
          </Fragment>
        ))}
      </nav>
      <Heading title={isMissing ? `No such ${noun}` : (data?.title ?? props.slug)} />
      {(!props.hasOwnBar || failureOf(asked) !== null) && <RequestBar rest={props.rest} asked={asked} />}
      {isMissing ? (
        <div class="lone">
          <State
            title={`The ${noun} “${props.slug}” does not exist`}
            text="It may have been renamed or removed, or its address has a typing error."
          >
            <div class="buttons">
              {asked.answer?.source !== "missing" && (
                <a
                  class="btn go"
                  href={hrefOf([list], { [search]: props.slug.replace(/[-_.]+/g, " ").trim() })}
                >
                  Search for it
                </a>
              )}
              <a class="btn" href={hrefOf([list])}>
                Show the {list === "forum" ? "threads" : list === "blog" ? "posts" : "products"}
              </a>
            </div>
          </State>
        </div>
      ) : data !== null ? (
        props.children(data, asked)
      ) : (
        <Split asked={asked}>
          <Skeleton count={3} />
        </Split>
      )}
    </>
  );
}

/** How an empty list gets records. */
const EMPTY: Readonly<Record<string, string>> = {
  products: "Products appear here as soon as the shop publishes one.",
  blog: "Posts appear here as soon as the shop writes one.",
  forum: "Threads appear here as soon as somebody starts one in a public subforum.",
};

/** True if a request for a list has no parameters but a page and an order. */
export function isWhole(values: object): boolean {
  return Object.entries(values).every(
    ([name, value]) => value === "" || ["page", "per_page", "sort"].includes(name),
  );
}

interface NothingProps {
  readonly path: string;
  readonly values: Readonly<Record<string, string>>;
  readonly many: string;
}

/** An empty list: the reader may remove filters, or the store has no such records. */
export function Nothing({ path, values, many }: NothingProps) {
  if (isWhole(values))
    return (
      <State
        title={`There are no ${many} yet`}
        text={`The API answers the request above with an empty list. ${EMPTY[path]}`}
      >
        <a class="btn" href={path === "products" ? "../docs/#products" : hrefOf(["products"])}>
          {path === "products" ? "Read about the fields of a product" : "Show the products"}
        </a>
      </State>
    );
  const { search, q = search, ...others } = values;
  const isSought = q !== undefined && q !== "";
  const isFiltered = !isWhole(others);
  return (
    <State
      title={isSought ? `No results for “${q}”` : "Nothing matches these filters"}
      text={
        isSought
          ? `Check the spelling or use fewer words${isFiltered ? ", or remove a filter" : ""}.`
          : "Remove a filter, or show everything."
      }
    >
      <div class="buttons">
        {isSought && isFiltered && (
          <a class="btn" href={hrefOf([path], { search, q: search === undefined ? q : undefined })}>
            Search without filters
          </a>
        )}
        <a class="btn" href={hrefOf([path])}>
          {isSought ? "Clear the search" : "Clear filters"}
        </a>
      </div>
    </State>
  );
}
