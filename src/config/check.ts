/**
 * What checks a configuration, and writes its defaults into it. In `dist`, `npm run build` puts the code that this makes in this
 * module's place: making it takes longer than most commands.
 */
import { Config } from "../api/config.ts";
import { compileSchema } from "../base/schema.ts";

export const configSchema: { readonly properties: object } = Config;

export const checkConfig = compileSchema<Config>(Config, true);
