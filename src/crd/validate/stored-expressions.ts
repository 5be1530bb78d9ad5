import { resolveSchema } from '../field-gates/resolve-schema.ts';
import { objectsOf, textOf } from '../spec-view.ts';
import { schemasIn } from '../schema-walk.ts';
import type { RuleContext } from './crd-check.ts';
import type { HoistedSpec } from './hoisted-spec.ts';
import { hoistedSchemasOf } from './schemas.ts';

/** Every expression in the rules of a spec. */
export function expressionsOf(spec: HoistedSpec | undefined): RuleContext['storedExpressions'] {
  const rules = new Set<string>();
  const messages = new Set<string>();
  // As checked, with every feature gate on.
  const roots = hoistedSchemasOf(spec).map((schema) => resolveSchema(schema, () => true));
  for (const schema of roots.flatMap((root) => [...schemasIn(root)])) {
    for (const rule of objectsOf(schema, 'x-kubernetes-validations')) {
      rules.add(textOf(rule, 'rule'));
      const message = textOf(rule, 'messageExpression');
      if (message !== '') messages.add(message);
    }
  }
  return { rules, messages };
}
