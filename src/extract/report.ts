/** What an extraction says of itself: data alone, for reports. */
import type { RecordName } from "../api/records.ts";
import type { MetaTime } from "../base/time.ts";
import type { Summary } from "./summary.ts";
import type { WrongValue } from "./wrong-rows.ts";

export interface ExtractReport {
  /** Records made, by resource. */
  readonly records: Readonly<Partial<Record<RecordName, number>>>;
  /** Rows of products that are not public, by allow-list file. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** Values that are wrong: they are empty, or their rows are left out. In order of file and column. */
  readonly wrong: readonly WrongValue[];
  /** The next moment at which the clock alone changes an answer. Not public yet: it stands nowhere in the catalog. */
  readonly nextChangeAt: MetaTime | null;
  readonly summary: Summary;
}
