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
 * The environments of rules: new ones get the features of the given version, stored ones those of all versions. Created
 * on first use, because many servers never see a rule.
 */
export class RuleEnvironments {
  readonly #version: KubernetesVersion;
  readonly #clock: Clock;
  readonly #observer: ExpressionObserver | undefined;
  #forNew: Environment | undefined;
  #forStored: Environment | undefined;
  #patchesNew: Environment | undefined;
  #patchesStored: Environment | undefined;

  /** @param observer called with evaluations within the budgets created here */
  constructor(version: KubernetesVersion, clock: Clock = systemClock, observer?: ExpressionObserver) {
    this.#version = version;
    this.#clock = clock;
    this.#observer = observer;
  }

  /** Creates the budget of one object: the total cost, and the time from now. */
  newBudget(cost: number): CostBudget {
    const end = this.#clock.now() + limits.ruleTimeMsMax;
    return new CostBudget(cost, () => this.#clock.now() > end, this.#observer);
  }

  get forNew(): Environment {
    this.#forNew ??= newExpressions(this.#version);
    return this.#forNew;
  }

  /** For new expressions of mutating policies, which create patches. */
  get patchesNew(): Environment {
    this.#patchesNew ??= newExpressions(this.#version, { jsonPatch: true });
    return this.#patchesNew;
  }

  /** For stored expressions of mutating policies. */
  get patchesStored(): Environment {
    this.#patchesStored ??= storedExpressions({ jsonPatch: true });
    return this.#patchesStored;
  }

  get forStored(): Environment {
    this.#forStored ??= storedExpressions();
    return this.#forStored;
  }
}
