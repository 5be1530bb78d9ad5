import { type KubeObject, internalError, limits, nameOf, StatusError } from '../../meta/index.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { checkQuotas, type LimitedResource } from './check-quotas.ts';
import type { QuotaCounter } from './quota-counter.ts';

/** Where quotas are kept. */
interface QuotaAccess {
  /** The quotas of a namespace as they are now. */
  list(namespace: string): Promise<readonly KubeObject[]>;
  /** @throws {StatusError} 409 if it was written since it was read */
  updateStatus(quota: KubeObject): Promise<void>;
}

/** A write that waits for its share. */
interface Waiter {
  readonly attributes: AdmissionAttributes;
  readonly counter: QuotaCounter;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The result for a waiter; undefined while it is pending. */
type Outcome = 'granted' | { readonly refusal: unknown } | undefined;

/** Retries of a status write after conflicts. */
const retriesMax = 3;

/**
 * Reserves the usage of writes in the quotas of their namespace. Writes that arrive during a status write share the
 * next one; after a conflict, the status is read and checked again.
 * Source: apiserver, admission/plugin/resourcequota/controller.go.
 */
export class QuotaReservations {
  readonly #access: QuotaAccess;
  readonly #limited: readonly LimitedResource[];
  /** By namespace; a namespace is here while it is worked on. */
  readonly #waiting = new Map<string, Waiter[]>();

  constructor(access: QuotaAccess, limited: readonly LimitedResource[] = []) {
    this.#access = access;
    this.#limited = limited;
  }

  /** @throws {StatusError} 403 where a quota would be exceeded, 500 where there is no answer in time */
  reserve(attributes: AdmissionAttributes, counter: QuotaCounter): Promise<void> {
    const { namespace } = attributes;
    return new Promise((resolve, reject) => {
      const late = () => reject(internalError('resource quota evaluation timed out'));
      const timer = setTimeout(late, limits.quotaWaitMsMax);
      const done = (settle: () => void) => {
        clearTimeout(timer);
        settle();
      };
      const waiter = {
        attributes,
        counter,
        resolve: () => done(resolve),
        reject: (error: unknown) => done(() => reject(error)),
      };
      const waiting = this.#waiting.get(namespace);
      if (waiting !== undefined) waiting.push(waiter);
      else void this.#work(namespace, [waiter]);
    });
  }

  /** Runs until the namespace has no waiters. */
  async #work(namespace: string, first: readonly Waiter[]): Promise<void> {
    for (let batch = first; batch.length > 0; ) {
      this.#waiting.set(namespace, []);
      await this.#settle(namespace, batch);
      batch = this.#waiting.get(namespace) ?? [];
    }
    this.#waiting.delete(namespace);
  }

  async #settle(namespace: string, batch: readonly Waiter[]): Promise<void> {
    try {
      const outcomes = await this.#grant(namespace, batch);
      batch.forEach(({ resolve, reject }, index) => {
        const outcome = outcomes[index];
        if (typeof outcome === 'object') reject(outcome.refusal);
        else resolve();
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async #grant(namespace: string, batch: readonly Waiter[]): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = batch.map(() => undefined);
    let quotas = await this.#access.list(namespace);
    for (let retries = retriesMax; ; retries -= 1) {
      const lost = await this.#write(quotas, this.#check(quotas, batch, outcomes));
      if (lost.failed.length === 0) return outcomes;
      if (retries === 0) return outcomes.map((outcome) => outcome ?? { refusal: lost.error });
      const again = await this.#access.list(namespace);
      quotas = again.filter((quota) => lost.failed.includes(nameOf(quota)));
    }
  }

  /** The quotas after all that fits; who is refused is out, as is who uses nothing. */
  #check(
    before: readonly KubeObject[],
    batch: readonly Waiter[],
    outcomes: Outcome[],
  ): readonly KubeObject[] {
    let quotas = before;
    for (const [index, { attributes, counter }] of batch.entries()) {
      if (outcomes[index] !== undefined) continue;
      try {
        const after = checkQuotas(quotas, attributes, { counter, limited: this.#limited });
        const changes = after.some((quota, place) => quota !== quotas[place]);
        if (attributes.dryRun || !changes) outcomes[index] = 'granted';
        else quotas = after;
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        outcomes[index] = { refusal: error };
      }
    }
    return quotas;
  }

  async #write(before: readonly KubeObject[], after: readonly KubeObject[]) {
    const failed: string[] = [];
    let error: unknown;
    for (const [index, quota] of after.entries()) {
      if (quota === before[index]) continue;
      try {
        await this.#access.updateStatus(quota);
      } catch (failure) {
        failed.push(nameOf(quota));
        error = failure;
      }
    }
    return { failed, error };
  }
}
