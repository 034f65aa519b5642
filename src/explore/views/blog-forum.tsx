/** The store's blog and its public forum: their lists, one post, and one thread with its replies. */
import type { BlogPost, BlogPostDetail, Thread, ThreadDetail } from "../../api/types.ts";
import { countWords } from "../format.ts";
import { ChoiceField, filterSetter, SearchField, YES_NO } from "../parts/fields.tsx";
import { Tile } from "../parts/tile.tsx";
import { hrefOf, type Route, valuesOf } from "../route.ts";
import { SafeHtml } from "../safe-html.tsx";
import { SITE } from "../shop.ts";
import { restOf } from "../target.ts";
import { By, Detail, isWhole, List, Nothing, Split } from "../view.tsx";

export function Blog({ route }: { route: Route }) {
  const values = valuesOf(route.query);
  const set = filterSetter("blog", values);
  return (
    <List<BlogPost>
      rest={restOf("blog", values)}
      title="Blog"
      nouns={["post", "posts"]}
      bar={() => (
        <div class="bar">
          <SearchField label="Search posts" value={values["q"] ?? ""} onSearch={set("q")} />
        </div>
      )}
      isWhole={isWhole(values)}
      nothing={<Nothing path="blog" values={values} many="posts" />}
      class="grid two"
      hrefOf={(page) => hrefOf(["blog"], { ...values, page })}
    >
      {(post) => (
        <article class="card">
          <Tile id={post.id} title={post.title} src={post.image} />
          <div class="in">
            <h2 dir="auto">
              <a href={hrefOf(["blog", post.slug])}>{post.title}</a>
            </h2>
            <By when={post.published_at} />
            <p class="excerpt" dir="auto">
              {post.excerpt}
            </p>
          </div>
        </article>
      )}
    </List>
  );
}

export function Post({ slug }: { slug: string }) {
  return (
    <Detail<BlogPostDetail>
      rest={restOf("blog", { slug })}
      slug={slug}
      kind={["post", "blog", "q"]}
      crumbs={() => [["Blog", hrefOf(["blog"])]]}
    >
      {(post, asked) => (
        <Split asked={asked} status={post.title}>
          {post.image !== "" && <Tile id={post.id} title={post.title} src={post.image} class="cover" />}
          <By when={post.published_at}>
            {SITE !== "" && post.url !== "" && (
              <>
                {" · "}
                <a href={post.url} rel="noopener noreferrer">
                  Read it in the store
                </a>
              </>
            )}
          </By>
          <SafeHtml html={post.content_html} base={post.url} />
        </Split>
      )}
    </Detail>
  );
}

function Marks({ thread }: { thread: Thread }) {
  return (
    <>
      {thread.pinned && <span class="chip">Pinned</span>}
      {thread.solved && <span class="chip ok">Solved</span>}
      {thread.locked && <span class="chip warn">Locked</span>}
    </>
  );
}

/** The API has no list of subforums, so the filter offers those of the shown threads. */
function subforumsOf(threads: readonly Thread[]) {
  const found = new Map(threads.map(({ subforum }) => [subforum.slug, subforum.name]));
  return [{ value: "", words: "All" }, ...[...found].map(([value, words]) => ({ value, words }))];
}

export function Forum({ route }: { route: Route }) {
  const values = valuesOf(route.query);
  const set = filterSetter("forum", values);
  const { q = "", subforum = "", solved = "" } = values;
  return (
    <List<Thread>
      rest={restOf("forum", values)}
      title="Forum"
      nouns={["thread", "threads"]}
      bar={(threads) => (
        <div class="bar">
          <SearchField label="Search threads" value={q} onSearch={set("q")} />
          <ChoiceField
            label="Subforum"
            value={subforum}
            choices={subforumsOf(threads)}
            onChange={set("subforum")}
          />
          <ChoiceField label="Solved" value={solved} choices={YES_NO} onChange={set("solved")} />
        </div>
      )}
      isWhole={isWhole(values)}
      nothing={<Nothing path="forum" values={values} many="threads" />}
      class="stack"
      hrefOf={(page) => hrefOf(["forum"], { ...values, page })}
    >
      {(thread) => (
        <article class="card in">
          <div class="top-line">
            <h2 dir="auto">
              <a href={hrefOf(["forum", thread.slug])}>{thread.title}</a>
            </h2>
            <Marks thread={thread} />
          </div>
          <p class="excerpt" dir="auto">
            {thread.excerpt}
          </p>
          <By who={thread.author_display_name} when={thread.last_activity_at}>
            {" · "}
            {countWords(thread.reply_count, "reply", "replies")} · <bdi>{thread.subforum.name}</bdi>
          </By>
        </article>
      )}
    </List>
  );
}

interface MessageProps {
  readonly message: ThreadDetail | ThreadDetail["replies"][number];
  readonly base: string;
  readonly level: number;
}

function Message({ message, base, level }: MessageProps) {
  return (
    <>
      <SafeHtml html={message.content_html} base={base} level={level} />
      <By who={message.author_display_name} when={message.created_at} />
    </>
  );
}

export function ThreadView({ slug }: { slug: string }) {
  return (
    <Detail<ThreadDetail>
      rest={restOf("forum", { slug })}
      slug={slug}
      kind={["thread", "forum", "q"]}
      crumbs={(thread) => [
        ["Forum", hrefOf(["forum"])],
        ...(thread === null
          ? []
          : [[thread.subforum.name, hrefOf(["forum"], { subforum: thread.subforum.slug })] as const]),
      ]}
    >
      {(thread, asked) => (
        <Split asked={asked} status={thread.title}>
          <div class="entry">
            <div class="top-line">
              <Marks thread={thread} />
            </div>
            <Message message={thread} base={thread.url} level={2} />
          </div>
          <h2 class="section">
            {thread.replies.length === 0
              ? "No replies"
              : countWords(thread.replies.length, "reply", "replies")}
          </h2>
          <ol class="stack">
            {thread.replies.map((reply) => (
              <li key={reply.id} class={reply.is_solution ? "entry solution" : "entry"}>
                {reply.is_solution && <span class="chip ok">Solution</span>}
                <Message message={reply} base={thread.url} level={3} />
              </li>
            ))}
          </ol>
        </Split>
      )}
    </Detail>
  );
}
