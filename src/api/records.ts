/**
 * The records of the API as schemas that are also types. `additionalProperties: false` everywhere: what is not named
 * here cannot leave. Field order is the order in which fragments are written.
 */
import { type Static, type TSchema, Type } from "typebox";

const closed = { additionalProperties: false } as const;
const DATE_TIME = "^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$";
const SLUG = "^[a-z0-9][a-z0-9._-]{0,149}$";

const id = Type.Integer({ minimum: 1, description: "Unique among records of its kind." });
const text = (description: string) => Type.String({ description });
const url = (description: string) => Type.String({ pattern: "^(https?://.*)?$", description });
const slug = Type.String({ pattern: SLUG, description: "Selects the record; lower case." });
const dateTime = (description: string) =>
  Type.String({ pattern: DATE_TIME, description: `${description} UTC, YYYY-MM-DD HH:MM:SS.` });
const amount = (description: string) => Type.Number({ minimum: 0, description });
const count = (description: string) => Type.Integer({ minimum: 0, description });
const html = (description: string) => Type.String({ description: `${description} Sanitised HTML.` });
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const Widget = Type.Object(
  {
    key: text("Permanent name of the widget."),
    name: text("Name for people."),
    script: url("Address of the script to embed."),
    description: text("What the widget shows."),
    data_attributes: Type.Array(Type.String(), {
      description: "Attributes that the script tag understands.",
    }),
    embed_example: text("A tag to paste into a page."),
  },
  { ...closed, title: "Widget" },
);

export const Store = Type.Object(
  {
    store_name: text("Name of the store."),
    tagline: text("One line on what it sells."),
    description: text("Plain text."),
    logo_url: url("Logo image."),
    favicon_url: url("Small icon."),
    currency: Type.String({ pattern: "^[A-Z]{3}$", description: "ISO 4217 code of all prices." }),
    public_url: url("The store's public site."),
    support_url: url("Where customers get help."),
    docs_url: url("Documentation."),
    blog_url: url("Blog."),
    social_links: Type.Array(
      Type.Object(
        {
          network: text("For example github."),
          url: Type.String({ format: "uri", pattern: "^https://", description: "Profile." }),
        },
        closed,
      ),
      { description: "The store's profiles elsewhere." },
    ),
    available_widgets: Type.Array(Widget, { description: "Widgets that can be embedded." }),
    api_version: text("Version of this API."),
  },
  { ...closed, title: "Store" },
);

export const Category = Type.Object(
  {
    id,
    name: text("Name of the category."),
    slug,
    description: text("Plain text."),
    product_count: count("Products in it that this API lists."),
    url: url("Its page in the store."),
  },
  { ...closed, title: "Category" },
);

const productSummary = {
  id,
  title: text("Name of the product."),
  slug,
  excerpt: text("One or two sentences."),
  description_short: text("A short description, plain text."),
  category: Category,
  type: Type.String({ pattern: SLUG, description: "Kind of product, for example script. An open list." }),
  status: Type.Union([Type.Literal("published"), Type.Literal("coming_soon"), Type.Literal("preorder")], {
    description: "State of the product.",
  }),
  price: amount("Regular price."),
  sale_price: orNull(amount("Price while a sale runs; null when there is none.")),
  currency: Type.String({ pattern: "^[A-Z]{3}$", description: "ISO 4217 code." }),
  image: url("Main image."),
  rating_summary: Type.Object(
    {
      average: Type.Number({
        minimum: 0,
        maximum: 5,
        description: "Mean of the approved ratings; 0 without any.",
      }),
      best: Type.Number({ description: "Highest rating there is." }),
      worst: Type.Number({ description: "Lowest rating there is." }),
      count: count("Approved ratings."),
    },
    { ...closed, description: "Approved reviews in one line." },
  ),
  review_count: count("Approved reviews."),
  public_url: url("The product's page in the store."),
  demo_url: url("A demonstration; empty when there is none."),
  docs_url: url("Its documentation; empty when there is none."),
  created_at: dateTime("When the product was added."),
  updated_at: dateTime("When it last changed."),
  pricing: Type.Object(
    {
      regular: amount("Regular price."),
      sale: orNull(amount("Price while a sale runs.")),
      preorder: orNull(amount("Price while it can be preordered.")),
      current: amount("What a customer pays now: preorder, else sale, else regular."),
      extended: amount("Price of the extended licence; the regular price where there is none."),
      currency: Type.String({ pattern: "^[A-Z]{3}$", description: "ISO 4217 code." }),
    },
    { ...closed, description: "All prices of the product." },
  ),
};

export const Product = Type.Object(productSummary, { ...closed, title: "Product" });

export const Faq = Type.Object(
  {
    id,
    product_id: orNull(
      Type.Integer({ minimum: 1, description: "Product it is about; null for the whole store." }),
    ),
    product_slug: orNull(Type.String({ pattern: SLUG, description: "Slug of that product." })),
    type: Type.String({
      pattern: SLUG,
      description: "Kind of question, for example licensing. An open list.",
    }),
    question: text("The question."),
    answer: text("The answer, plain text."),
    answer_html: html("The answer."),
  },
  { ...closed, title: "FAQ" },
);

