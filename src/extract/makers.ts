/** Who makes records of rows: this thread, or others beside it. */
import type { RecordDef } from "../api/record.ts";
import { RECORDS, type RecordName } from "../api/records.ts";
import { type MadeBatch, RecordMaker, type RowInput, type StepData } from "./record-maker.ts";

export interface Makers {
  /** Batches that may be under way at once. */
  readonly width: number;
  /** Makes ready for the rows of one record; the returned function then makes them, batch by batch. */
  begin(name: RecordName, step: StepData): Promise<(inputs: readonly RowInput[]) => Promise<MadeBatch>>;
  close(): Promise<void>;
}

function recordNamed(name: RecordName): RecordDef<RecordName> {
  const found = RECORDS.find((record) => record.name === name);
  if (found === undefined) throw new Error(`No record is named ${name}`);
  return found;
}

/** Makes them here, at once: for a few rows. */
export const HERE: Makers = {
  width: 0,
  begin: async (name, step) => {
    const maker = new RecordMaker(recordNamed(name), step);
    return async (inputs) => maker.make(inputs);
  },
  close: async () => undefined,
};
