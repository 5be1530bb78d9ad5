import {
  CostBudget,
  type Environment,
  type ExpressionObserver,
  type KubernetesVersion,
  newExpressions,
  storedExpressions,
} from '../../cel/index.ts';
import { type Clock, limits, systemClock } from '../../meta/index.ts';

/**
 * What rules may use: new ones what the given version has, those that are stored everything that any version has.
 * Made when they are first needed, because many servers never see a rule.
 */
export class RuleEnvironments {
  readonly #version: KubernetesVersion;
  readonly #clock: Clock;
  readonly #observer: ExpressionObserver | undefined;
  #forNew: Environment | undefined;
  #forStored: Environment | undefined;
  #patchesNew: Environment | undefined;
  #patchesStored: Environment | undefined;

  /** @param observer told of what is evaluated within the budgets that are made here */
  constructor(version: KubernetesVersion, clock: Clock = systemClock, observer?: ExpressionObserver) {
    this.#version = version;
    this.#clock = clock;
    this.#observer = observer;
  }

  /** What the rules of one object may cost together, and how long they may run from now on. */
  newBudget(cost: number): CostBudget {
    const end = this.#clock.now() + limits.ruleTimeMsMax;
    return new CostBudget(cost, () => this.#clock.now() > end, this.#observer);
  }

  get forNew(): Environment {
    this.#forNew ??= newExpressions(this.#version);
    return this.#forNew;
  }

  /** For new expressions of mutating policies, which write patches. */
  get patchesNew(): Environment {
    this.#patchesNew ??= newExpressions(this.#version, { jsonPatch: true });
    return this.#patchesNew;
  }

  /** For those that are stored. */
  get patchesStored(): Environment {
    this.#patchesStored ??= storedExpressions({ jsonPatch: true });
    return this.#patchesStored;
  }

  get forStored(): Environment {
    this.#forStored ??= storedExpressions();
    return this.#forStored;
  }
}
