/**
 * The tables of docs/library.md, made from the doc comments of the exported types. A line `<!-- table: BuildOptions -->` of the page
 * begins one, the next blank line ends it.
 */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseAst } from "rolldown/parseAst";

/** Absolute path of the page. */
export const LIBRARY_FILE = fileURLToPath(new URL("../../docs/library.md", import.meta.url));

const TABLE = /^<!-- table: (.*) -->\n(?:.+\n)*/gm;

/** Replaces the tables of a page. What an earlier table has is named in one row. */
export function fillTables(page: string): string {
  const sources = new Map(globSync("src/**/*.ts").map((file) => [file, readFileSync(file, "utf8")]));
  const shown = new Set<string>();
  return page.replace(TABLE, (_, names: string) => {
    const all = names.split(", ").flatMap((name) => membersOf(name, sources));
    const members = all.filter(({ name }, at) => all.findIndex((other) => other.name === name) === at);
    const known = members.filter(({ where }) => shown.has(where)).map(({ name }) => `\`${name}\``);
    // A report has every field; of options, most may be missing.
    const isOfOptions = members.some(({ isOptional }) => isOptional);
    const rows = members.flatMap((member) => (shown.has(member.where) ? [] : [rowOf(member, isOfOptions)]));
    for (const { where } of members) shown.add(where);
    const head = [`| ${isOfOptions ? "option" : "field"} | means |`, "| --- | --- |"];
    const last = known.length === 0 ? [] : [`| ${known.join(", ")} | as above |`];
    return [`<!-- table: ${names} -->`, ...head, ...rows, ...last, ""].join("\n");
  });
}

interface Member {
  readonly name: string;
  /** `src/config/inputs.ts: BuildOptions.store` */
  readonly where: string;
  /** Its doc comment, in one line; "" without one. */
  readonly comment: string;
  readonly isOptional: boolean;
}

/** The row of an option or a field. */
function rowOf({ name, where, comment, isOptional }: Member, isOfOptions: boolean): string {
  if (comment === "") throw new Error(`${where} has no doc comment, and docs/library.md needs one.`);
  const linked = comment
    .replace(/\(docs\/([\w-]+)\.md\)/g, "([$1]($1.md))")
    .replace(/\{@link (?:\w+\.)?(\w+)\}/g, "`$1`")
    .replaceAll("|", "\\|");
  return `| \`${name}\` | ${isOfOptions && !isOptional ? "Required. " : ""}${linked} |`;
}

/** The members of an exported interface, its own first. Names of interfaces are unique in `src`. */
function membersOf(name: string, sources: ReadonlyMap<string, string>): readonly Member[] {
  const begin = `export interface ${name} `;
  const [file, source] = [...sources].find(([, text]) => text.includes(begin)) ?? [];
  if (file === undefined || source === undefined)
    throw new Error(`src exports no interface ${name}, which docs/library.md names.`);
  const declared = parseAst(source, { lang: "ts" }, file)
    .body.map((statement) => (statement.type === "ExportNamedDeclaration" ? statement.declaration : null))
    .find((each) => each?.type === "TSInterfaceDeclaration" && each.id.name === name);
  if (declared?.type !== "TSInterfaceDeclaration") throw new Error(`${file} does not export ${name}.`);
  let before = declared.body.start + 1;
  const own = declared.body.body.flatMap((member): Member[] => {
    const comment = commentIn(source.slice(before, member.start));
    before = member.end;
    if (member.type !== "TSPropertySignature" || member.key.type !== "Identifier") return [];
    const where = `${file}: ${name}.${member.key.name}`;
    return [{ name: member.key.name, where, comment, isOptional: member.optional }];
  });
  const inherited = declared.extends.flatMap(({ start, end }) => {
    const base = extendedBy(source.slice(start, end));
    return membersOf(base.name, sources).filter((member) => !base.omitted.includes(member.name));
  });
  return [...own, ...inherited];
}

/** `Omit<BuildOptions, "now" | "full">` */
function extendedBy(text: string): { readonly name: string; readonly omitted: readonly string[] } {
  const name = /^(?:\w+<)?(\w+)/.exec(text)?.[1] ?? text;
  return { name, omitted: [...text.matchAll(/"(\w+)"/g)].map(([, omitted = ""]) => omitted) };
}

/** The text of the doc comment that stands before a member. */
function commentIn(text: string): string {
  const [, inside = ""] = /\/\*\*([\s\S]*?)\*\/\s*$/.exec(text) ?? [];
  return inside
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trim())
    .join(" ")
    .trim();
}
