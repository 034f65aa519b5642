/** A request as code for a terminal or a program. Pure. */

export const SAMPLES = ["URL", "curl", "fetch"] as const;
export type Sample = (typeof SAMPLES)[number];

/** Inside single quotes, the only special character of a shell is the closing quote. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function sampleOf(sample: Sample, url: string): string {
  if (sample === "curl") return `curl ${shellQuoted(url)}`;
  if (sample === "fetch") return `const answer = await (await fetch(${JSON.stringify(url)})).json();`;
  return url;
}

/** HTML that shows a product's reviews in any page, in the page's colours. `script`: address of the widget's script. */
export function widgetTag(script: string, slug: string): string {
  return `<style>#reviews { --vitrine-accent: #0a6761; --vitrine-star: #a96a00 }</style>
<div id="reviews"></div>
<script async src="${script}" data-product-slug="${slug}" data-container="reviews"></script>
`;
}
