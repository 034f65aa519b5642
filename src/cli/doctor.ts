/** `vitrine doctor` */
import type { Command } from "commander";
import { EXIT_CODES } from "../base/error.ts";
import type { Finding, Level } from "../doctor/finding.ts";
import type { HostName } from "../hosts/hosts.ts";
import { addInputOptions, wholeNumber } from "./inputs.ts";
import { type Line, printResult, printSummary } from "./terminal.ts";

const EXAMPLES = `
Examples:
  vitrine doctor
  vitrine doctor --store shop.sqlite --json
  vitrine doctor --for netlify
  vitrine doctor --to s3://shop/catalog --try-writing`;

interface DoctorFlags {
  readonly store?: string;
  readonly queries?: string;
  readonly config: string;
  readonly out?: string;
  readonly for?: HostName;
  readonly to?: string;
  readonly endpoint?: string;
  readonly region?: string;
  readonly tryWriting?: true;
  readonly leftOut?: true;
  /** Seconds. */
  readonly timeout: number;
  readonly json?: true;
}

const WORDS: Readonly<Record<Level, { readonly word: string; readonly style: "green" | "yellow" | "red" }>> =
  {
    ok: { word: "OK", style: "green" },
    warning: { word: "warning", style: "yellow" },
    problem: { word: "to do", style: "red" },
  };

/** `warning  store: The role may write, too: orders. Make one that …`: one line, whatever a server says. */
function lineOf({ check, level, what, next }: Finding): Line {
  const { word, style } = WORDS[level];
  const text = next === "" ? what : `${what.replace(/[.:]$/, "")}. ${next}`;
  return { mark: word.padEnd(7), style, text: `  ${check}: ${text.replace(/\s+/g, " ")}` };
}

function show(finding: Finding): void {
  const lines = [lineOf(finding)];
  if (finding.level === "ok") printSummary(false, {}, lines);
  else printResult(false, {}, lines);
}

/** `vitrine doctor --left-out`: on the terminal of whoever may read the store, and nowhere else. */
async function listLeftOut(flags: DoctorFlags): Promise<void> {
  const [{ resolveInputs }, { productsLeftOut }] = await Promise.all([
    import("../config/inputs.ts"),
    import("../build/left-out.ts"),
  ]);
  const { store, queries, config: configFile } = flags;
  const { products } = await productsLeftOut(await resolveInputs({ store, queries, configFile }));
  const lines = products.map(({ id, title, reason }) => `${id}  ${title}: ${reason}`);
  printResult(
    flags.json === true,
    { products },
    lines.length > 0
      ? lines
      : ["No product is left out, or products.left-out.sql is missing, which says which are."],
  );
}

async function doctor(given: DoctorFlags): Promise<void> {
  if (given.leftOut === true) return listLeftOut(given);
  const { config, timeout, json, ...flags } = given;
  const { runChecks } = await import("./doctor-checks.ts");
  const findings: Finding[] = [];
  await runChecks({ ...flags, configFile: config, timeoutSeconds: timeout }, (found) => {
    findings.push(...found);
    if (json !== true) found.forEach(show);
  });
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length;
  const [fine, warnings, problems] = [count("ok"), count("warning"), count("problem")];
  if (json === true) printResult(true, { findings, warnings, problems }, []);
  else
    printSummary(false, {}, [
      `${fine} OK, ${warnings === 1 ? "1 warning" : `${warnings} warnings`}, ${problems} to do`,
    ]);
  // Something to do is no error: all that was asked for has been told.
  if (problems > 0) process.exitCode = EXIT_CODES.check_failed;
}

export function addDoctor(program: Command): void {
  addInputOptions(
    program
      .command("doctor")
      .description("look at all that a build and a publish need, and say what is wrong and what to do"),
  )
    .option("--to <place>", "look at where releases go, too: s3://BUCKET/PREFIX or file:///FOLDER")
    .option("--endpoint <url>", "with --to: address of an S3 store that is not AWS")
    .option("--region <name>", "with --to: the store's region (else as the AWS SDK finds it)")
    .option("--try-writing", "with --to: put and delete a key in .vitrine/, which no reader looks at")
    .option("--left-out", "instead, list the products that the shop shows and the SQL files leave out")
    .option("--timeout <seconds>", "how long one check may take", wholeNumber(1, 3600), 30)
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLES)
    .action(doctor);
}
