import { equal, type KubeObject } from '../meta/index.ts';

/**
 * Tells which webhooks or policies are called a second time: those with a reinvocation policy after which another one
 * changed the object.
 * Source: apiserver, webhook/mutating and policy/mutating, reinvocationcontext.go.
 */
export class InvocationRecord {
  #output: KubeObject | undefined;
  #invoked = new Set<string>();
  readonly #due = new Set<string>();

  isDue(key: string): boolean {
    return this.#due.has(key);
  }

  noteInvoked(key: string): void {
    this.#invoked.add(key);
  }

  /** Stores the object after its call. */
  noteOutput(object: KubeObject | undefined): void {
    this.#output = object;
  }

  /** Other plugins may have changed the object since. */
  requireWhereChanged(object: KubeObject | undefined): void {
    const isSame = object === this.#output || (object && this.#output && equal(object, this.#output));
    if (isSame !== true) this.requirePrevious();
  }

  requirePrevious(): void {
    for (const key of this.#invoked) this.#due.add(key);
    this.#invoked = new Set();
  }
}
