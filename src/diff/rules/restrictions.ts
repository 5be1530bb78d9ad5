import { equal, goJson, type JsonValue, own } from '../../meta/index.ts';
import { breaking, type Difference, safe } from '../change.ts';
import type { SchemaPair } from '../schema-rule.ts';

/** Keywords for which it cannot be decided whether a change is tighter. */
const keywords = [
  'pattern',
  'format',
  'multipleOf',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'uniqueItems',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'x-kubernetes-property-names',
  'x-kubernetes-embedded-resource',
] as const;

const longestText = 60;

/** Restrictions: a new or changed one may refuse objects that were accepted. */
export function restrictions({ before, after }: SchemaPair): Difference[] {
  return keywords.flatMap((name) => {
    const [was, is] = [own(before, name) ?? false, own(after, name) ?? false];
    if (equal(was, is)) return [];
    if (is === false) return [safe(`${name} is gone`)];
    if (was === false) return [breaking(`${name}${shown(is)} is new`)];
    return [breaking(`${name} changed${shown(was, ' from')}${shown(is, ' to')}`)];
  });
}

function shown(value: JsonValue, word = ''): string {
  const text = goJson(value);
  return value === true || text.length > longestText ? '' : `${word} ${text}`;
}
