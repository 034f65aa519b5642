/** Where in a text of JSON each setting is. */

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g;

/** `line 3, column 9` of an offset in a text. */
export function lineAndColumn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split("\n");
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** The offset of each name and each element of a valid text, by its JSON pointer without escapes: `/grid/depth`, `/purge/0`. */
export function offsetsOf(text: string): ReadonlyMap<string, number> {
  const tokens = [...text.matchAll(TOKEN)];
  const offsets = new Map<string, number>();
  let at = 0;
  const read = (path: string): void => {
    const [open] = tokens[at++] ?? [];
    if (open !== "{" && open !== "[") return;
    for (let index = 0; ; index++) {
      const token = tokens[at];
      if (token === undefined) return;
      if (token[0] === "}" || token[0] === "]") break;
      const name = open === "{" ? String(JSON.parse(token[0])) : String(index);
      offsets.set(`${path}/${name}`, token.index);
      // A name and its colon.
      if (open === "{") at += 2;
      read(`${path}/${name}`);
      if (tokens[at]?.[0] === ",") at += 1;
    }
    at += 1;
  };
  read("");
  return offsets;
}
