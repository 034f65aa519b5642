/**
 * Types for programs that read the API: `vitrine/api`. Its few values are plain constants, so importing it
 * costs a page or a build nothing.
 */
import type { Meta, Pagination } from "./envelope.ts";
import type { ApiErrorCode } from "./errors.ts";
import type { OpenText } from "./field.ts";

export { API_PATH, API_VERSION, DEFAULT_PER_PAGE, MAX_PER_PAGE } from "./endpoints.ts";
export type { Meta, Pagination } from "./envelope.ts";
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

/**
 * The body of a successful response: `SuccessResponse<ProductDetail>` for /product; `SuccessResponse<Category[]>` for lists without pages
 * (/categories, /faqs, /widgets).
 */
export interface SuccessResponse<T> {
  success: true;
  data: T;
  meta: Meta;
}

/** A page of a list: `ListResponse<Product>` for /products. */
export interface ListResponse<T> extends SuccessResponse<T[]> {
  pagination: Pagination;
}

/** The body of every error. The HTTP status is `ERROR_STATUS[error.code]`. */
export interface ErrorResponse {
  success: false;
  error: {
    /** Permanent, for programs. A later version may add codes. */
    code: OpenText<ApiErrorCode>;
    /** The reason, for people. Its wording may change. */
    message: string;
  };
}
