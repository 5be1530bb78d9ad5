import type { ControllerParts } from './controller-parts.ts';
import type { IdleState, RunningController } from './idle-state.ts';

/** A controller that need not run yet. */
interface Sleeper {
  readonly rest: IdleState;
  run(parts: ControllerParts): RunningController;
}

/**
 * Controllers that sleep until a change concerns them: each then starts as it would in a new server, with a look at the
 * present state. One watch of the store wakes them all, and ends with the last one.
 */
export function sleep(sleepers: readonly Sleeper[], parts: ControllerParts): RunningController[] {
  const dormitory = new Dormitory(sleepers, parts);
  const watching = dormitory.watch();
  return sleepers.map((sleeper) => ({
    done: watching.then(() => dormitory.awake.get(sleeper)?.done),
    idleState: () => dormitory.idleStateOf(sleeper),
  }));
}

class Dormitory {
  readonly awake = new Map<Sleeper, RunningController>();
  readonly #asleep: Set<Sleeper>;
  readonly #parts: ControllerParts;
  /** Everything up to here concerned none of those who sleep. */
  #seen: number;

  constructor(sleepers: readonly Sleeper[], parts: ControllerParts) {
    this.#asleep = new Set(sleepers);
    this.#parts = parts;
    this.#seen = Math.min(...sleepers.map(({ rest }) => rest.revision));
  }

  idleStateOf(sleeper: Sleeper): IdleState | undefined {
    if (!this.#asleep.has(sleeper)) return this.awake.get(sleeper)?.idleState();
    const { rest } = sleeper;
    return this.#seen <= rest.revision ? rest : { ...rest, revision: this.#seen };
  }

  /** A past that is forgotten may have concerned anybody. */
  async watch(): Promise<void> {
    try {
      await this.#watchChanges();
    } catch (error) {
      if (!this.#parts.signal.aborted) this.#parts.onTrouble(error);
    }
    if (!this.#parts.signal.aborted) for (const sleeper of this.#asleep) this.#wake(sleeper);
  }

  async #watchChanges(): Promise<void> {
    const { registry, signal } = this.#parts;
    if (this.#asleep.size === 0) return;
    const wants = (key: string, revision: number) => this.#mayConcern(key, revision);
    for await (const { changes, revision } of registry.storedChangesAfter(this.#seen, { signal, wants })) {
      for (const change of changes) {
        for (const sleeper of this.#asleep) {
          const isOf = reaches(sleeper, change.key, change.revision);
          if (isOf && sleeper.rest.concerns(change)) this.#wake(sleeper);
        }
      }
      this.#seen = revision;
      if (this.#asleep.size === 0) return;
    }
  }

  #mayConcern(key: string, revision: number): boolean {
    for (const sleeper of this.#asleep) if (reaches(sleeper, key, revision)) return true;
    return false;
  }

  #wake(sleeper: Sleeper): void {
    this.#asleep.delete(sleeper);
    this.awake.set(sleeper, sleeper.run(this.#parts));
  }
}

function reaches({ rest }: Sleeper, key: string, revision: number): boolean {
  return revision > rest.revision && key.startsWith(rest.prefix);
}
