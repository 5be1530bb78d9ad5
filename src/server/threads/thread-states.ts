import { limits, type Timers } from '../../meta/index.ts';

const states = ['starting', 'serving', 'closing'] as const;
type ThreadState = (typeof states)[number];

/** Two numbers for each thread: its state, and when it was last seen, in milliseconds. */
const fields = 2;
const beatMs = 1_000;

/** A thread that does not serve. */
class ThreadStateError extends Error {
  override readonly name = 'ThreadStateError';
}

interface ThreadStatesParts {
  /** Of all threads; {@link ThreadStates.memory} makes it. */
  readonly memory: SharedArrayBuffer;
  /** Of this thread. */
  readonly index: number;
  readonly timers: Timers;
  /** Of a clock that all threads of the process share, and nobody sets; the system's by default. */
  readonly nowMs?: () => bigint;
}

/** What the threads of a server do, in shared memory: any of them can answer probes for the whole process. */
export class ThreadStates {
  readonly #values: BigInt64Array;
  readonly #index: number;
  readonly #nowMs: () => bigint;
  readonly #endBeats: () => void;

  /** The memory for a number of threads. */
  static memory(count: number): SharedArrayBuffer {
    return new SharedArrayBuffer(count * fields * BigInt64Array.BYTES_PER_ELEMENT);
  }

  constructor({ memory, index, timers, nowMs = systemNowMs }: ThreadStatesParts) {
    this.#nowMs = nowMs;
    this.#values = new BigInt64Array(memory);
    this.#index = index;
    this.#beat();
    this.#endBeats = timers.every(beatMs, () => this.#beat());
  }

  /** Sets the state of this thread. */
  set(state: ThreadState): void {
    Atomics.store(this.#values, this.#index * fields, BigInt(states.indexOf(state)));
    this.#beat();
  }

  /** @throws {ThreadStateError} if a thread has not run for {@link limits.threadSilentMsMax} */
  async checkLive(): Promise<void> {
    const now = this.#nowMs();
    // The own thread answers, so that it runs.
    this.#beat();
    for (let index = 0; index < this.#count; index += 1) {
      const seen = Atomics.load(this.#values, index * fields + 1);
      if (seen !== 0n && now - seen > limits.threadSilentMsMax)
        throw new ThreadStateError(`worker ${index} has not run for ${now - seen} ms`);
    }
  }

  /** @throws {ThreadStateError} if a thread does not serve yet, or has not run for a while */
  async checkReady(): Promise<void> {
    for (let index = 0; index < this.#count; index += 1) {
      const state = states[Number(Atomics.load(this.#values, index * fields))];
      if (state === 'starting') throw new ThreadStateError(`worker ${index} is starting`);
    }
    await this.checkLive();
  }

  close(): void {
    this.#endBeats();
  }

  get #count(): number {
    return this.#values.length / fields;
  }

  #beat(): void {
    Atomics.store(this.#values, this.#index * fields + 1, this.#nowMs());
  }
}

function systemNowMs(): bigint {
  return process.hrtime.bigint() / 1_000_000n;
}
