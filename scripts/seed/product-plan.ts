/** A product before it is written: what differs from an ordinary one. */
import type { Row } from "./writer.ts";

export interface ProductPlan {
  readonly name: string;
  readonly slug: string;
  /** What its texts are about; the name where none is given. */
  readonly topic?: string;
  readonly type?: string;
  /** Must never be seen, at whatever time a build is made: its words carry canaries. */
  readonly hidden?: boolean;
  /** Category ids, the primary one first. */
  readonly categories?: readonly number[];
  /** Minor units; null while no price is set. */
  readonly price?: number | null;
  readonly createdAt?: number;
  /** Columns of products that differ. */
  readonly row?: Row;
  /** Rows of sale_windows, without their ids. */
  readonly sales?: readonly Row[];
  /** A row of preorders, without its id. */
  readonly preorder?: Row;
  /** Which licence tiers it has. */
  readonly tiers?: "none" | "regular" | "both" | "extended-inactive";
  /** Which pictures it has. */
  readonly media?: "none" | "private-first" | "ordinary";
}
