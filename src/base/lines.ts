/** Lines of bytes that come in pieces. Each byte is looked at once, and no line is longer than it may be. */

const LINE_END = 0x0a;

export class Lines {
  readonly #most: number;
  /** Of the line that has not ended yet. */
  #pieces: Buffer[] = [];
  #length = 0;

  /** @param most bytes of a line */
  constructor(most: number) {
    this.#most = most;
  }

  /** The lines that end in a piece, which may be written over afterwards. @throws Error where one is too long */
  *take(piece: Buffer): Generator<string> {
    let from = 0;
    for (let end = piece.indexOf(LINE_END); end >= 0; end = piece.indexOf(LINE_END, from)) {
      this.#add(piece.subarray(from, end));
      from = end + 1;
      yield this.#join();
    }
    // A copy, for the piece is not ours.
    if (from < piece.length) this.#add(Buffer.from(piece.subarray(from)));
  }

  /** True where the last line has not ended. */
  get isOpen(): boolean {
    return this.#length > 0;
  }

  #add(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > this.#most) throw new Error(`a line is longer than ${this.#most} bytes`);
    this.#pieces.push(part);
  }

  #join(): string {
    const [only] = this.#pieces;
    const whole = this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#length = 0;
    return whole.toString("utf8");
  }
}
