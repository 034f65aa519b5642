/** The API's answers about itself: its status, and its OpenAPI document. */
import * as Type from "typebox";
import { closed, schemas } from "../field.ts";
import { operation } from "../operation.ts";

const status = Type.Object(
  {
    name: schemas.text("Name of this API."),
    status: Type.Literal("ok", { description: "Always ok." }),
    api_version: schemas.text("Version of this API."),
    store: schemas.object(
      {
        store_name: schemas.text("Name of the store."),
        public_url: schemas.url("Public site of the store."),
      },
      "The store that this catalog belongs to.",
    ),
    endpoints: schemas.listOf(
      schemas.object({
        path: schemas.text("Path below the base address."),
        url: schemas.url("Full address."),
        parameters: schemas.listOf(Type.String(), "Query parameters of the endpoint."),
        enabled: schemas.flag("False if this store does not offer the endpoint."),
      }),
      "All endpoints.",
    ),
    documentation: schemas.object(
      {
        openapi_url: schemas.url("OpenAPI document, for programs."),
        docs_url: schemas.url("Documentation, for people."),
      },
      "Addresses of the documentation.",
    ),
  },
  { ...closed, title: "Status" },
);
export type Status = Type.Static<typeof status>;

export const getStatus = operation("", {
  id: "getStatus",
  tag: "API",
  summary: "API status",
  purpose: "Name of the store, endpoints, and addresses of the documentation.",
  answer: "The status.",
  params: {},
  one: status,
});

/** Its body is the OpenAPI document itself (docs/decisions), so it has no schema here. */
export const getOpenApi = operation("openapi.json", {
  id: "getOpenApi",
  tag: "API",
  summary: "OpenAPI document",
  purpose: "This description of the API.",
  answer: "The document itself, without the envelope of other answers.",
  params: {},
});
