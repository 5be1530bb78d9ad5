import { goQuote, isObject, type JsonObject, ownList, ownString } from '../../meta/index.ts';
import { breaking, type Difference, safe } from '../change.ts';
import type { SchemaPair } from '../schema-rule.ts';

/** CEL rules, identified by their text. */
export function celRules({ before, after }: SchemaPair): Difference[] {
  const [was, is] = [rules(before), rules(after)];
  return [
    ...is.filter((rule) => !was.includes(rule)).map((rule) => breaking(`rule ${goQuote(rule)} is new`)),
    ...was.filter((rule) => !is.includes(rule)).map((rule) => safe(`rule ${goQuote(rule)} is gone`)),
  ];
}

function rules(schema: JsonObject): string[] {
  const list = (ownList(schema, 'x-kubernetes-validations') ?? []).filter(isObject);
  return list.map((rule) => ownString(rule, 'rule') ?? '');
}
