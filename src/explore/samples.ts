/** A request in the languages that people paste into a terminal or a program. Pure. */

export const SAMPLES = ["URL", "curl", "fetch"] as const;
export type Sample = (typeof SAMPLES)[number];

/** Inside single quotes a shell reads nothing but their end. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function sampleOf(sample: Sample, url: string): string {
  if (sample === "curl") return `curl ${shellQuoted(url)}`;
  if (sample === "fetch") return `const answer = await (await fetch(${JSON.stringify(url)})).json();`;
  return url;
}
