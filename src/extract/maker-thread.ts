/** A thread that makes records: told of a step, then sent its rows. */
import type { RecordName } from "../api/records.ts";
import { answerMessages } from "../base/thread-pool.ts";
import { type MadeBatch, RecordMaker, type RowInput, recordNamed, type StepData } from "./record-maker.ts";

export type MakerOrder =
  | { readonly name: RecordName; readonly step: StepData }
  | { readonly inputs: readonly RowInput[] };

const NOTHING: MadeBatch = { made: [], problems: [] };

let maker: RecordMaker | undefined;
answerMessages((order: MakerOrder): MadeBatch => {
  if ("inputs" in order) return maker?.make(order.inputs) ?? NOTHING;
  maker = new RecordMaker(recordNamed(order.name), order.step);
  return NOTHING;
});
