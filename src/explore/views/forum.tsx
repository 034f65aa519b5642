/** The public forum: its threads, and one of them with its replies. */
import { AnswerPanel } from "../answer-panel.tsx";
import { dataOf } from "../api.ts";
import { hasFailed } from "../failure.ts";
import { countWords, formatDay } from "../format.ts";
import { ChoiceField, SearchField } from "../parts/fields.tsx";
import { Failure, NoMatch, Skeleton } from "../parts/states.tsx";
import type { Thread, ThreadDetail } from "../records.ts";
import { RequestBar } from "../request-bar.tsx";
import { hrefOf, type Route } from "../route.ts";
import { SafeHtml } from "../safe-html.tsx";
import { restOf } from "../target.ts";
import { useAnswer } from "../use-answer.ts";
import { Heading } from "../view.tsx";
import { ListView } from "./list-view.tsx";

const SOLVED = [
  { value: "", words: "All" },
  { value: "1", words: "Yes" },
  { value: "0", words: "No" },
];

function Marks({ thread }: { thread: Thread }) {
  return (
    <>
      {thread.pinned && <span class="chip">Pinned</span>}
      {thread.solved && <span class="chip ok">Solved</span>}
      {thread.locked && <span class="chip warn">Locked</span>}
    </>
  );
}

function Item({ thread }: { thread: Thread }) {
  return (
    <article class="card item">
      <div class="in">
        <div class="top-line">
          <h2>
            <a href={hrefOf(["forum", thread.slug])}>{thread.title}</a>
          </h2>
          <Marks thread={thread} />
        </div>
        <p class="excerpt">{thread.excerpt}</p>
        <p class="by">
          {thread.subforum.name} · <bdi>{thread.author_display_name}</bdi> ·{" "}
          {countWords(thread.reply_count, "reply", "replies")} ·{" "}
          <time dateTime={thread.last_activity_at}>{formatDay(thread.last_activity_at)}</time>
        </p>
      </div>
    </article>
  );
}

/** Subforums are no endpoint: those of the threads that are shown are offered, and the chosen one. */
function subforumsOf(threads: readonly Thread[], chosen: string) {
  const found = new Map(threads.map(({ subforum }) => [subforum.slug, subforum.name]));
  if (chosen !== "" && !found.has(chosen)) found.set(chosen, chosen);
  return [{ value: "", words: "All" }, ...[...found].map(([value, words]) => ({ value, words }))];
}

function Filters({ values, threads }: { values: Record<string, string>; threads: readonly Thread[] }) {
  const { page: _, ...filters } = values;
  const { q = "", subforum = "", solved = "" } = filters;
  const set = (name: string) => (value: string) => {
    location.hash = hrefOf(["forum"], { ...filters, [name]: value });
  };
  return (
    <div class="bar">
      <SearchField label="Search threads" value={q} onSearch={set("q")} />
      <ChoiceField
        label="Subforum"
        value={subforum}
        choices={subforumsOf(threads, subforum)}
        onChange={set("subforum")}
      />
      <ChoiceField label="Solved" value={solved} choices={SOLVED} onChange={set("solved")} />
    </div>
  );
}

export function Forum({ route }: { route: Route }) {
  return (
    <ListView<Thread>
      route={route}
      title="Forum"
      nouns={["thread", "threads"]}
      bar={(values, threads) => <Filters values={values} threads={threads} />}
      skeleton={<Skeleton count={6} shape="line" />}
      nothing={<NoMatch href={hrefOf(["forum"])} />}
      class="stack"
    >
      {(thread) => <Item thread={thread} />}
    </ListView>
  );
}

function Reply({ reply, base }: { reply: ThreadDetail["replies"][number]; base: string }) {
  return (
    <li class={reply.is_solution ? "entry solution" : "entry"}>
      {reply.is_solution && <span class="chip ok">Solution</span>}
      <SafeHtml html={reply.content_html} base={base} level={3} />
      <p class="by">
        <bdi>{reply.author_display_name}</bdi>,{" "}
        <time dateTime={reply.created_at}>{formatDay(reply.created_at)}</time>
      </p>
    </li>
  );
}

function Conversation({ thread }: { thread: ThreadDetail }) {
  return (
    <>
      <div class="entry">
        <div class="top-line">
          <Marks thread={thread} />
        </div>
        <SafeHtml html={thread.content_html} base={thread.url} />
        <p class="by">
          <bdi>{thread.author_display_name}</bdi>,{" "}
          <time dateTime={thread.created_at}>{formatDay(thread.created_at)}</time>
        </p>
      </div>
      <h2 class="section">{countWords(thread.replies.length, "reply", "replies")}</h2>
      <ol class="stack">
        {thread.replies.map((reply) => (
          <Reply key={reply.id} reply={reply} base={thread.url} />
        ))}
      </ol>
    </>
  );
}

export function ThreadView({ route }: { route: Route }) {
  const [, slug = ""] = route.path;
  const rest = restOf("forum", { slug });
  const asked = useAnswer(rest);
  const thread = asked.isCurrent ? dataOf<ThreadDetail>(asked.answer) : null;
  return (
    <>
      <nav class="crumbs" aria-label="Where this is">
        <a href={hrefOf(["forum"])}>Forum</a>
        {thread !== null && (
          <a href={hrefOf(["forum"], { subforum: thread.subforum.slug })}>{thread.subforum.name}</a>
        )}
      </nav>
      <Heading title={thread?.title ?? slug} />
      <RequestBar rest={rest} asked={asked} />
      <div class="split alone">
        <div class="content">
          <Failure asked={asked} />
          {thread === null && !hasFailed(asked) && <Skeleton count={3} shape="line" />}
          {thread !== null && <Conversation thread={thread} />}
        </div>
        <AnswerPanel answer={asked.answer} />
      </div>
    </>
  );
}
