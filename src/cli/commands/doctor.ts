/** `vitrine doctor` */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { EXIT_CODES } from "../../base/error.ts";
import { shownText } from "../../base/text.ts";
import type { Finding, Level } from "../../setup/finding.ts";
import { INPUT_FLAGS, JSON_FLAG } from "../inputs.ts";
import { byDefault, commandOf, type Flags, flag, rare, whole } from "../options.ts";
import { SERVICE_FLAGS, TO_FLAG } from "../remote.ts";
import {
  escapeForTerminal,
  exitNow,
  type Line,
  printResult,
  printSummary,
  terminalLog,
} from "../terminal.ts";

const FLAGS = {
  ...INPUT_FLAGS,
  ...TO_FLAG,
  endpoint: SERVICE_FLAGS.endpoint,
  region: SERVICE_FLAGS.region,
  tryWriting: flag("also write and delete a file in .vitrine/ of that place, where no reader looks"),
  leftOut: flag("instead, list products that the shop shows and the SQL files leave out"),
  timeout: rare(byDefault(whole("<seconds>", "longest time for one check", 1, 3600), 30)),
  verbose: flag("also show the details of what is OK"),
  ...JSON_FLAG,
};

const WORDS: Readonly<Record<Level, { readonly word: string; readonly style: "green" | "yellow" | "red" }>> =
  {
    ok: { word: "OK", style: "green" },
    note: { word: "note", style: "green" },
    warning: { word: "warning", style: "yellow" },
    problem: { word: "to do", style: "red" },
  };

function lineOf(level: Level, said: string): Line {
  const { word, style } = WORDS[level];
  return { mark: word.padEnd(7), style, text: `  ${said}` };
}

/** `store: The role can also write: orders. Make one that …`: one line, for any text of a server. */
function sentenceOf({ check, what, next }: Finding): string {
  const said = next === "" ? what : `${what.replace(/[.:]$/, "")}. ${next}`;
  return `${check}: ${said.replace(/\s+/g, " ")}`;
}

/** Prints what is OK in one line, and what is to do at the end, where people look. */
function show(findings: readonly Finding[], isVerbose: boolean): void {
  const of = (level: Level) => findings.filter((finding) => finding.level === level);
  const fine = of("ok");
  const [notes, warnings, problems] = [of("note"), of("warning"), of("problem")];
  const names = [...new Set(fine.map(({ check }) => check))];
  const okLines = isVerbose ? fine.map(sentenceOf) : names.length === 0 ? [] : [names.join(", ")];
  printSummary(
    false,
    {},
    okLines.map((line) => lineOf("ok", line)),
  );
  printResult(
    false,
    {},
    [...notes, ...warnings, ...problems].map((each) => lineOf(each.level, sentenceOf(each))),
  );
  const more = isVerbose || fine.length === 0 ? "" : "; --verbose shows the details";
  printSummary(false, {}, [
    `${fine.length} OK, ${warnings.length === 1 ? "1 warning" : `${warnings.length} warnings`}, ` +
      `${problems.length} to do${more}`,
  ]);
}

/** `vitrine doctor --left-out`: these products are private, so they are printed and written to no file. */
async function listLeftOut({ store, queries, config, json }: Flags<typeof FLAGS>): Promise<void> {
  const { resolveInputs } = await import("../../config/inputs.ts");
  const { eachLeftOut } = await import("../../pipeline/left-out.ts");
  const inputs = await resolveInputs({ store, queries, configFile: config });
  const products = eachLeftOut(inputs);
  const lines = json === true ? leftOutJson(products) : leftOutTexts(products);
  await pipeline(Readable.from(lines), process.stdout, { end: false });
  if (json === true) return;
  // Another channel's products are not left out by the SQL files; an operator who looks for one finds it here.
  const { choiceSentence, readChosen } = await import("../../setup/choices.ts");
  const log = terminalLog(false);
  for (const found of await readChosen(inputs.store, inputs.queries, inputs.now))
    log.info(choiceSentence(found));
  log.done();
}

type LeftOutProducts = ReturnType<typeof import("../../pipeline/left-out.ts")["eachLeftOut"]>;

async function* leftOutTexts(products: LeftOutProducts) {
  let isEmpty = true;
  for await (const { id, title, reason } of products) {
    isEmpty = false;
    yield `${shownText(`${id}  ${title}: ${reason}`)}\n`;
  }
  if (isEmpty) yield "No product is left out, or products.left-out.sql, which lists them, is missing.\n";
}

async function* leftOutJson(products: LeftOutProducts) {
  let before = '{"products":[';
  for await (const product of products) {
    yield before + escapeForTerminal(JSON.stringify(product));
    before = ",";
  }
  yield before === "," ? "]}\n" : `${before}]}\n`;
}

async function doctor(given: Flags<typeof FLAGS>): Promise<void> {
  if (given.leftOut === true) return listLeftOut(given);
  const { config, timeout, json, verbose, ...flags } = given;
  const { runChecks } = await import("../../setup/doctor.ts");
  const log = terminalLog(json === true);
  const options = { ...flags, configFile: config, timeoutSeconds: timeout };
  const findings = await runChecks(options, (name) => log.progress(() => `checking: ${name}`));
  log.done();
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length;
  if (json === true)
    printResult(true, { findings, warnings: count("warning"), problems: count("problem") }, []);
  else show(findings, verbose === true);
  // Something to do is not an error of the command: it is reported by the exit code. A check that hangs in a silent socket ends here.
  await exitNow(count("problem") > 0 ? EXIT_CODES.check_failed : 0);
}

export const addDoctor = commandOf(
  {
    name: "doctor",
    does: "check everything that a build and a publish need",
    flags: FLAGS,
    examples: [
      "vitrine doctor",
      "vitrine doctor --store shop.sqlite --json",
      "vitrine doctor --to s3://shop-api --try-writing",
    ],
  },
  doctor,
);
