/**
 * Commands as data: a row says how an option is written, its help, how it is read and its default; the type of what the
 * command receives follows from the rows. The name in a table is the flag's: `atMostEvery` is `--at-most-every`.
 */
import { type Argument, type Command, InvalidArgumentError, Option } from "commander";

/** `Value`: what a command finds in its flags. */
export interface Flag<Value> {
  /** `<seconds>`, `<file...>`, `[place]` for a value that may be left out; "" for a flag without a value. */
  readonly takes: string;
  readonly help: string;
  readonly parse?: (text: string, before: Value) => Value;
  readonly initial?: Value;
  readonly choices?: readonly string[];
  /** True if it is written `--no-…`; its value is true without it. */
  readonly isNegated?: true;
  /** True if only `--help --all` shows it. */
  readonly rare?: true;
  /** Options that cannot be used together with it. */
  readonly conflicts?: string | readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: a parser takes the values that it gives, so the rows of a table have different types
export type FlagTable = Readonly<Record<string, Flag<any>>>;
export type Flags<Table extends FlagTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Flag<infer Value> ? Value : never;
};

export const flag = (help: string): Flag<true | undefined> => ({ takes: "", help });
export const negated = (help: string): Flag<boolean> => ({ takes: "", help, isNegated: true });

/** `--out "$OUT"` without the variable would name the working directory. */
function filledText(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("Is a variable of the shell without a value?");
}

export const text = (takes: string, help: string): Flag<string | undefined> => ({
  takes,
  help,
  parse: filledText,
});
/** Several values behind one flag: `<file...>` */
export const texts = (takes: string, help: string): Flag<readonly string[] | undefined> => ({ takes, help });

export function choice<const Name extends string>(
  takes: string,
  help: string,
  choices: readonly Name[],
): Flag<Name | undefined> {
  return { takes, help, choices };
}

/** Reads an option's whole number. */
function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    const end = most === Number.MAX_SAFE_INTEGER ? "" : ` to ${most}`;
    throw new InvalidArgumentError(`Use a whole number from ${least}${end}.`);
  };
}

/** A whole number from `least` to `most`. */
export function whole(takes: string, help: string, least: number, most?: number): Flag<number | undefined> {
  return { takes, help, parse: wholeNumber(least, most) };
}

export const DAY_SECONDS = 86_400;

/** Reads an option's seconds, which may have a fraction. */
function decimalSeconds(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) <= DAY_SECONDS) return Number(text);
  throw new InvalidArgumentError(`Use seconds from 0 to ${DAY_SECONDS}, like 0.2.`);
}

export const seconds = (help: string): Flag<number | undefined> => ({
  takes: "<seconds>",
  help,
  parse: decimalSeconds,
});

/** The option with a default. */
export function byDefault<Value>(option: Flag<Value | undefined>, initial: Value): Flag<Value> {
  return { ...option, initial } as Flag<Value>;
}

/** The option, shown only by `--help --all`. */
export function rare<Value>(option: Flag<Value>): Flag<Value> {
  return { ...option, rare: true };
}

function optionOf(name: string, flag: Flag<unknown>): Option {
  const words = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const option = new Option(`--${flag.isNegated ? "no-" : ""}${words} ${flag.takes}`.trim(), flag.help);
  if (flag.parse !== undefined) option.argParser(flag.parse);
  if (flag.initial !== undefined) option.default(flag.initial);
  if (flag.choices !== undefined) option.choices(flag.choices);
  if (flag.conflicts !== undefined) option.conflicts([flag.conflicts].flat());
  return option.hideHelp(flag.rare === true);
}

export function addFlags(command: Command, table: FlagTable): Command {
  for (const [name, flag] of Object.entries(table)) command.addOption(optionOf(name, flag));
  return command;
}

function addExamples(command: Command, examples: readonly string[]): Command {
  return command.addHelpText(
    "after",
    ["", "Examples:", ...examples.map((example) => `  ${example}`)].join("\n"),
  );
}

/** A command. The function that it runs receives the flags, then the arguments. */
interface CommandDef<Table extends FlagTable> {
  readonly name: string;
  readonly does: string;
  readonly takes?: readonly Argument[];
  readonly flags: Table;
  /** At the end of its help; the first one is also shown with an error. */
  readonly examples: readonly string[];
}

export function commandOf<Table extends FlagTable>(
  { name, does, takes = [], flags, examples }: CommandDef<Table>,
  run: (flags: Flags<Table>, ...given: string[]) => Promise<void> | void,
): (program: Command) => void {
  return (program) => {
    const command = program.command(name).description(does);
    for (const argument of takes) command.addArgument(argument);
    addExamples(addFlags(command, flags), examples).action((...all: unknown[]) =>
      run(all[takes.length] as Flags<Table>, ...(all.slice(0, takes.length) as string[])),
    );
  };
}
