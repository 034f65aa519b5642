/** Inputs of a publish: options with their defaults, a snapshot, and the ports it works through. */
import type { PublicConfig } from "../api/config.ts";
import type { Clock } from "../base/clock.ts";
import { VitrineError } from "../base/error.ts";
import type { Log, LogOption } from "../base/log.ts";
import { WAIT_SECONDS } from "../base/when-free.ts";
import type { OutLayout } from "../site/layout.ts";
import type { Manifest } from "../site/manifest.ts";
import type { Bucket } from "./bucket.ts";
import type { Holder, Journal } from "./documents.ts";
import type { Cdn, PurgePlan } from "./purge.ts";

/** The place of the releases. Credentials come from the environment, as for the command. */
export interface PlaceOptions {
  /** Where releases are published: `s3://BUCKET/PREFIX` or `file:///FOLDER`. */
  readonly to: string;
  /** Address of an S3 service that is not AWS. */
  readonly endpoint?: string | undefined;
  /** The service's region. Default: as the AWS SDK finds it. */
  readonly region?: string | undefined;
  /** Most requests at once. Default: 64. */
  readonly concurrency?: number | undefined;
  /** How long one request may go without a response. Default: 20. */
  readonly timeoutSeconds?: number | undefined;
}

/** How a release is made live. Credentials of CDNs come from the environment, too. */
export interface ReleaseOptions {
  /** Reports what would be put, deleted and purged; writes nothing. Default: false. */
  readonly dryRun?: boolean | undefined;
  /** Allows this many deletions, also if they are a large share of all files. Default: 0. */
  readonly allowShrink?: number | undefined;
  /** Where to purge: `cloudfront:ID`, `cloudflare:ZONE`, `fastly:SERVICE`, `webhook:URL`. Default: nowhere. */
  readonly purge?: readonly string[] | undefined;
  /** How many of the changed files are requested at the public address afterwards. Default: 0. */
  readonly verify?: number | undefined;
  /** At a first publish, replaces objects of others at its keys. Default: false. */
  readonly adopt?: boolean | undefined;
  /** Writes without conditions: no other publisher ever writes there. Default: false. */
  readonly singlePublisher?: boolean | undefined;
  /** How long older releases stay available for a rollback, like `7d` or `12h`, or how many, including the live one. Default: `7d`. */
  readonly keep?: number | string | undefined;
  /** How long the lock of a dead publisher lasts, up to a day. Default: 60. */
  readonly leaseSeconds?: number | undefined;
  /** How long to wait for another publisher's lock; 0: not at all. Default: 120. */
  readonly waitSeconds?: number | undefined;
  /** Publishes a snapshot although the live release's was read from the store later. Default: false. */
  readonly allowOlder?: boolean | undefined;
  /** Publishes although a rollback holds the live release. Default: false. */
  readonly resume?: boolean | undefined;
  /** Also reads everything at the place and puts back what is missing or different. Default: false. */
  readonly repair?: boolean | undefined;
}

export interface PublishOptions extends LogOption, PlaceOptions, ReleaseOptions {
  /** Folder of the snapshot. Default: `out` of the configuration, else `out`. */
  readonly out?: string | undefined;
  /** The configuration that names `out`. Default: `vitrine.config.json`, if it exists. */
  readonly configFile?: string | undefined;
  /** Allows publishing a snapshot with a local address to a bucket. Default: false. */
  readonly allowLocal?: boolean | undefined;
  /** Publishes a snapshot even if it has no product. Default: false. */
  readonly force?: boolean | undefined;
  /** Ends the publish when aborted: nothing more is written, and the lock is released. */
  readonly signal?: AbortSignal | undefined;
}

type Filled<Options> = { readonly [Name in keyof Options]-?: NonNullable<Options[Name]> };
type Defaults = Filled<Omit<PlaceOptions, "to" | "endpoint" | "region"> & ReleaseOptions>;

/** Defaults for the library and the command line. */
export const DEFAULTS: Defaults = {
  concurrency: 64,
  timeoutSeconds: 20,
  dryRun: false,
  allowShrink: 0,
  purge: [],
  verify: 0,
  adopt: false,
  singlePublisher: false,
  keep: "7d",
  leaseSeconds: 60,
  waitSeconds: WAIT_SECONDS,
  allowOlder: false,
  resume: false,
  repair: false,
};

const OTHERS = [
  "to",
  "endpoint",
  "region",
  "out",
  "configFile",
  "allowLocal",
  "force",
  "log",
  "signal",
] as const;
/** All options of a publish. */
export const OPTION_NAMES: readonly (keyof PublishOptions)[] = [
  ...(Object.keys(DEFAULTS) as (keyof Defaults)[]),
  ...OTHERS,
];

/** The options, with defaults for those that are undefined. */
export function withDefaults<Options extends object>(options: Options): Options & Defaults {
  const said = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...DEFAULTS, ...Object.fromEntries(said) } as Options & Defaults;
}

/** Rules that only Vitrine's own commands set. */
interface OwnRules {
  /** The older release that this one returns to. */
  readonly rollbackOf: string | null;
  /** True if the publish may only put back what is already live. */
  readonly onlyLive: boolean;
  /** True if a repair asks the CDNs to forget everything, in any case. */
  readonly purgesAll: boolean;
  /** What a repair has already read at the place and need not read again. Undefined: nothing yet. */
  readonly seen?: Seen | undefined;
}

