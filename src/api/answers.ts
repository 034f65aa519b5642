/** What each endpoint answers: the record schema of its data, and the envelope around it. */
import { type Static, type TObject, type TSchema, Type } from "typebox";
import { API_VERSION, type Endpoint } from "./endpoints.ts";
import * as records from "./records.ts";

const closed = { additionalProperties: false } as const;

export const Pagination = Type.Object(
  {
    page: Type.Integer({ minimum: 1, description: "The page asked for." }),
    per_page: Type.Integer({ minimum: 1, maximum: 100, description: "Records a page." }),
    total: Type.Integer({ minimum: 0, description: "Records on all pages." }),
    total_pages: Type.Integer({ minimum: 0, description: "Pages there are; 0 without records." }),
  },
  { ...closed, title: "Pagination" },
);
export type Pagination = Static<typeof Pagination>;

export const Meta = Type.Object(
  {
    api_version: Type.Literal(API_VERSION, { description: "Version of this API." }),
    generated_at: Type.String({
      format: "date-time",
      pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\+00:00$",
      description: "When this body was produced because its content changed (RFC 3339).",
    }),
  },
  { ...closed, title: "Meta" },
);

export const ApiError = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.Object(
      {
        code: Type.String({ description: "Permanent, for programs." }),
        message: Type.String({ description: "The reason, for people." }),
      },
      closed,
    ),
  },
  { ...closed, title: "Error" },
);

/** The record schemas of an endpoint: `list` without, `one` with the parameter that selects a record. */
export interface AnswerSchemas {
  readonly list?: TSchema;
  readonly one?: TSchema;
}

/** By endpoint path. openapi.json is missing: its body is the OpenAPI document itself (docs/decisions). */
export const ANSWERS: Readonly<Record<string, AnswerSchemas>> = {
  "": { one: records.Status },
  store: { one: records.Store },
  products: { list: records.Product },
  product: { one: records.ProductDetail },
  categories: { list: records.Category },
  faqs: { list: records.Faq },
  reviews: { list: records.Review },
  releases: { list: records.Release },
  blog: { list: records.BlogPost, one: records.BlogPostDetail },
  forum: { list: records.Thread, one: records.ThreadDetail },
  search: { list: records.SearchResult },
  widgets: { list: records.Widget },
};

function envelope(data: TSchema, pagination: boolean): TObject {
  const head = { success: Type.Literal(true), data };
  return pagination
    ? Type.Object({ ...head, pagination: Pagination, meta: Meta }, closed)
    : Type.Object({ ...head, meta: Meta }, closed);
}

/** Envelope schema of an endpoint's answer; null for openapi.json. `one`: a single record was selected. */
export function answerSchema(endpoint: Endpoint, one: boolean): TObject | null {
  const schemas = ANSWERS[endpoint.path];
  if (schemas === undefined) return null;
  if (schemas.list !== undefined && !(one && schemas.one)) {
    return envelope(Type.Array(schemas.list), endpoint.paginated);
  }
  return schemas.one === undefined ? null : envelope(schemas.one, false);
}
