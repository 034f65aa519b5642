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

/**
 * Answers that take as long may wait. Where many come, reading and refusing takes as long again, and all should be answered
 * before they are late: a refusal that comes late is worse than one that comes at once.
 */
const WAIT_MILLISECONDS = 25;
/** How long a request may wait for its answer to be made, where answers take longer than it seemed when it was let in. */
const LONGEST_WAIT_MILLISECONDS = 200;
/** So many may wait whatever they take: a few slow ones refuse nobody. */
const FEW = 32;
/** How long requests are answered, at least, before new ones are read. */
const TURN_MILLISECONDS = 2;
/** By how much reading may be ahead of answering: who comes in a wave of a thousand is let in or refused before that. */
const AHEAD_MILLISECONDS = 75;
/** A longer time between two turns was not all spent on reading. */
const MOST_READING_MILLISECONDS = 50;
/** How long connections are taken before requests are answered, at most. */
const CONNECTING_MILLISECONDS = 5;
/** Of how many answers the mean time is taken, the last ones weighing most. */
const MEAN_OF = 400;
/** The mean before there were any, which counts for so many. */
const FIRST_MEAN_MILLISECONDS = 0.1;
const FIRST_ANSWERS = 32;
/** How many times the mean a turn's answers count for at most. */
const MOST_GROWTH = 4;
/** Systems count processor time in steps as long as this: a short turn has taken none, or one whole step. */
const STEP_MILLISECONDS = 5;

/**
 * Processor time that this thread has taken, in milliseconds. A machine that is busy with other things makes each answer
 * take longer for a while, and so does a process that has just started; neither is a flood. Node before 22.15 knows but time.
 */
function workedMilliseconds(): number {
  const used = (process as Partial<NodeJS.Process>).threadCpuUsage?.();
  return used === undefined ? performance.now() : (used.user + used.system) / 1000;
}

export interface QueuePorts {
  readonly shed: (reason: ShedReason) => void;
  /** Told of each change. */
  readonly length: (count: number) => void;
}

export class RequestQueue {
  readonly #ports: QueuePorts;
  readonly #waiting: { readonly request: WaitingRequest; readonly since: number }[] = [];
  /** Processor time of the last answers, and their number. */
  #answersTook = FIRST_MEAN_MILLISECONDS * FIRST_ANSWERS;
  #answers = FIRST_ANSWERS;
  /** By how much reading is ahead of answering. */
  #aheadMilliseconds = 0;
  #isRunning = false;
  /** A connection came since the last turn. */
  #hasConnected = false;
  /** When the last turn ended, or when it began to run. */
  #ended = 0;

  constructor(ports: QueuePorts) {
    this.#ports = ports;
  }

  get #meanMilliseconds(): number {
    return this.#answersTook / this.#answers;
  }

  /** True where one more could not be answered in time. */
  get isFull(): boolean {
    const { length } = this.#waiting;
    return length >= FEW && length * this.#meanMilliseconds > WAIT_MILLISECONDS;
  }

  /** Counts a request that is refused because the queue is full. */
  countRefusal(): void {
    this.#ports.shed("queue");
  }

  /** Says that a connection came: the event loop takes but one between two turns, and others may wait for theirs. */
  connected(): void {
    this.#hasConnected = true;
  }

  add(request: WaitingRequest): void {
    if (this.isFull) {
      this.countRefusal();
      request.refuse();
      return;
    }
    const since = performance.now();
    this.#waiting.push({ request, since });
    this.#ports.length(this.#waiting.length);
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#ended = since;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    const began = performance.now();
    const isConnecting = this.#hasConnected && began - this.#ended < CONNECTING_MILLISECONDS;
    this.#hasConnected = false;
    if (!isConnecting) this.#answer(began);
    this.#isRunning = this.#waiting.length > 0;
    if (this.#isRunning) setImmediate(() => this.#turn());
  }

  /** However many come for however long, reading and refusing them takes no more time than answering does. */
  #answer(began: number): void {
    this.#aheadMilliseconds += Math.min(began - this.#ended, MOST_READING_MILLISECONDS);
    const owed = this.#aheadMilliseconds - AHEAD_MILLISECONDS;
    const worked = workedMilliseconds();
    const answered = this.#answerUntil(began + Math.max(TURN_MILLISECONDS, owed));
    if (answered > 0) this.#learn(workedMilliseconds() - worked, answered);
    this.#ended = performance.now();
    this.#aheadMilliseconds = Math.max(0, this.#aheadMilliseconds - (this.#ended - began));
    this.#ports.length(this.#waiting.length);
  }

  /** How many were answered. */
  #answerUntil(until: number): number {
    let answered = 0;
    let end = until;
    for (let now = performance.now(); now < end; ) {
      // A short queue that was held up, by the collector or by others on the machine, is answered late rather than never.
      const isLong = this.isFull;
      const next = this.#waiting.shift();
      if (next === undefined) break;
      const { request, since } = next;
      if (request.isGone()) continue;
      const began = now;
      if (isLong && began - since > LONGEST_WAIT_MILLISECONDS) {
        this.#ports.shed("deadline");
        request.refuse();
        now = performance.now();
        // Time for answers is not spent on refusing.
        end += now - began;
      } else {
        request.answer();
        now = performance.now();
        answered += 1;
      }
    }
    return answered;
  }

  #learn(milliseconds: number, answered: number): void {
    // A turn that was held up says nothing of the others.
    const most = MOST_GROWTH * this.#meanMilliseconds * answered + STEP_MILLISECONDS;
    const kept = (1 - 1 / MEAN_OF) ** answered;
    this.#answersTook = this.#answersTook * kept + Math.min(milliseconds, most);
    this.#answers = this.#answers * kept + answered;
  }
}
