/** The files of a snapshot as scripts read them: by request, without a catalog and a server. */
import { errorResponse } from "../api/responses.ts";
import { toTarget } from "../api/target.ts";
import { describeProblems, readRequest } from "./answer.ts";
import { readSiteFile } from "./edge.ts";

export interface OpenFolder {
  /**
   * What the API says to GET of a path below its base address, where a file answers it. What only a server can answer (search,
   * price bounds, what the snapshot's grid leaves out) is `not_found`, and so is what does not exist.
   */
  get(path: string): { readonly status: number; readonly body: string };
}

/** Reads the folder that `api/` stands in: `site` of an output folder, a published place, a clone of one. */
export function openFolder(folder: string): OpenFolder {
  return {
    get(path) {
      const { file, read } = readRequest(toTarget(path, ""));
      const found = file === null ? null : readSiteFile(folder, file);
      if (found !== null) return { status: 200, body: found.bytes.toString("utf8") };
      if (read === null) return errorResponse("unknown_endpoint", "There is no such endpoint.", "");
      const { query, problems } = read;
      return problems.length > 0
        ? errorResponse("invalid_parameter", describeProblems(query.endpoint, problems), "")
        : errorResponse("not_found", "No file of this folder answers this request.", "");
    },
  };
}
