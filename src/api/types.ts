/**
 * Types for programs that read the API: `vitrine/api`. Its few values are plain constants, so importing it
 * costs a page or a build nothing.
 */
import type { Static } from "typebox";
import type { Meta as MetaSchema, Pagination } from "./answers.ts";
import type { ApiErrorCode } from "./errors.ts";

export type { Pagination } from "./answers.ts";
export { API_PATH, API_VERSION, DEFAULT_PER_PAGE, MAX_PER_PAGE } from "./endpoints.ts";
export { type ApiErrorCode, ERROR_STATUS } from "./errors.ts";
export type { Category } from "./records/category.ts";
export type { Faq } from "./records/faq.ts";
export type { BlogPost, BlogPostDetail } from "./records/post.ts";
export type { Product, ProductDetail } from "./records/product.ts";
export type { Release } from "./records/release.ts";
export type { Review } from "./records/review.ts";
export type { SearchResult } from "./records/search-result.ts";
export type { Status } from "./records/status.ts";
export type { Store } from "./records/store.ts";
export type { Thread, ThreadDetail } from "./records/thread.ts";
export type { Widget } from "./records/widget.ts";

/** What an answer says about itself: the API's version, and when its content last changed. */
export type Meta = Static<typeof MetaSchema>;

/**
 * A successful answer. `Answer<ProductDetail>` is that of /product; lists without pages are `Answer<Category[]>`
 * (/categories, /faqs, /widgets).
 */
export interface Answer<T> {
  success: true;
  data: T;
  meta: Meta;
}

/** A page of a list: `ListAnswer<Product>` is the answer of /products. */
export interface ListAnswer<T> extends Answer<T[]> {
  pagination: Pagination;
}

/** What every endpoint answers when it cannot do as asked. The HTTP status is `ERROR_STATUS[error.code]`. */
export interface ErrorAnswer {
  success: false;
  error: {
    /** Permanent, for programs. */
    code: ApiErrorCode;
    /** The reason, for people; may be worded differently tomorrow. */
    message: string;
  };
}
