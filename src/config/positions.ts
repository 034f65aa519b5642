/** Where in a text of JSON each setting is. */

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g;

/** `line 3, column 9` of an offset in a text. */
export function lineAndColumn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split("\n");
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** A name of an object or an element of a list: its JSON pointer without escapes, `/grid/depth` or `/purge/0`, and its offset. */
interface Place {
  readonly path: string;
  readonly offset: number;
}

/** All names and elements of a valid text, in its order. */
function placesIn(text: string): readonly Place[] {
  const tokens = [...text.matchAll(TOKEN)];
  const places: Place[] = [];
  let at = 0;
  const read = (path: string): void => {
    const [open] = tokens[at++] ?? [];
    if (open !== "{" && open !== "[") return;
    for (let index = 0; ; index++) {
      const token = tokens[at];
      if (token === undefined) return;
      if (token[0] === "}" || token[0] === "]") break;
      const name = open === "{" ? String(JSON.parse(token[0])) : String(index);
      places.push({ path: `${path}/${name}`, offset: token.index });
      // A name and its colon.
      if (open === "{") at += 2;
      read(`${path}/${name}`);
      if (tokens[at]?.[0] === ",") at += 1;
    }
    at += 1;
  };
  read("");
  return places;
}

/** The offset of each name and each element of a valid text. */
export function offsetsOf(text: string): ReadonlyMap<string, number> {
  return new Map(placesIn(text).map(({ path, offset }) => [path, offset]));
}

/** Names that an object of a valid text has more than once: JSON's readers take the last one without a word. */
export function repeatedIn(text: string): readonly Place[] {
  const firsts = new Map<string, Place>();
  const repeated = new Map<string, Place>();
  for (const place of placesIn(text)) {
    const first = firsts.get(place.path);
    if (first === undefined) firsts.set(place.path, place);
    else repeated.set(place.path, first);
  }
  return [...repeated.values()];
}
