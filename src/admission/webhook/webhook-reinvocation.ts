import { equal, type KubeObject } from '../../meta/index.ts';

/**
 * Which webhooks are asked a second time: those that want to be, and after which another one changed the object.
 * Source: apiserver, webhook/mutating/reinvocationcontext.go.
 */
export class WebhookReinvocation {
  #output: KubeObject | undefined;
  #invoked = new Set<string>();
  readonly #due = new Set<string>();

  isDue(uid: string): boolean {
    return this.#due.has(uid);
  }

  noteInvoked(uid: string): void {
    this.#invoked.add(uid);
  }

  /** Remembers what the webhooks left behind. */
  noteOutput(object: KubeObject | undefined): void {
    this.#output = object;
  }

  /** Other plugins may have changed what the webhooks left behind. */
  requireWhereChanged(object: KubeObject | undefined): void {
    const isSame = object === this.#output || (object && this.#output && equal(object, this.#output));
    if (isSame !== true) this.requirePrevious();
  }

  requirePrevious(): void {
    for (const uid of this.#invoked) this.#due.add(uid);
    this.#invoked = new Set();
  }
}
