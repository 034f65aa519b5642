/** How much a build or a publish may delete at once. In a file without imports: help shows it, and help must load fast. */

/** More than either needs --allow-shrink. */
export const MOST_DELETIONS = 1000;
export const MOST_SHARE = 0.2;
