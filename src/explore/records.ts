/** The API's records, as the pages read them: types alone. */
export type {
  BlogPost,
  BlogPostDetail,
  Category,
  Faq,
  Product,
  ProductDetail,
  Release,
  Review,
  Status,
  Thread,
  ThreadDetail,
} from "../api/types.ts";
