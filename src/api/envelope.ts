/** The body of each endpoint's response: the record schema of its data, and the envelope around it. */
import * as Type from "typebox";
import { API_VERSION, type Endpoint, MAX_PER_PAGE, MAX_WHOLE } from "./endpoints.ts";
import { type ApiErrorCode, ERROR_STATUS } from "./errors.ts";
import { closed, schemas } from "./field.ts";
import type { Operation } from "./operation.ts";
import { OPERATIONS } from "./records.ts";

export const Pagination = Type.Object(
  {
    page: Type.Integer({ minimum: 1, maximum: MAX_WHOLE, description: "The requested page." }),
    per_page: Type.Integer({ minimum: 1, maximum: MAX_PER_PAGE, description: "Number of records per page." }),
    total: schemas.count("Number of records on all pages."),
    total_pages: schemas.count("Number of pages; 0 for an empty list."),
  },
  { ...closed, title: "Pagination" },
);
export type Pagination = Type.Static<typeof Pagination>;

export const Meta = Type.Object(
  {
    api_version: Type.String({
      pattern: "^1[.][0-9]+$",
      description: `Version of this API, for example ${API_VERSION}.`,
    }),
    // Without `format: date-time`: checks that Zod makes for that format accept only times that end in Z.
    generated_at: Type.String({
      pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[+]00:00$",
      description: "When the content of this answer last changed (RFC 3339, UTC).",
    }),
  },
  { ...closed, title: "Meta" },
);
/** A response's own data: the API's version, and when its content last changed. */
export type Meta = Type.Static<typeof Meta>;

export const ApiError = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.Object(
      {
        code: schemas.openChoice(
          Object.keys(ERROR_STATUS) as ApiErrorCode[],
          "Permanent code, for programs.",
        ),
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
