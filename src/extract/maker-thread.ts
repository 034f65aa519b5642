/** A thread that makes records: told of a step, then sent its rows. */
import type { RecordName } from "../api/records.ts";
import { answerMessages } from "../base/thread-pool.ts";
import { type PackedBatch, type PackedInputs, packBatch, unpackInputs } from "./batches.ts";
import { type MadeBatch, RecordMaker, recordNamed, type StepData } from "./record-maker.ts";

export type MakerOrder =
  | { readonly name: RecordName; readonly step: StepData }
  | { readonly inputs: PackedInputs };

const NOTHING: MadeBatch = { made: [], problems: [] };

let maker: RecordMaker | undefined;

function answer(order: MakerOrder): PackedBatch {
  if ("inputs" in order) return packBatch(maker?.make(unpackInputs(order.inputs)) ?? NOTHING);
  maker = new RecordMaker(recordNamed(order.name), order.step);
  return packBatch(NOTHING);
}

answerMessages(answer, ({ texts }) => [texts.buffer]);
