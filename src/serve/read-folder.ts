/** The files of a snapshot for scripts: answers requests without a catalog or a server. */
import { errorResponse } from "../api/responses.ts";
import { toTarget } from "../api/target.ts";
import { describeProblems, readRequest } from "./answer.ts";
import { readSiteFile } from "./edge.ts";

export interface OpenFolder {
  /**
   * The API's answer to a GET of a path below its base address, if a file has it. Requests that only a server can answer (search,
   * price bounds, pages beyond the snapshot's grid) are `not_found`, and so are missing records.
   */
  get(path: string): { readonly status: number; readonly body: string };
}

/** Opens the folder that contains `api/`: `site` of an output folder, a published place, or a clone of one. */
export function openFolder(folder: string): OpenFolder {
  return {
    get(path) {
      const { file, read } = readRequest(toTarget(path, ""));
      const found = file === null ? null : readSiteFile(folder, file);
      if (found !== null) return { status: 200, body: found.bytes.toString("utf8") };
      if (read === null) return errorResponse("unknown_endpoint", "This endpoint does not exist.", "");
      const { query, problems } = read;
      return problems.length > 0
        ? errorResponse("invalid_parameter", describeProblems(query.endpoint, problems), "")
        : errorResponse("not_found", "This folder has no file for this request.", "");
    },
  };
}
