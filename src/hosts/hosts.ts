/**
 * Static hosts as data: what each takes, what it is given and what it cannot do. One row is one host. Plain tables without an
 * import, so that the configuration's schema, the plan and whoever diagnoses a set-up can read them.
 */

/** What a host takes; null where it names no number. */
export interface HostLimits {
  /** Files of a site that the smallest plan takes, and those that the largest one does. */
  readonly files: number | null;
  readonly mostFiles: number | null;
  /** Of one file. */
  readonly fileBytes: number | null;
  /** Of all files. */
  readonly siteBytes: number | null;
}

/**
 * Which requests with a query it answers. `all`: each that has a file, however it is spelled; `canonical`: those that name
 * no default and no other spelling; `none`: files are asked for by their paths.
 */
type Queries = "all" | "canonical" | "none";

export interface Host {
  readonly title: string;
  readonly limits: HostLimits;
  /** `grid.depth` where the configuration says nothing. */
  readonly depth: number;
  readonly queries: Queries;
  /** Keys of the files that it reads or answers by: part of the snapshot. */
  readonly files: readonly string[];
  /** Whole sentences for people. */
  readonly cannot: readonly string[];
  /** Commands that make a site live, from the folder above the output folder. */
  readonly live: readonly string[];
  /** Where its limits are named. */
  readonly sources: readonly string[];
}

const MIB = 1024 * 1024;
const MEGABYTE = 1_000_000;

const NO_FALLBACK =
  "Nothing answers what has no file: search, price bounds, more filters than grid.depth, pages beyond the grid and lists without a result are 404.";
const PATHS_ONLY =
  "It does not look at the query: page 2 is /api/v1/products/page=2.json, and /api/v1/products?page=2 is 404.";

const HOSTS = {
  "cloudflare-pages": {
    title: "Cloudflare Pages",
    limits: {
      files: 20_000,
      mostFiles: 100_000,
      fileBytes: 25 * MIB,
      siteBytes: null,
    },
    depth: 1,
    queries: "all",
    files: ["_headers", "_routes.json", "_worker.js", "404.html", "index.html"],
    cannot: [
      "Nothing answers what has no file, unless FALLBACK_URL is set: search, price bounds, more filters than grid.depth, pages beyond the grid and lists without a result are 404 then.",
      "Requests with a query run a Pages Function, of which a free account has 100,000 a day; files by path are not counted.",
      "No limit per client: Pages has no rate limit of its own.",
    ],
    live: ["npx wrangler pages deploy OUT/site --project-name shop-api"],
    sources: ["https://developers.cloudflare.com/pages/platform/limits/"],
  },
  "github-pages": {
    title: "GitHub Pages",
    limits: {
      files: null,
      mostFiles: null,
      fileBytes: 100 * MIB,
      siteBytes: 1000 * MEGABYTE,
    },
    depth: 1,
    queries: "none",
    files: [".nojekyll", "404.html", "index.html"],
    cannot: [
      PATHS_ONLY,
      "A deployment that takes longer than 10 minutes fails; GitHub names no number of files.",
      "Headers are GitHub's own: Cache-Control is max-age=600, and a 404 has the JSON of the envelope as text/html.",
      "GitHub's terms do not allow Pages for a shop's own site; an API of open data beside it is yours to judge.",
    ],
    live: [
      "cp -R OUT/site pages && cd pages && git init -b gh-pages && git add --all && git commit -m Release",
      "git push --force git@github.com:OWNER/REPOSITORY.git gh-pages",
    ],
    sources: [
      "https://docs.github.com/en/pages/getting-started-with-github-pages/github-pages-limits",
      "https://docs.github.com/en/repositories/working-with-files/managing-large-files/about-large-files-on-github",
    ],
  },
  netlify: {
    title: "Netlify",
    limits: {
      files: 54_000,
      mostFiles: 54_000,
      fileBytes: null,
      siteBytes: null,
    },
    depth: 2,
    queries: "canonical",
    files: ["_headers", "_redirects", "404.html", "404.json", "index.html"],
    cannot: [
      "Only canonical queries are rewritten to files: a default that is spelled out (sort=newest), an alias (limit) or another spelling (category=Scripts) is 404.",
      NO_FALLBACK,
      "A folder takes 54,000 files, so all together are kept below that.",
    ],
    live: ["npx netlify deploy --prod --no-build --dir OUT/site"],
    sources: ["https://docs.netlify.com/deploy/create-deploys/"],
  },
  s3: {
    title: "Amazon S3 without a CDN",
    limits: {
      files: null,
      mostFiles: null,
      fileBytes: 5 * 1024 * MIB,
      siteBytes: null,
    },
    depth: 2,
    queries: "none",
    files: ["404.json", "index.html"],
    cannot: [
      PATHS_ONLY,
      NO_FALLBACK,
      "A 404 is the JSON envelope only at the bucket's website address, which has no TLS; at its own address it is S3's XML.",
      "vitrine edge cloudfront puts a CDN in front that answers every query; this is for a bucket alone.",
    ],
    live: [
      "vitrine publish --to s3://BUCKET",
      "aws s3api put-bucket-cors --bucket BUCKET --cors-configuration file://OUT/host/cors.json",
      "aws s3 website s3://BUCKET --index-document index.html --error-document 404.json",
    ],
    sources: ["https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html"],
  },
} satisfies Readonly<Record<string, Host>>;

export type HostName = keyof typeof HOSTS;
export const HOST_NAMES = Object.keys(HOSTS) as HostName[];

export function hostNamed(name: HostName): Host {
  return HOSTS[name];
}

/** What a host takes. */
export function hostLimits(name: HostName): HostLimits {
  return HOSTS[name].limits;
}

/** True where files are asked for by their paths alone. */
export function isByPath(name: HostName | undefined): boolean {
  return name !== undefined && hostNamed(name).queries === "none";
}

/** True for a file that some host reads for itself, or answers a 404 with: nobody gets it by asking for it. */
export function isHostFile(key: string): boolean {
  return HOST_NAMES.some((name) => hostNamed(name).files.includes(key));
}
