/**
 * Requests that wait for their answer. A server that answers synchronously never has two of them in work: what it cannot
 * keep up with waits unread in the kernel, for seconds. So requests are only parked when they are read, and answered a few
 * a turn of the event loop; between two turns new ones are read, and refused in time.
 */

export interface WaitingRequest {
  answer(): void;
  refuse(): void;
  /** True where nobody waits for it any more. */
  isGone(): boolean;
}

/** `queue`: too many were waiting when it came; `deadline`: it has waited for too long. */
export type ShedReason = "queue" | "deadline";
export const SHED_REASONS: readonly ShedReason[] = ["queue", "deadline"];

/** How long a request may wait for its answer to be made. */
const LONGEST_WAIT_MILLISECONDS = 100;
/** How long requests are answered before new ones are read. */
const TURN_MILLISECONDS = 2;
/** Of how many answers the mean time is taken, the last ones weighing most. */
const MEAN_OF = 10;
/** How many times the mean a single answer counts for at most. */
const MOST_GROWTH = 4;

export interface QueuePorts {
  readonly shed: (reason: ShedReason) => void;
  /** Told of each change. */
  readonly length: (count: number) => void;
}

export class RequestQueue {
  readonly #ports: QueuePorts;
  readonly #waiting: { readonly request: WaitingRequest; readonly since: number }[] = [];
  #meanMilliseconds = 0;
  #isRunning = false;

  constructor(ports: QueuePorts) {
    this.#ports = ports;
  }

  /** How long what waits now will take. */
  get #expectedMilliseconds(): number {
    return this.#waiting.length * this.#meanMilliseconds;
  }

  add(request: WaitingRequest): void {
    if (this.#expectedMilliseconds > LONGEST_WAIT_MILLISECONDS) {
      this.#ports.shed("queue");
      request.refuse();
      return;
    }
    this.#waiting.push({ request, since: performance.now() });
    this.#ports.length(this.#waiting.length);
    if (this.#isRunning) return;
    this.#isRunning = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    const end = performance.now() + TURN_MILLISECONDS;
    for (let now = 0; now < end; now = performance.now()) {
      // A short queue that was held up, by the collector or by others on the machine, is answered late rather than never.
      const isLong = this.#expectedMilliseconds > LONGEST_WAIT_MILLISECONDS / 2;
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.#take(next.request, isLong && performance.now() - next.since > LONGEST_WAIT_MILLISECONDS);
    }
    this.#ports.length(this.#waiting.length);
    this.#isRunning = this.#waiting.length > 0;
    if (this.#isRunning) setImmediate(() => this.#turn());
  }

  #take(request: WaitingRequest, isLate: boolean): void {
    if (request.isGone()) return;
    if (isLate) {
      this.#ports.shed("deadline");
      request.refuse();
      return;
    }
    const started = performance.now();
    request.answer();
    const mean = this.#meanMilliseconds;
    // One that was held up says nothing of the others.
    const took = Math.min(performance.now() - started, MOST_GROWTH * mean + 1);
    this.#meanMilliseconds = mean + (took - mean) / MEAN_OF;
  }
}
