import {
  type Environment,
  type KubernetesVersion,
  newExpressions,
  storedExpressions,
} from '../../cel/index.ts';

/**
 * What rules may use: new ones what the given version has, those that are stored everything that any version has.
 * Made when they are first needed, because many servers never see a rule.
 */
export class RuleEnvironments {
  readonly #version: KubernetesVersion;
  #forNew: Environment | undefined;
  #forStored: Environment | undefined;

  constructor(version: KubernetesVersion) {
    this.#version = version;
  }

  get forNew(): Environment {
    this.#forNew ??= newExpressions(this.#version);
    return this.#forNew;
  }

  get forStored(): Environment {
    this.#forStored ??= storedExpressions();
    return this.#forStored;
  }
}
