/**
 * Checks a configuration and writes defaults into it. In `dist`, `npm run build` replaces this module by the code that the
 * schema compiles to: compiling takes longer than most commands.
 */
import { compileSchema } from "../base/schema.ts";
import { Config } from "./schema.ts";

export const configSchema: { readonly properties: object } = Config;

export const checkConfig = compileSchema<Config>(Config, true);
