type Json = Readonly<Record<string, unknown>>;

/**
 * A document of OpenAPI 3.1 in the words of 3.0, for generators that know no newer one: what may be null says so itself.
 * Left out is what the generators of Python and PHP write wrongly: patterns, constants that are no text, and of several forms
 * (a list, or one record) all but the first.
 */
export function olderOpenApi(document: Json): Json {
  const older = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(older);
    if (typeof value !== "object" || value === null) return value;
    const { pattern: _, examples: __, anyOf, ...rest } = value as Json;
    const said: Record<string, unknown> = {};
    for (const [name, part] of Object.entries(rest)) said[name] = older(part);
    const { type, enum: values } = rest as { type?: unknown; enum?: unknown };
    if (Array.isArray(type) && type.includes("null")) {
      said["type"] = type[0];
      said["nullable"] = true;
    }
    if (type === "boolean" && Array.isArray(values)) delete said["enum"];
    return Array.isArray(anyOf) ? { ...said, ...(older(anyOf[0]) as Json) } : said;
  };
  const { info, ...rest } = older(document) as Record<"info", Json>;
  return { ...rest, openapi: "3.0.3", info: { title: info["title"], version: info["version"] } };
}
