import type { LoadedObject } from '../manifests/index.ts';
import { isObject, type JsonObject, nameOf, ownList, ownObject, ownString } from '../meta/index.ts';
import type { ExpressionSite } from './rule-sites.ts';

/** The locations of expressions in a policy's spec: a list, and the fields of its items that contain one. */
const places: readonly (readonly [list: string, ...fields: string[]])[] = [
  ['matchConditions', 'expression'],
  ['variables', 'expression'],
  ['validations', 'expression'],
  ['validations', 'messageExpression'],
  ['auditAnnotations', 'valueExpression'],
  ['mutations', 'applyConfiguration', 'expression'],
  ['mutations', 'jsonPatch', 'expression'],
];

/** The expressions of the policies. */
export function policySites(policies: readonly LoadedObject[]): ExpressionSite[] {
  return policies.filter(isPolicy).flatMap((loaded) => {
    const owner = `${ownString(loaded.object, 'kind') ?? ''} ${nameOf(loaded.object)}`;
    return places.flatMap(([list, ...fields]) =>
      (ownList(ownObject(loaded.object, 'spec') ?? {}, list) ?? []).flatMap(
        (item, index): ExpressionSite[] => {
          const source = isObject(item) ? expressionIn(item, fields) : '';
          if (source === '') return [];
          const field = `spec.${list}[${index}].${fields.join('.')}`;
          return [{ loaded, owner, field, steps: ['spec', list, String(index), ...fields], source }];
        },
      ),
    );
  });
}

function isPolicy({ object }: LoadedObject): boolean {
  return /^(?:Validating|Mutating)AdmissionPolicy$/.test(ownString(object, 'kind') ?? '');
}

function expressionIn(item: JsonObject, fields: readonly string[]): string {
  let at: JsonObject = item;
  for (const field of fields.slice(0, -1)) at = ownObject(at, field) ?? {};
  return ownString(at, fields.at(-1) ?? '') ?? '';
}
