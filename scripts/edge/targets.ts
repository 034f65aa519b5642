/** Request targets to try engines with, as byte strings: the hostile ones, and seeded ones of every endpoint. */
import { API_PATH, ENDPOINTS, type Endpoint, type Param } from "../../src/api/endpoints.ts";
import { Random } from "../bench/random.ts";
import { HOSTILE } from "./hostile.ts";

const GOOD: Readonly<Record<Param["kind"], readonly string[]>> = {
  integer: ["1", "2", "3", "5", "20", "100"],
  slug: ["scripts", "invoice-kit", "a.b_c-1", "Themes"],
  flag: ["1", "0", "true", "No"],
  choice: [],
  price: ["0", "5", "9.90"],
  text: ["kit", "a%20b", ""],
};
const BAD = ["", "0", "x%0A", "%zz", "%ff", "-1", "\xff", "%00", "..", "99999999999999999999"];

function valuesOf(param: Param): readonly string[] {
  return param.kind === "choice" ? (param.values ?? []) : GOOD[param.kind];
}

/** Any byte of a value or name may stand as its escape. */
function respell(random: Random, text: string): string {
  if (!random.chance(10)) return text;
  return text.replace(/[A-Za-z0-9._-]/g, (letter) =>
    random.chance(30) ? `%${letter.charCodeAt(0).toString(16)}` : letter,
  );
}

/** A query of some of an endpoint's parameters, in any order. */
function randomQuery(random: Random, endpoint: Endpoint): string {
  const params = random.sample(endpoint.params, random.between(1, Math.min(4, endpoint.params.length)));
  const parts = params.map((param) => {
    const value = random.chance(88) ? random.pick(valuesOf(param)) : random.pick(BAD);
    return `${respell(random, param.name)}=${respell(random, value)}`;
  });
  if (random.chance(8)) parts.push(random.pick(["utm_source=x", "_=1", "x=1", parts[0] ?? "", "fbclid", ""]));
  return parts.join("&");
}

/** Every endpoint's pairs of parameters in both orders, with good values. */
function pairs(endpoint: Endpoint): string[] {
  const part = (param: Param) => `${param.name}=${valuesOf(param)[1] ?? ""}`;
  return endpoint.params.flatMap((first) =>
    endpoint.params.filter((second) => second !== first).map((second) => `${part(first)}&${part(second)}`),
  );
}

/** All targets, each once, in a fixed order. */
export function makeTargets(count = 1200): string[] {
  const random = new Random("edge", "vectors");
  const targets = new Set<string>(HOSTILE);
  for (const endpoint of ENDPOINTS) {
    const path = endpoint.path === "" ? API_PATH : `${API_PATH}/${endpoint.path}`;
    for (const end of ["", "/", "?", "?nothing=1", "?_=1"]) targets.add(path + end);
    for (const query of pairs(endpoint)) if (random.chance(50)) targets.add(`${path}?${query}`);
  }
  const asking = ENDPOINTS.filter((endpoint) => endpoint.params.length > 0);
  while (targets.size < count) {
    const endpoint = random.pick(asking);
    targets.add(
      `${API_PATH}/${endpoint.path}${random.chance(5) ? "/" : ""}?${randomQuery(random, endpoint)}`,
    );
  }
  return [...targets];
}
