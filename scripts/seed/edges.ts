/**
 * The rows that stand for a rule, out of edges.jsonl: each public and hidden state, names that break encoders, odd
 * shapes. A line has a table, the columns that differ from an ordinary row's, and what other tables have of it (plan).
 * `hidden` rows must never be seen, at whatever time a build is made: their words carry canaries. Rows that time itself
 * makes public (scheduled for tomorrow) carry none; those of 2099 do.
 */
import { readFileSync } from "node:fs";
import { say } from "./texts.ts";
import type { Row } from "./writer.ts";

/** What hangs on a row, where it differs from what hangs on an ordinary one. */
interface Plan {
  /** What a product's texts are about; its name where none is given. */
  readonly topic?: string;
  /** Slugs, the primary one first. */
  readonly categories?: readonly string[];
  readonly tiers?: "none" | "regular" | "both" | "extended-inactive";
  readonly media?: "none" | "private-first";
  readonly sales?: readonly Row[];
  readonly preorder?: Row;
  /** Of a thread, the opening post first. */
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

/** Edge rows that stand for ordinary rows of their ids. */
export function edgesById(table: string): ReadonlyMap<number, Edge> {
  return new Map(edgesOf(table).map((edge) => [Number(edge.row["id"]), edge]));
}
