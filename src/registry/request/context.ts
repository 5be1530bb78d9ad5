import type { UserInfo } from '../../meta/index.ts';

/** What every verb needs to know of the request that it serves. */
export interface RequestContext {
  readonly user: UserInfo;
  /** Who owns what the request writes: as it names itself, else its User-Agent up to the first slash. May be empty. */
  readonly fieldManager: string;
  /** Aborted when the client is gone or the time is up. */
  readonly signal: AbortSignal;
  /** Texts for the client; each becomes a `Warning` header. Equal texts are sent once. */
  readonly warnings: Warnings;
  /** Adds an annotation to the audit event of the request, if it has one. */
  readonly annotate?: ((key: string, value: string) => void) | undefined;
}

/** Warnings collected on the way of one request, in order, each text once. */
export class Warnings {
  readonly #texts = new Set<string>();

  add(...texts: readonly string[]): void {
    for (const text of texts) this.#texts.add(text);
  }

  /** Whether there is such a text already. */
  has(text: string): boolean {
    return this.#texts.has(text);
  }

  list(): readonly string[] {
    return [...this.#texts];
  }
}
