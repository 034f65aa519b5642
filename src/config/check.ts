/**
 * Checks a configuration and writes defaults into it. In `dist`, `npm run build` replaces this module by the code that the
 * schema compiles to: compiling takes longer than most commands.
 */
import { schemaCheck } from "../base/schema.ts";
import { Config } from "./schema.ts";

export const configSchema: { readonly properties: object } = Config;

export const checkConfig = schemaCheck<Config>(Config, true);