export interface PublishRules extends Omit<Defaults, "keep">, OwnRules {
  readonly keep: Keep;
}

/** @throws VitrineError usage */
export function rulesOf(options: Partial<ReleaseOptions & OwnRules>): PublishRules {
  const said = withDefaults({ rollbackOf: null, onlyLive: false, purgesAll: false, ...options });
  return { ...said, keep: parseKeep(String(said.keep)) };
}

/** Which releases are kept: how many, including the live one; or for how long, thinned with age. */
export type Keep = number | { readonly seconds: number };

const MOST_RELEASES = 2500;
const UNIT_SECONDS: Readonly<Record<string, number>> = { h: 60 * 60, d: 24 * 60 * 60 };
const MOST_KEPT_SECONDS = 90 * 24 * 60 * 60;

/** `7d`, `12h`, or a number of releases: `10`. @throws VitrineError usage */
export function parseKeep(text: string): Keep {
  const [, digits = "", unit = ""] = /^([1-9]\d*)([hd]?)$/.exec(text) ?? [];
  const seconds = Number(digits) * (UNIT_SECONDS[unit] ?? 0);
  if (digits !== "" && unit === "" && Number(digits) <= MOST_RELEASES) return Number(digits);
  if (unit !== "" && seconds <= MOST_KEPT_SECONDS) return { seconds };
  throw new VitrineError(
    "usage",
    `"${text}" does not say which releases to keep: write how long, in days or hours up to 90d, like 7d or 12h, or how many ` +
      `releases, from 1 to ${MOST_RELEASES}, like 10.`,
  );
}

/** A snapshot to publish. */
export interface Snapshot {
  readonly layout: OutLayout;
  readonly manifest: Manifest;
  readonly config: PublicConfig;
  readonly vitrine: string;
  /** Number of its catalog's format. */
  readonly catalogFormat: number;
  readonly hasProducts: boolean;
  /** When it was read from the store, by this machine's clock, RFC 3339 in milliseconds: says which of two snapshots is the older one. */
  readonly readAt: string;
}

export interface PublishPorts {
  readonly bucket: Bucket;
  /** The CDN of a `--purge` text. */
  readonly cdn: (spec: string) => Cdn;
  readonly log: Log;
  readonly clock: Clock;
  /** Seconds by a clock that is never set and that runs while the machine sleeps: how old the lease is. */
  readonly uptimeSeconds: () => number;
  readonly holder: Holder;
  /** True if a journal's holder is certainly dead. */
  readonly isGone: (journal: Journal) => boolean;
  /** When aborted, nothing more is written, and the lock is released. */
  readonly signal?: AbortSignal | undefined;
  /** Called before the first file that readers see is changed, or is deleted because it is gone; what it returns is disposed of after the last. */
  readonly changing?: ((what: Changing) => Disposable) | undefined;
}

/** `deletions`, with their purges, are what is left of a release that is live already. */
export type Changing = "answers" | "deletions";

/** Ports that the commands use, and the library does not offer. */
export type CommandPorts = Pick<PublishPorts, "changing">;

export interface ChangeCounts {
  readonly new: number;
  readonly changed: number;
  readonly headers: number;
  readonly uncertain: number;
  readonly deleted: number;
  readonly kept: number;
  readonly putBytes: number;
}

export interface RepairReport {
  /** Number of answers that were compared with the release's. */
  readonly files: number;
  /** Answers that were missing or different and were put again. */
  readonly putBack: readonly string[];
  /** Answers and objects that belonged to no release and were deleted. */
  readonly deleted: readonly string[];
  readonly purges: readonly PurgePlan[];
}

export interface Published {
  /** `unchanged`, `planned` (with `dryRun`) or `published`. */
  readonly outcome: "unchanged" | "planned" | "published";
  /** The live release afterwards. */
  readonly release: string | null;
  /** Numbers of new, changed, deleted and equal files. */
  readonly counts: ChangeCounts;
  /** What each CDN was asked to forget. */
  readonly purges: readonly PurgePlan[];
  /** True if a rollback holds the live release. */
  readonly held: boolean;
  /** Releases that a rollback can no longer return to. */
  readonly dropped: readonly string[];
  /** What an earlier publish had left undone, as a sentence. */
  readonly finished: string | null;
  /** What a repair checked and put back; null if no repair was asked for. */
  readonly repaired: RepairReport | null;
  /** CDNs that an earlier publish failed to purge, and that this publish was not asked to purge. */
  readonly unpurged: readonly string[];
  /** How long it took. */
  readonly seconds: number;
  /** Number of keys that were requested at the public address. */
  readonly verified: number;
}

/** What was read at a place and found right. It need not be read again: later changes come from a publish, which checks them. */
export interface Seen {
  /** Names of objects. */
  readonly objects: Set<string>;
  /** ETags of answers, by key. */
  readonly answers: Map<string, string>;
}

export function createSeen(): Seen {
  return { objects: new Set(), answers: new Map() };
}
