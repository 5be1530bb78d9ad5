import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, timerDelayMs } from '../../meta/index.ts';
import { isAlreadyExists, isConflict } from '../client.ts';
import { type HeldRecord, type LeaderRecord, type LeaseLock, microTime } from './lease-lock.ts';

/** client-go's defaults for controllers of the control plane. */
export interface ElectionTiming {
  /** How long other candidates wait for a silent leader. */
  readonly leaseMs: number;
  /** A leader who could not renew for so long leads no more: well before others may believe that. */
  readonly renewDeadlineMs: number;
  /** Between two tries. */
  readonly retryMs: number;
}

export const defaultElectionTiming: ElectionTiming = Object.freeze({
  leaseMs: 15_000,
  renewDeadlineMs: 10_000,
  retryMs: 2_000,
});

/** The jitter: candidates wait up to this factor longer, so that they do not collide. */
const jitterFactor = 1.2;

interface LeaderElectorOptions {
  readonly lock: LeaseLock;
  /** The identity of this candidate, which must be unique. */
  readonly identity: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly timing: ElectionTiming;
  /** Leads until the signal ends it; what it does is over when it resolves. */
  readonly lead: (signal: AbortSignal) => Promise<void>;
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Waits to be the leader, leads, and waits again when that is lost. Clocks of different machines need not agree: how long a
 * leader has been silent is measured from when we saw its last word.
 * Source: client-go, tools/leaderelection.
 */
export class LeaderElector {
  readonly #options: LeaderElectorOptions;
  readonly #abort = new AbortController();
  readonly #running: Promise<void>;
  #seen: HeldRecord | undefined;
  #seenMs = 0;

  constructor(options: LeaderElectorOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** Stops leading, and releases the lease so that another candidate need not wait. */
  async close(): Promise<void> {
    this.#abort.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      if (await this.#try()) await this.#leadWhileElected();
      else await this.#pause(this.#options.timing.retryMs * (1 + this.#options.random() * jitterFactor));
    }
  }

  async #leadWhileElected(): Promise<void> {
    const { lead, onTrouble } = this.#options;
    const term = new AbortController();
    const leading = lead(term.signal).catch(onTrouble);
    await this.#renewUntilLost();
    term.abort();
    await leading;
    await this.#release();
  }

  async #renewUntilLost(): Promise<void> {
    const { clock, timing } = this.#options;
    let renewedMs = clock.now();
    while (!this.#abort.signal.aborted) {
      await this.#pause(timing.retryMs);
      if (this.#abort.signal.aborted) return;
      const startedMs = clock.now();
      const renewed = await this.#within(this.#try(), renewedMs + timing.renewDeadlineMs - startedMs);
      if (renewed) renewedMs = startedMs;
      else if (!this.#isOurs || clock.now() - renewedMs >= timing.renewDeadlineMs) return;
    }
  }

  /** Whether a try succeeds in time; one that takes longer may still end, but is not waited for. */
  #within(trying: Promise<boolean>, timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), timerDelayMs(timeoutMs));
      void trying.then((result) => {
        clearTimeout(timer);
        resolve(result);
      });
    });
  }

  /** Acquires or renews the lease; true if this candidate holds it. */
  async #try(): Promise<boolean> {
    try {
      return await this.#acquireOrRenew();
    } catch (error) {
      // Another candidate was first; the next read of the lease shows it.
      if (!isConflict(error) && !isAlreadyExists(error) && !this.#abort.signal.aborted) {
        this.#options.onTrouble(error);
      }
      return false;
    }
  }

  async #acquireOrRenew(): Promise<boolean> {
    const { lock } = this.#options;
    const { signal } = this.#abort;
    if (this.#isOurs && this.#isValid && this.#seen !== undefined) {
      const renewed = await lock.update(this.#record(this.#seen), this.#seen, signal).catch(() => undefined);
      if (renewed !== undefined) return this.#note(renewed);
    }
    const present = await lock.get(signal);
    if (present === undefined) return this.#note(await lock.create(this.#record(undefined), signal));
    if (present.resourceVersion !== this.#seen?.resourceVersion) this.#note(present);
    const taken = present.record.holderIdentity !== '';
    if (taken && !this.#isOurs && this.#isValid) return false;
    return this.#note(await lock.update(this.#record(present), present, signal));
  }

  /** The record of this candidate, which replaces the present one. */
  #record(before: HeldRecord | undefined): LeaderRecord {
    const { identity, clock, timing } = this.#options;
    const now = microTime(clock);
    const old = before?.record;
    const renews = old?.holderIdentity === identity;
    return {
      holderIdentity: identity,
      leaseDurationSeconds: Math.max(1, Math.round(timing.leaseMs / 1000)),
      acquireTime: renews ? old.acquireTime : now,
      renewTime: now,
      leaseTransitions: old === undefined ? 0 : old.leaseTransitions + (renews ? 0 : 1),
    };
  }

  async #release(): Promise<void> {
    if (!this.#isOurs || this.#seen === undefined) return;
    const { lock, clock } = this.#options;
    const now = microTime(clock);
    const { leaseTransitions } = this.#seen.record;
    const nobody = {
      holderIdentity: '',
      leaseDurationSeconds: 1,
      acquireTime: now,
      renewTime: now,
      leaseTransitions,
    };
    try {
      this.#note(await lock.update(nobody, this.#seen, new AbortController().signal));
    } catch (error) {
      if (!isConflict(error)) this.#options.onTrouble(error);
    }
  }

  #note(held: HeldRecord): boolean {
    this.#seen = held;
    this.#seenMs = this.#options.clock.now();
    return true;
  }

  get #isOurs(): boolean {
    return this.#seen?.record.holderIdentity === this.#options.identity;
  }

  /** Whether the holder of the lease may still consider itself the leader. */
  get #isValid(): boolean {
    const { clock, timing } = this.#options;
    return this.#seenMs + timing.leaseMs > clock.now();
  }

  async #pause(delayMs: number): Promise<void> {
    await sleep(timerDelayMs(delayMs), undefined, { signal: this.#abort.signal }).catch(() => {});
  }
}
