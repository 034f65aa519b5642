/** `vitrine.config.json` as a schema that is also a type, with its defaults. The JSON Schema file is made from it. */
import * as Type from "typebox";
import { PublicConfig, webAddress } from "../api/config.ts";
import { closed } from "../api/field.ts";

/** One row in a hundred. */
export const DEFAULT_MAX_LEFT_OUT = 0.01;

/** Where the snapshot is published. Flags of the same names take precedence; their parsers check `to`, `purge` and `keep`. */
const placeFields = {
  to: Type.Optional(
    Type.String({
      examples: ["s3://BUCKET/PREFIX", "file:///FOLDER"],
      description: "Where the snapshot is published.",
    }),
  ),
  endpoint: Type.Optional(
    webAddress(
      "^https?://[^?#@]+$",
      "https://s3.example.org",
      "Address of the S3 service of `to`, if it is not AWS.",
    ),
  ),
  region: Type.Optional(
    Type.String({ description: "Region of the S3 service of `to`. Default: as the AWS SDK finds it." }),
  ),
  purge: Type.Optional(
    Type.Array(Type.String({ examples: ["cloudfront:ID"] }), {
      description:
        "CDNs that are purged after `to` has changed: cloudfront:ID, cloudflare:ZONE, fastly:SERVICE or webhook:URL. " +
        "Their tokens come from the environment.",
    }),
  ),
  keep: Type.Optional(
    Type.String({
      examples: ["7d"],
      description: "How long `to` keeps releases, up to 90d, or how many, up to 2500. Default: 7d.",
    }),
  ),
  verify: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        "How many of the changed answers are requested from the public address after each publish to `to`. Default: 0.",
    }),
  ),
};

export const Config = Type.Object(
  {
    $schema: Type.Optional(Type.String({ description: "Where editors find this schema." })),
    store: Type.Optional(
      Type.String({
        description:
          "The store: an SQLite file, relative to this file, or postgres://USER@HOST/DATABASE, or mysql://USER@HOST/DATABASE.",
      }),
    ),
    queries: Type.Optional(
      Type.String({
        description: "Folder of the allow-list, relative to this file. Default: `queries`.",
      }),
    ),
    out: Type.Optional(
      Type.String({
        description: "Folder of the snapshot, relative to this file. Only Vitrine writes in it.",
      }),
    ),
    ...placeFields,
    rows: Type.Object(
      {
        maxLeftOut: Type.Number({
          minimum: 0,
          maximum: 1,
          default: DEFAULT_MAX_LEFT_OUT,
          description:
            "The share of an SQL file's rows that may be left out because a required value is wrong, rounded up to " +
            "whole rows, but never all rows. With more wrong rows, nothing is built.",
        }),
      },
      { ...closed, default: {}, description: "What happens to wrong rows (docs/allow-list.md)." },
    ),
    ...PublicConfig.properties,
  },
  {
    ...closed,
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Vitrine configuration",
    required: ["baseUrl", "siteUrl"],
  },
);
export type Config = Type.Static<typeof Config>;
