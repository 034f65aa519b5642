/** The store's blog: its posts, and one of them. */
import { AnswerPanel } from "../answer-panel.tsx";
import { dataOf } from "../api.ts";
import { hasFailed } from "../failure.ts";
import { formatDay } from "../format.ts";
import { SearchField } from "../parts/fields.tsx";
import { Failure, Skeleton, State } from "../parts/states.tsx";
import { Tile } from "../parts/tile.tsx";
import type { BlogPost, BlogPostDetail } from "../records.ts";
import { RequestBar } from "../request-bar.tsx";
import { hrefOf, type Route } from "../route.ts";
import { SafeHtml } from "../safe-html.tsx";
import { restOf } from "../target.ts";
import { useAnswer } from "../use-answer.ts";
import { Heading } from "../view.tsx";
import { ListView } from "./list-view.tsx";

function Card({ post }: { post: BlogPost }) {
  return (
    <article class="card wide">
      <Tile id={post.id} title={post.title} src={post.image} />
      <div class="in">
        <h2>
          <a href={hrefOf(["blog", post.slug])}>{post.title}</a>
        </h2>
        <p class="by">
          <time dateTime={post.published_at}>{formatDay(post.published_at)}</time>
        </p>
        <p class="excerpt">{post.excerpt}</p>
      </div>
    </article>
  );
}

export function Blog({ route }: { route: Route }) {
  return (
    <ListView<BlogPost>
      route={route}
      title="Blog"
      nouns={["post", "posts"]}
      bar={({ q = "" }) => (
        <div class="bar">
          <SearchField
            label="Search posts"
            value={q}
            onSearch={(text) => {
              location.hash = hrefOf(["blog"], { q: text });
            }}
          />
        </div>
      )}
      skeleton={<Skeleton count={6} shape="card" />}
      nothing={
        <State title="Nothing found" text="No post has these words.">
          <a class="btn" href={hrefOf(["blog"])}>
            Show all posts
          </a>
        </State>
      }
      class="grid two"
    >
      {(post) => <Card post={post} />}
    </ListView>
  );
}

export function Post({ route }: { route: Route }) {
  const [, slug = ""] = route.path;
  const rest = restOf("blog", { slug });
  const asked = useAnswer(rest);
  const post = asked.isCurrent ? dataOf<BlogPostDetail>(asked.answer) : null;
  return (
    <>
      <nav class="crumbs" aria-label="Where this is">
        <a href={hrefOf(["blog"])}>Blog</a>
      </nav>
      <Heading title={post?.title ?? slug} />
      <RequestBar rest={rest} asked={asked} />
      <div class="split alone">
        <article class="content">
          <Failure asked={asked} />
          {post === null && !hasFailed(asked) && <Skeleton count={3} shape="line" />}
          {post !== null && (
            <>
              {post.image !== "" && <Tile id={post.id} title={post.title} src={post.image} class="cover" />}
              <p class="by">
                <time dateTime={post.published_at}>{formatDay(post.published_at)}</time>
                {post.url !== "" && (
                  <>
                    {" · "}
                    <a href={post.url} rel="noopener noreferrer">
                      Read it in the store
                    </a>
                  </>
                )}
              </p>
              <SafeHtml html={post.content_html} base={post.url} />
            </>
          )}
        </article>
        <AnswerPanel answer={asked.answer} />
      </div>
    </>
  );
}
