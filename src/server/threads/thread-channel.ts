import type { MessagePort } from 'node:worker_threads';
import { limits, type Timers } from '../../meta/index.ts';

/** What one side of a channel answers, by name. Values and answers are copied, so that they are plain data. */
export type ThreadCalls = Readonly<Record<string, (value: never) => unknown>>;

type ValueOf<C, K extends keyof C> = C[K] extends (value: infer V) => unknown ? V : never;
type AnswerOf<C, K extends keyof C> = C[K] extends (value: never) => infer A ? Awaited<A> : never;

/** A call, or its answer. */
type Message =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly value: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly error: unknown };

interface Waiter {
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
  readonly callOff: () => void;
}

interface ThreadChannelParts<Ours extends ThreadCalls> {
  readonly port: MessagePort;
  /** What this side answers. */
  readonly answers: Ours;
  readonly timers: Timers;
}

/** A thread that does not answer, or has ended. */
export class ThreadError extends Error {
  override readonly name = 'ThreadError';
}

/**
 * Calls between two threads of a process, by messages. Calls arrive in the order in which they were made.
 *
 * @typeParam Theirs what the other side answers
 */
export class ThreadChannel<Theirs extends ThreadCalls, Ours extends ThreadCalls> {
  readonly #parts: ThreadChannelParts<Ours>;
  readonly #waiting = new Map<number, Waiter>();
  #lastId = 0;
  #isClosed = false;

  constructor(parts: ThreadChannelParts<Ours>) {
    this.#parts = parts;
    parts.port.on('message', (message: Message) => this.#receive(message));
    parts.port.on('close', () => this.#end());
    // The listeners of the server keep the process alive, not its channels.
    parts.port.unref();
  }

  /**
   * Calls the other side.
   *
   * @param timeoutMs how long to wait for the answer; forever where it is left out
   * @throws {ThreadError} as a rejection, if the other side has ended, does not answer in time, or too many calls wait
   * @throws the error of the other side, as a rejection
   */
  call<K extends keyof Theirs & string>(
    name: K,
    value: ValueOf<Theirs, K>,
    timeoutMs?: number,
  ): Promise<AnswerOf<Theirs, K>> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new ThreadError('the thread has ended'));
      if (this.#waiting.size >= limits.threadCallsMax)
        return reject(new ThreadError(`${limits.threadCallsMax} calls to the thread have no answer yet`));
      const id = (this.#lastId += 1);
      const late = () => this.#take(id)?.reject(new ThreadError(`the thread did not answer ${name} in time`));
      const callOff = timeoutMs === undefined ? () => {} : this.#parts.timers.after(timeoutMs, late);
      this.#waiting.set(id, { resolve, reject, callOff });
      this.#send({ kind: 'call', id, name, value });
    });
  }

  /** Ends the channel; calls that wait fail. */
  close(): void {
    this.#parts.port.close();
    this.#end();
  }

  #send(message: Message): void {
    if (!this.#isClosed) this.#parts.port.postMessage(message);
  }

  #receive(message: Message): void {
    if (message.kind === 'call') void this.#answer(message);
    // The other side has the type of the answer.
    else if (message.kind === 'answer') this.#take(message.id)?.resolve(message.value as never);
    else this.#take(message.id)?.reject(message.error);
  }

  async #answer({ id, name, value }: Extract<Message, { kind: 'call' }>): Promise<void> {
    try {
      const { answers } = this.#parts;
      if (!Object.hasOwn(answers, name)) throw new ThreadError(`a thread was asked for ${name}`);
      // The other side has the type of the value.
      const answer = await answers[name]?.(value as never);
      this.#send({ kind: 'answer', id, value: answer });
    } catch (error) {
      this.#send({ kind: 'failure', id, error: error instanceof Error ? error : new Error(String(error)) });
    }
  }

  #take(id: number): Waiter | undefined {
    const waiter = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiter?.callOff();
    return waiter;
  }

  #end(): void {
    this.#isClosed = true;
    for (const id of this.#waiting.keys()) this.#take(id)?.reject(new ThreadError('the thread has ended'));
  }
}
