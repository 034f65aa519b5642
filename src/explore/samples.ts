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

/** What shows a product's reviews in any page: the place, in the page's colours, and the tag. `script`: its address. */
export function widgetTag(script: string, slug: string): string {
  return `<style>#reviews { --vitrine-accent: #0a6761; --vitrine-star: #a96a00 }</style>
<div id="reviews"></div>
<script async src="${script}" data-product-slug="${slug}" data-container="reviews"></script>
`;
}
