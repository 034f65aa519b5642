/** What a publish is given: a snapshot, options, and the ports it works through. */

import type { PublicConfig } from "../api/config.ts";
import type { Log } from "../base/log.ts";
import type { OutLayout } from "../snapshot/layout.ts";
import type { Manifest } from "../snapshot/manifest.ts";
import type { Bucket } from "./bucket.ts";
import type { ChangeCounts } from "./changes.ts";
import type { Holder, Journal } from "./documents.ts";
import type { Keep } from "./keep.ts";
import type { Cdn, PurgePlan } from "./purge/plan.ts";
import type { State } from "./state.ts";

/** A snapshot that is to go live. */
export interface Snapshot {
  readonly layout: OutLayout;
  readonly manifest: Manifest;
  readonly config: PublicConfig;
  readonly vitrine: string;
  /** Number of its catalog's format. */
  readonly catalogFormat: number;
}

export interface PublishOptions {
  readonly dryRun: boolean;
  readonly allowShrink: number;
  /** A first publish may replace objects that others put there. */
  readonly adopt: boolean;
  readonly singlePublisher: boolean;
  /** Releases that can be gone back to. */
  readonly keep: Keep;
  readonly leaseSeconds: number;
  /** A publish that has not moved for so long gives its lock up. */
  readonly stallSeconds: number;
  /** Where to purge, as `--purge` spells it. */
  readonly purge: readonly string[];
  /** The release that this one goes back to. */
  readonly rollbackOf?: string;
  /** Goes live though a rollback holds the release that is. */
  readonly resume?: boolean;
  /** Makes a base, and keeps no other release: what they held is erased. */
  readonly alone?: boolean;
  /** Where the bucket has lost what releases are made of, begins with a new base, and lets go of releases that need it. */
  readonly repair?: boolean;
}

export interface PublishPorts {
  readonly bucket: Bucket;
  /** The CDN of a `--purge` text. */
  readonly cdn: (spec: string) => Cdn;
  readonly log: Log;
  readonly now: () => Date;
  readonly newAttempt: () => string;
  readonly holder: Holder;
  /** True where a journal's holder is certainly dead. */
  readonly isGone: (journal: Journal) => boolean;
  /** Once it is aborted, nothing more is written, and the lock is given back. */
  readonly signal?: AbortSignal | undefined;
}

export interface PublishReport {
  readonly outcome: "unchanged" | "planned" | "published";
  /** The live release after it. */
  readonly release: string | null;
  readonly counts: ChangeCounts;
  readonly purges: readonly PurgePlan[];
  /** True where a rollback holds the live release. */
  readonly held: boolean;
  /** Releases that can be gone back to no more. */
  readonly dropped: readonly string[];
  /** What an earlier publish had left undone, told in words. */
  readonly finished: string | null;
  /** Places that an earlier publish was to purge and did not, and that this one was not told to. */
  readonly unpurged: readonly string[];
  readonly seconds: number;
  /** Up to some thousand keys that were put, for a sample of what the public address serves. */
  readonly changedKeys: readonly string[];
}

/** One round of a publish: what goes live, how, and what was found there. */
export interface Publication {
  readonly snapshot: Snapshot;
  readonly options: PublishOptions;
  readonly ports: PublishPorts;
  readonly state: State;
  /** Releases of which the bucket has lost a part; only looked for to repair. */
  readonly lost: ReadonlySet<string>;
}
