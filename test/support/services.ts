/**
 * S3-compatible services: what each needs, and how that is known. `test/publish/services.slow.test.ts` plays those with quirks, and
 * `npm run docs:services` writes the table into docs/s3-services.md.
 */
import type { Quirks } from "./memory-bucket.ts";

export interface Service {
  readonly name: string;
  /** How it differs from AWS, as the source says. Undefined if nothing is played. */
  readonly quirks?: Quirks;
  /** Needed beside what its conditions say: "`--region auto`". */
  readonly needs?: string;
  /** Sources, in Markdown: what ran, or what was read. */
  readonly known: string;
}

export const SERVICES: readonly Service[] = [
  {
    name: "Ceph 16.2",
    quirks: { wantsMd5: true, conditions: "unquoted" },
    needs: "a bucket that never had versioning",
    known: "tried: `test/publish/ceph.slow.test.ts`, `contract.slow.test.ts`",
  },
  {
    name: "AWS S3",
    quirks: {},
    known:
      "[conditional writes](https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html)",
  },
  {
    name: "Cloudflare R2",
    quirks: { wantsMd5: true, refusesChecksums: 501 },
    needs: "`--region auto`",
    known:
      "[conditional operations](https://developers.cloudflare.com/r2/api/s3/conditional-operations/), [CRC32 got 501](https://github.com/aws/aws-sdk-js-v3/issues/6810)",
  },
  {
    name: "MinIO, Dell ECS",
    quirks: { wantsMd5: true },
    needs: "before MinIO had conditional writes: `--single-publisher`",
    known:
      "MD5 wanted by [MinIO](https://github.com/aws/aws-sdk-java-v2/issues/5805), [ECS](https://github.com/EMCECS/ECS-CommunityEdition/issues/584)",
  },
  {
    name: "Scaleway",
    needs: "before May 2026: `--single-publisher`",
    known:
      "[conditional writes](https://www.scaleway.com/en/docs/object-storage/api-cli/using-conditional-writes/)",
  },
  {
    name: "Selectel, Servercore",
    known: "[conditional requests](https://docs.selectel.ru/en/s3/objects/conditional-requests/)",
  },
  {
    name: "SeaweedFS",
    needs: "before March 2026: `--single-publisher`",
    known: "[its conditions are atomic](https://github.com/seaweedfs/seaweedfs/pull/8802)",
  },
  {
    name: "OVHcloud",
    quirks: { wantsMd5: true },
    needs: "`--single-publisher` if it says NotImplemented",
    known:
      "[roadmap #671](https://github.com/ovh/public-cloud-roadmap/issues/671), [MD5 of deletions](https://github.com/ovh/public-cloud-roadmap/issues/763)",
  },
  {
    name: "Backblaze B2",
    quirks: { wantsMd5: true, refusesChecksums: 501, conditions: 501 },
    known: "[refuses conditions](https://github.com/sathinduga/obsidian-s3-sync-and-backup/pull/84)",
  },
  {
    name: "Google Cloud Storage (HMAC keys)",
    quirks: { deletesSingly: true, conditions: "ignored" },
    known:
      "[ignores conditions](https://github.com/aws/aws-sdk-java-v2/pull/6055), [had no DeleteObjects](https://github.com/nextcloud/server/issues/53658)",
  },
  {
    name: "OpenStack Swift 2.30 (s3api)",
    quirks: { conditions: 501 },
    known: "tried, [below](#servers-that-were-tried)",
  },
  {
    name: "s3rver 3.7.1",
    quirks: { conditions: "ignored" },
    known: "tried, [below](#servers-that-were-tried)",
  },
  {
    name: "Storj",
    needs: "not known",
    known: "[lists keys in another order](https://github.com/storj/roadmap/issues/62), which is accepted",
  },
];

/** Without conditional writes a publisher has no lock. */
export function hasConditions({ quirks }: Service): boolean {
  return quirks?.conditions === undefined || quirks.conditions === "unquoted";
}
