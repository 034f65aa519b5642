/** The demo's texts, read from the YAML files beside this one. */
import { readFileSync } from "node:fs";
import MarkdownIt from "markdown-it";
import { parse } from "yaml";

type Value = string | number | null;
/** Puts a row into a table of the store. */
export type Insert = (table: string, row: Readonly<Record<string, Value>>) => void;

export interface ProductText {
  readonly slug: string;
  readonly name: string;
  readonly category: string;
  readonly also?: readonly string[];
  readonly type: string;
  /** In euros, as is every price of these files. */
  readonly price: number;
  readonly extended?: number;
  readonly featured?: boolean;
  /** A day, `2026-11-02`. */
  readonly created: string;
  readonly demo?: boolean;
  readonly docs?: boolean;
  readonly requires?: string;
  readonly preorder?: {
    readonly price: number;
    readonly opens: string;
    readonly closes: string;
    readonly release: string;
  };
  readonly release_at?: string;
  readonly contains?: readonly string[];
  readonly excerpt: string;
  readonly short: string;
  readonly text: string;
  readonly releases?: string;
  readonly faqs?: string;
}

interface PostText {
  readonly slug: string;
  readonly title: string;
  readonly date: string;
  readonly author: string;
  readonly category: string;
  readonly excerpt: string;
  readonly text: string;
}

interface ThreadText {
  readonly slug: string;
  readonly subforum: string;
  readonly category: string | null;
  readonly type: string;
  readonly title: string;
  readonly pinned?: boolean;
  readonly locked?: boolean;
  readonly posts: readonly (readonly [author: string, time: string, text: string, mark?: "solution"])[];
}

interface ShopText {
  readonly store: { readonly name: string; readonly tagline: string; readonly description: string };
  readonly social: Readonly<Record<string, string>>;
  readonly categories: Readonly<Record<string, readonly [name: string, description: string]>>;
  readonly subforums: Readonly<Record<string, readonly [name: string, description: string]>>;
  readonly topics: Readonly<Record<string, string>>;
  /** Names, and the private addresses behind them. */
  readonly staff: Readonly<Record<string, string>>;
  readonly sales: readonly (readonly [slug: string, price: number, starts: string])[];
  readonly faqs: string;
  readonly hidden: {
    readonly products: readonly {
      readonly slug: string;
      readonly name: string;
      readonly excerpt: string;
      readonly price: number;
    }[];
    readonly reviews: readonly (readonly [slug: string, rating: number, title: string, body: string])[];
    readonly posts: readonly { readonly slug: string; readonly title: string; readonly text: string }[];
    readonly threads: readonly { readonly slug: string; readonly title: string; readonly text: string }[];
    readonly coupons: readonly string[];
  };
}

const markdown = new MarkdownIt();

export const html = (text: string): string => markdown.render(text).trim();

function read<Text>(name: string): Text {
  return parse(readFileSync(new URL(`${name}.yaml`, import.meta.url), "utf8")) as Text;
}

export const SHOP: ShopText = read("shop");
/** Oldest first: an id says which product came earlier. */
export const PRODUCTS: readonly ProductText[] = ["products-1", "products-2"]
  .flatMap((name) => read<readonly ProductText[]>(name))
  .sort((a, b) => (a.created < b.created ? -1 : 1));
export const BLOG: readonly PostText[] = read<readonly PostText[]>("blog").toReversed();
export const FORUM: readonly ThreadText[] = read<readonly ThreadText[]>("forum").toSorted((a, b) =>
  (a.posts[0]?.[1] ?? "") < (b.posts[0]?.[1] ?? "") ? -1 : 1,
);

interface ReviewText {
  readonly slug: string;
  readonly rating: number;
  readonly day: string;
  /** Empty of a reviewer who gave none. */
  readonly name: string;
  readonly isVerified: boolean;
  readonly title: string;
  readonly body: string;
}

/** `5 2026-11-12 Marta Kowalska | Title | Text`; a name with `~` before it has not bought the product. */
function readReview(slug: string, line: string): ReviewText {
  const parts = /^([1-5]) (\d{4}-\d\d-\d\d) (~?)([^|]*)\|([^|]*)\|(.*)$/.exec(line);
  if (parts === null) throw new Error(`Not a review of ${slug}: ${line}`);
  const [, rating, day = "", mark, name = "", title = "", body = ""] = parts;
  return {
    slug,
    rating: Number(rating),
    day,
    name: name.trim(),
    isVerified: mark === "",
    title: title.trim(),
    body: body.trim(),
  };
}

/** Oldest first. */
export const REVIEWS: readonly ReviewText[] = ["reviews-1", "reviews-2"]
  .flatMap((name) => Object.entries(read<Readonly<Record<string, string>>>(name)))
  .flatMap(([slug, text]) => linesOf(text).map((line) => readReview(slug, line)))
  .sort((a, b) => (a.day < b.day ? -1 : 1));

function linesOf(text: string | undefined): string[] {
  return (text ?? "").split("\n").filter((line) => line !== "");
}

interface ReleaseText {
  readonly version: string;
  readonly day: string;
  readonly title: string;
  readonly notes: string;
}

/** `3.2.1 2026-10-19 Title` and its notes, newest first in the file; returned oldest first. */
export function releasesOf({ releases }: Pick<ProductText, "releases">): ReleaseText[] {
  const parts = (releases ?? "").split(/^(?=\d)/m).filter((part) => part !== "");
  return parts.toReversed().map((part) => {
    const [, version = "", day = "", title = "", notes = ""] =
      /^(\S+) (\S+) ([^\n]+)\n(.+)$/s.exec(part) ?? [];
    return { version, day, title, notes };
  });
}

/** `?licensing Question` and, on the next line, its answer. */
export function faqsOf(text: string | undefined): { type: string; question: string; answer: string }[] {
  const lines = linesOf(text);
  return lines.flatMap((line, at) => {
    const [, type = "", question] = /^\?(\S+) (.*)$/.exec(line) ?? [];
    return question === undefined ? [] : [{ type, question, answer: lines[at + 1] ?? "" }];
  });
}

/** What a product's page lists: of a bundle, what is in it. */
export function featuresOf({ text, contains }: Pick<ProductText, "text" | "contains">): string[] {
  const named = contains?.map((slug) => PRODUCTS.find((product) => product.slug === slug)?.name ?? slug);
  const listed = [...text.matchAll(/^- (.*)$/gm)].map(([, feature = ""]) => feature.replaceAll(/[*`]/g, ""));
  return named ?? listed;
}

/** Files of a product's pictures. What is shown first has more of them: the drawing alone, and its features. */
export function picturesOf(product: ProductText): string[] {
  const more = featuresOf(product).length > 2 ? ["-2", "-3"] : ["-2"];
  const parts = product.featured === true ? ["", ...more] : [""];
  return parts.map((part) => `products/${product.slug}${part}.webp`);
}
