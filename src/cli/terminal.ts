/** How commands speak: progress and notes on standard error, results on standard output, one JSON object for machines. */
import { styleText } from "node:util";
import type { Log } from "../base/log.ts";
import { redactSecrets } from "../base/redact.ts";
import { shownText } from "../base/text.ts";
import { Display } from "./progress.ts";

let isQuiet = false;

/** From now on only errors and what was asked for are printed: `--quiet`. */
export function beQuiet(): void {
  isQuiet = true;
}

/** A log on standard error, with progress of what takes longer. */
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
      display ??= new Display(process.stderr, () => performance.now());
      display.show(state);
    },
    done() {
      display?.[Symbol.dispose]();
      display = undefined;
    },
  };
}

/** A line for people. Others may have written some of its text; what begins it in a style is ours. */
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

/** What a command did: an object for machines, or lines for people, which `--quiet` leaves out. */
export function printSummary(json: boolean, result: object, lines: readonly Line[]): void {
  if (json) printResult(json, result, []);
  else if (!isQuiet) process.stdout.write(lines.map((line) => `${green(written(line))}\n`).join(""));
}

const CLEAR_LINE = "\r\u001b[K";

/** What a command that stays says of its work: elsewhere a line each time, on a terminal one line that is written over. */
export class RenewedLine {
  #stands = false;

  show(line: string): void {
    if (isQuiet) return;
    const { stdout } = process;
    this.#stands = stdout.isTTY === true;
    if (this.#stands)
      stdout.write(CLEAR_LINE + shownText(line).slice(0, Math.max(20, (stdout.columns ?? 80) - 1)));
    else stdout.write(`${shownText(line)}\n`);
  }

  /** Lets it stand, for what is written below it. */
  end(): void {
    if (this.#stands) process.stdout.write("\n");
    this.#stands = false;
  }
}

/** A line that ends in OK, with that in green where standard output is a terminal. */
function green(line: string): string {
  return line.endsWith(": OK")
    ? `${line.slice(0, -2)}${styleText("green", "OK", { stream: process.stdout })}`
    : line;
}

/** JSON text in which what could steer the terminal or turn the text's direction is written as an escape. */
export function escapeForTerminal(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
