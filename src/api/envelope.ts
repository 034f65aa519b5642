/** The body of each endpoint's response: the record schema of its data, and the envelope around it. */
import * as Type from "typebox";
import { API_VERSION, type Endpoint } from "./endpoints.ts";
import { closed } from "./field.ts";
import type { Operation } from "./operation.ts";
import { OPERATIONS } from "./records.ts";

export const Pagination = Type.Object(
  {
    page: Type.Integer({ minimum: 1, description: "The requested page." }),
    per_page: Type.Integer({ minimum: 1, maximum: 100, description: "Number of records per page." }),
    total: Type.Integer({ minimum: 0, description: "Number of records on all pages." }),
    total_pages: Type.Integer({ minimum: 0, description: "Number of pages; 0 for an empty list." }),
  },
  { ...closed, title: "Pagination" },
);
export type Pagination = Type.Static<typeof Pagination>;

export const Meta = Type.Object(
  {
    api_version: Type.Literal(API_VERSION, { description: "Version of this API." }),
    generated_at: Type.String({
      format: "date-time",
      pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\+00:00$",
      description: "When the content of this answer last changed (RFC 3339).",
    }),
  },
  { ...closed, title: "Meta" },
);

export const ApiError = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.Object(
      {
        code: Type.String({ description: "Permanent code, for programs." }),
        message: Type.String({ description: "The reason, for people." }),
      },
      closed,
    ),
  },
  { ...closed, title: "Error" },
);

/** An endpoint's description and the schemas of its records. */
export function operationOf(endpoint: Endpoint): Operation {
  const operations: Readonly<Record<string, Operation>> = OPERATIONS;
  const found = operations[endpoint.path];
  if (found === undefined) throw new Error(`/${endpoint.path} has no operation.`);
  return found;
}

function envelope(data: Type.TSchema, pagination: boolean): Type.TObject {
  const head = { success: Type.Literal(true), data };
  return pagination
    ? Type.Object({ ...head, pagination: Pagination, meta: Meta }, closed)
    : Type.Object({ ...head, meta: Meta }, closed);
}

/** Schema of an endpoint's body; null for openapi.json. `one`: a single record was selected. */
export function envelopeSchema(endpoint: Endpoint, one: boolean): Type.TObject | null {
  const operation = operationOf(endpoint);
  if (operation.list !== undefined && !(one && operation.one)) {
    return envelope(Type.Array(operation.list), endpoint.paginated === true);
  }
  return operation.one ? envelope(operation.one, false) : null;
}
