/** Drivers of database servers are optional: who keeps a store in a file needs none. */
import { systemCodeOf, VitrineError } from "../../base/error.ts";

/** Loads a driver. @throws VitrineError usage where it is not installed */
export async function loadDriver<Module>(load: () => Promise<Module>, packages: string): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (systemCodeOf(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new VitrineError(
      "usage",
      `A store on this server needs a driver that is not installed: npm install ${packages}`,
      { cause: error },
    );
  }
}
