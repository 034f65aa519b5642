/** Questions and releases of a product. */
import { dataOf, paginationOf } from "../api.ts";
import { countWords, formatDay, pageWords } from "../format.ts";
import { PagedList } from "../parts/paged-list.tsx";
import { Skeleton } from "../parts/states.tsx";
import type { Faq, Release } from "../records.ts";
import { RequestBar } from "../request-bar.tsx";
import { hrefOf, type Route } from "../route.ts";
import { SafeHtml } from "../safe-html.tsx";
import { restOf } from "../target.ts";
import { useAnswer } from "../use-answer.ts";
import { Split } from "../view.tsx";

export function Questions({ slug, base }: { slug: string; base: string }) {
  const rest = restOf("faqs", { product_slug: slug });
  const asked = useAnswer(rest);
  const faqs = dataOf<Faq[]>(asked.answer);
  return (
    <>
      <RequestBar rest={rest} asked={asked} label="The request behind the questions" />
      <Split asked={asked} status={faqs === null ? "" : countWords(faqs.length, "question", "questions")}>
        {faqs === null ? (
          <Skeleton count={3} shape="line" />
        ) : faqs.length === 0 ? (
          <p class="none">Nobody has asked about this product yet.</p>
        ) : (
          <div class="stack">
            {faqs.map((faq) => (
              <details class="faq" key={faq.id}>
                <summary>{faq.question}</summary>
                <SafeHtml html={faq.answer_html} base={base} />
              </details>
            ))}
          </div>
        )}
      </Split>
    </>
  );
}

export function Releases({ slug, route }: { slug: string; route: Route }) {
  const page = route.query.get("page");
  const rest = restOf("releases", { product_slug: slug, page });
  const asked = useAnswer(rest);
  return (
    <>
      <RequestBar rest={rest} asked={asked} label="The request behind the releases" />
      <Split asked={asked} status={pageWords(paginationOf(asked.answer), "release", "releases")}>
        <PagedList<Release>
          answer={asked.answer}
          skeleton={<Skeleton count={3} shape="line" />}
          nothing={<p class="none">This product has no releases yet.</p>}
          label="Pages of releases"
          hrefOf={(next) => hrefOf(["product", slug], { tab: "releases", page: next })}
        >
          {(releases) => (
            <ol class="stack releases">
              {releases.map((release) => (
                <li class="entry" key={`${release.version} ${release.release_date}`}>
                  <h2>
                    {release.version} <span>{release.title}</span>
                  </h2>
                  <p class="by">
                    <time dateTime={release.release_date}>{formatDay(release.release_date)}</time>
                  </p>
                  <p class="text">{release.notes}</p>
                </li>
              ))}
            </ol>
          )}
        </PagedList>
      </Split>
    </>
  );
}
