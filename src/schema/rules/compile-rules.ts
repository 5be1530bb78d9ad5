import { Correlation } from '../validate/correlation.ts';
import type { CompileRules } from '../rule-validator.ts';
import { Ratchet } from './ratchet.ts';
import type { RuleEnvironments } from './rule-environments.ts';
import { mentionsOldSelf, ruleFinder, RuleNode, type RuleTreeParts } from './rule-node.ts';
import { RuleRun } from './rule-run.ts';
import { rootPlace, RuleTypes } from './rule-type.ts';

/** The total cost limit for the rules of one object. */
export const objectCostLimit = 10_000_000;

/** The dependencies of stored rules. */
export function storedRuleParts(environments: RuleEnvironments): RuleTreeParts {
  return {
    types: new RuleTypes(),
    environments: { rule: () => environments.forStored, message: () => environments.forStored },
    hasRules: ruleFinder(),
  };
}

/** Binds the rules of a schema to its nodes; each is compiled when a value first reaches it. */
export function compileRules(environments: RuleEnvironments): CompileRules {
  return (root) => {
    const parts = storedRuleParts(environments);
    if (!parts.hasRules(root.raw)) return undefined;
    const rules = new RuleNode(root, { ...rootPlace, type: parts.types.of(root, rootPlace) }, parts);
    let comparesWithOld: boolean | undefined;
    return {
      get comparesWithOld() {
        comparesWithOld ??= mentionsOldSelf(root.raw);
        return comparesWithOld;
      },
      validate({ object, old }) {
        const run = new RuleRun(environments.newBudget(objectCostLimit));
        const ratchet = new Ratchet(old === undefined ? undefined : new Correlation(root, object, old));
        run.visit({ rules, value: object, old, path: undefined, ratchet });
        return { errors: run.errors, warnings: run.warnings };
      },
    };
  };
}
