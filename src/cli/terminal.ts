/** The output of commands: progress and notes on standard error, results on standard output, as lines or as one JSON object. */
import { styleText } from "node:util";
import type { Log } from "../base/log.ts";
import { redactSecrets } from "../base/redact.ts";
import { shownText } from "../base/text.ts";
import { Display } from "./progress.ts";

let isQuiet = false;

/** From now on only errors and requested results are printed: `--quiet`. */
export function beQuiet(): void {
  isQuiet = true;
}

/** A log on standard error, with progress for long work. */
export function terminalLog(quiet: boolean): Log & { done(): void } {
  let display: Display | undefined;
  const isSilent = () => quiet || isQuiet;
  const write = (message: string) => {
    display?.clear();
    if (!isSilent()) process.stderr.write(`${shownText(redactSecrets(message))}\n`);
  };
  return {
    info: write,
    warn: write,
    progress(state) {
      if (isSilent()) return;
      display ??= new Display(process.stderr);
      display.show(state);
    },
    done() {
      display?.[Symbol.dispose]();
      display = undefined;
    },
  };
}

/** A line for people. Its text may come from others and is escaped; the coloured mark is ours. */
export type Line =
  | string
  | { readonly mark: string; readonly style: "green" | "yellow" | "red"; readonly text: string };

function written(line: Line): string {
  if (typeof line === "string") return shownText(line);
  return styleText(line.style, line.mark, { stream: process.stdout }) + shownText(line.text);
}

/** A command's result: an object for machines, or lines for people, on standard output. */
export function printResult(json: boolean, result: object, lines: readonly Line[]): void {
  const texts = json ? [escapeForTerminal(JSON.stringify(result))] : lines.map(written);
  process.stdout.write(texts.map((text) => `${text}\n`).join(""));
}

/** The summary of a command: an object for machines, or lines for people, which `--quiet` leaves out. */
export function printSummary(json: boolean, result: object, lines: readonly Line[]): void {
  if (json) printResult(json, result, []);
  else if (!isQuiet) process.stdout.write(lines.map((line) => `${green(written(line))}\n`).join(""));
}

/** Ends a command that may not wait for what still keeps the process alive, once its output is written. A failed write has its own exit code. */
export async function exitNow(code: number): Promise<never> {
  await new Promise<void>((resolve) => void process.stdout.write("", () => resolve()));
  process.exit(process.exitCode ?? code);
}

const CLEAR_LINE = "\r\u001b[K";

/** The status of a command that keeps running: on a terminal one line that is overwritten, elsewhere a new line each time. */
export class RenewedLine {
  #isOpen = false;

  show(line: string): void {
    if (isQuiet) return;
    const { stdout } = process;
    this.#isOpen = stdout.isTTY === true;
    if (this.#isOpen)
      stdout.write(CLEAR_LINE + shownText(line).slice(0, Math.max(20, (stdout.columns ?? 80) - 1)));
    else stdout.write(`${shownText(line)}\n`);
  }

  /** Ends the line, so that others can be written below it. */
  end(): void {
    if (this.#isOpen) process.stdout.write("\n");
    this.#isOpen = false;
  }
}

/** Colours the OK at the end of a line if standard output is a terminal. */
function green(line: string): string {
  return line.endsWith(": OK")
    ? `${line.slice(0, -2)}${styleText("green", "OK", { stream: process.stdout })}`
    : line;
}

/** Escapes characters in JSON that could control the terminal or change the direction of text. */
export function escapeForTerminal(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
