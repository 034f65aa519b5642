/**
 * The rows that each test a rule, from edges.jsonl: each public and hidden state, names that break encoders, odd shapes. A line has a
 * table, the columns that differ from an ordinary row's, and the rows of other tables that belong to it (plan). `hidden` rows must never
 * be seen, whenever a build is made: their words carry canaries. Rows that become public with time (scheduled for tomorrow) carry none;
 * those of 2099 do.
 */
import { readFileSync } from "node:fs";
import { say } from "./texts.ts";
import type { Row } from "./writer.ts";

/** The rows that belong to a row, if they differ from an ordinary row's. */
interface Plan {
  /** Subject of a product's texts; its name by default. */
  readonly topic?: string;
  /** Slugs, the primary one first. */
  readonly categories?: readonly string[];
  readonly tiers?: "none" | "regular" | "both" | "extended-inactive";
  readonly media?: "none" | "private-first";
  readonly sales?: readonly Row[];
  readonly preorder?: Row;
  /** For a thread: its posts, the opening post first. */
  readonly posts?: readonly Row[];
  /** Number of the post, from 1, that is marked as the solution. */
  readonly solvedBy?: number;
}

export interface Edge {
  readonly table: string;
  readonly row: Row;
  readonly plan: Plan;
  readonly hidden: boolean;
}

type Line = Row & { readonly table: string; readonly hidden?: boolean; readonly plan?: Plan };

export const EDGES: readonly Edge[] = readFileSync(new URL("edges.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => {
    const text = (_: string, value: unknown): unknown => (value === "{hostile}" ? say(value) : value);
    const { table, hidden = false, plan = {}, ...row } = JSON.parse(line, text) as Line;
    return { table, row, plan, hidden };
  });

export function edgesOf(table: string): Edge[] {
  return EDGES.filter((edge) => edge.table === table);
}

/** Edge rows that replace ordinary rows with the same ids. */
export function edgesById(table: string): ReadonlyMap<number, Edge> {
  return new Map(edgesOf(table).map((edge) => [Number(edge.row["id"]), edge]));
}
