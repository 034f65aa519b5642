type Json = Readonly<Record<string, unknown>>;

const isNull = ({ type }: Json) => type === "null";

/**
 * A document of OpenAPI 3.1 in the words of 3.0, for generators that know no newer one: what may be null says so itself.
 * Left out is what the generators of Python and PHP write wrongly: patterns, constants that are no text, and of several forms
 * (a list, or one record) all but the first.
 */
export function olderOpenApi(document: Json): Json {
  const nullable = new Set<unknown>();
  const older = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(older);
    if (typeof value !== "object" || value === null) return value;
    const { const: constant, pattern: _, examples: __, anyOf, oneOf, ...rest } = value as Json;
    const said: Record<string, unknown> = {};
    for (const [name, part] of Object.entries(rest)) said[name] = older(part);
    if (typeof constant === "string") said["enum"] = [constant];
    for (const list of [anyOf, oneOf] as (readonly Json[] | undefined)[]) {
      if (list === undefined) continue;
      const [first] = list.filter((one) => !isNull(one)).map(older) as Json[];
      if (list.some(isNull)) said["nullable"] = true;
      // Beside a reference nothing else is read.
      if (list.some(isNull) && first?.["$ref"] !== undefined) nullable.add(first["$ref"]);
      Object.assign(said, first);
    }
    return said;
  };
  const { info, components, ...rest } = older(document) as Record<"info" | "components", Json>;
  const schemas = Object.entries(components["schemas"] as Record<string, Json>).map(([name, schema]) => {
    return [name, nullable.has(`#/components/schemas/${name}`) ? { ...schema, nullable: true } : schema];
  });
  return {
    ...rest,
    openapi: "3.0.3",
    info: { title: info["title"], version: info["version"] },
    components: { ...components, schemas: Object.fromEntries(schemas) },
  };
}
