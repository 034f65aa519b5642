/** A heading's anchor as the usual hosts of repositories make it, so that links hold there and in the site: `What a reader sees` → `what-a-reader-sees`. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}
