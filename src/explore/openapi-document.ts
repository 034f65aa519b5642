/** What the pages read of `/openapi.json`: endpoints in their groups, and what each parameter takes. Pure. */

export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly example: string;
  readonly default: string;
  readonly kind: "choice" | "flag" | "integer" | "slug" | "text";
  readonly values: readonly string[];
}

export interface DocumentedEndpoint {
  /** Below the base address, without a slash in front; "" is the status. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly default?: unknown;
  readonly anyOf?: readonly Schema[];
}

interface RawParameter {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema?: Schema;
}

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly RawParameter[];
}

interface Document {
  readonly paths?: Readonly<Record<string, { readonly get?: Operation }>>;
}

const SLUG_NAMES: readonly string[] = ["category", "slug", "product_slug"];

function kindOf(name: string, schema: Schema): Parameter["kind"] {
  if (schema.enum !== undefined) return "choice";
  if (schema.type === "integer") return "integer";
  if (schema.pattern?.includes("[Yy][Ee][Ss]") === true) return "flag";
  return SLUG_NAMES.includes(name) ? "slug" : "text";
}

function wordsOf(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}

function parameterOf({ name, description, required, example, schema = {} }: RawParameter): Parameter {
  // Where another parameter may make it mean nothing, its own form is the first.
  const own = schema.anyOf?.[0] ?? schema;
  return {
    name,
    description: description ?? "",
    required: required === true,
    example: wordsOf(example),
    default: wordsOf(schema.default),
    kind: kindOf(name, own),
    values: own.enum ?? [],
  };
}

export function endpointsOf(document: unknown): DocumentedEndpoint[] {
  const { paths = {} } = (document ?? {}) as Document;
  return Object.entries(paths).map(([path, { get = {} }]) => ({
    path: path.replace(/^\//, ""),
    tag: get.tags?.[0] ?? "",
    summary: get.summary ?? "",
    description: get.description ?? "",
    parameters: (get.parameters ?? []).map(parameterOf),
  }));
}