export const Review = Type.Object(
  {
    id,
    product_id: Type.Integer({ minimum: 1, description: "The product reviewed." }),
    product_title: text("Its name."),
    product_slug: slug,
    rating: Type.Integer({ minimum: 1, maximum: 5, description: "1 to 5." }),
    title: text("Headline of the review."),
    body: text("The review, plain text."),
    customer_display_name: text("The name the customer chose to show."),
    customer_avatar: url("Picture; may be empty."),
    verified_purchase: Type.Boolean({ description: "True when the reviewer bought the product." }),
    created_at: dateTime("When it was written."),
    product_url: url("The product's page in the store."),
  },
  { ...closed, title: "Review" },
);

export const Release = Type.Object(
  {
    product_id: Type.Integer({ minimum: 1, description: "The product released." }),
    product_title: text("Its name."),
    version: text("For example 2.1.0."),
    title: text("Headline of the release."),
    notes: text("What changed, plain text."),
    release_date: dateTime("When it came out."),
    public_url: url("Its page in the store."),
  },
  { ...closed, title: "Release" },
);

export const ProductDetail = Type.Object(
  {
    ...productSummary,
    gallery: Type.Array(url("Image."), { description: "More images." }),
    description: text("The whole description, plain text."),
    description_html: html("The whole description."),
    faqs: Type.Array(Faq, { description: "Active FAQs of this product." }),
    latest_release: orNull(Release),
  },
  { ...closed, title: "ProductDetail" },
);

const blogSummary = {
  id,
  title: text("Headline."),
  slug,
  excerpt: text("The post in one or two sentences."),
  image: url("Cover image."),
  url: url("Its page in the store."),
  published_at: dateTime("When it was published."),
  updated_at: dateTime("When it last changed."),
};

const contentFields = { content_html: html("The content."), content_text: text("The content, plain text.") };

export const BlogPost = Type.Object(blogSummary, { ...closed, title: "BlogPost" });
export const BlogPostDetail = Type.Object(
  { ...blogSummary, ...contentFields },
  { ...closed, title: "BlogPostDetail" },
);

const topic = (description: string) =>
  Type.Object({ slug, name: text("Its name.") }, { ...closed, description });

const threadSummary = {
  id,
  title: text("Title of the thread."),
  slug,
  excerpt: text("The beginning of its first post, plain text."),
  type: Type.String({ pattern: SLUG, description: "Kind of thread, for example question. An open list." }),
  subforum: topic("Where it stands."),
  category: orNull(topic("What it is about.")),
  author_display_name: text("The name the author chose to show."),
  pinned: Type.Boolean({ description: "Stands above the others." }),
  locked: Type.Boolean({ description: "Takes no more replies." }),
  solved: Type.Boolean({ description: "Has a reply that solves it." }),
  reply_count: count("Public replies."),
  created_at: dateTime("When it was opened."),
  last_activity_at: dateTime("When something was last written in it."),
  url: url("Its page in the store."),
};

export const Thread = Type.Object(threadSummary, { ...closed, title: "Thread" });
export const ThreadDetail = Type.Object(
  {
    ...threadSummary,
    ...contentFields,
    replies: Type.Array(
      Type.Object(
        {
          id,
          author_display_name: text("The name the author chose to show."),
          content_html: html("The reply."),
          is_solution: Type.Boolean({ description: "True for the reply that solves the thread." }),
          created_at: dateTime("When it was written."),
        },
        closed,
      ),
      { description: "Public replies, oldest first." },
    ),
  },
  { ...closed, title: "ThreadDetail" },
);

export const SearchResult = Type.Object(
  {
    type: Type.Union([Type.Literal("product"), Type.Literal("category"), Type.Literal("blog")], {
      description: "Kind of the record found.",
    }),
    id,
    title: text("Its title or name."),
    slug,
    snippet: text("The part of its text that matches best, plain text."),
    highlight: text("The snippet as HTML: escaped, with the matches in <mark>."),
    url: url("Its page in the store."),
    image: orNull(url("Its image.")),
    score: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "How well it matches; 1 is the best of this search.",
    }),
  },
  { ...closed, title: "SearchResult" },
);

export const Status = Type.Object(
  {
    name: text("Name of this API."),
    status: Type.Literal("ok", { description: "Always ok." }),
    api_version: text("Version of this API."),
    store: Type.Object(
      { store_name: text("Name of the store."), public_url: url("Its public site.") },
      { ...closed, description: "Whose catalog this is." },
    ),
    endpoints: Type.Array(
      Type.Object(
        {
          path: text("Path below the base address."),
          url: url("Full address."),
          parameters: Type.Array(Type.String(), { description: "Query parameters it takes." }),
          enabled: Type.Boolean({ description: "False where this store does not offer it." }),
        },
        closed,
      ),
      { description: "All endpoints." },
    ),
    documentation: Type.Object(
      { openapi_url: url("OpenAPI description."), docs_url: url("Documentation for people.") },
      { ...closed, description: "Where to read on." },
    ),
  },
  { ...closed, title: "Status" },
);

export type Widget = Static<typeof Widget>;
export type Store = Static<typeof Store>;
export type Category = Static<typeof Category>;
export type Product = Static<typeof Product>;
export type ProductDetail = Static<typeof ProductDetail>;
export type Faq = Static<typeof Faq>;
export type Review = Static<typeof Review>;
export type Release = Static<typeof Release>;
export type BlogPost = Static<typeof BlogPost>;
export type BlogPostDetail = Static<typeof BlogPostDetail>;
export type Thread = Static<typeof Thread>;
export type ThreadDetail = Static<typeof ThreadDetail>;
export type SearchResult = Static<typeof SearchResult>;
export type Status = Static<typeof Status>;
