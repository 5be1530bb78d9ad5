import { CelList, CelMap, CelMessage, type Result } from '../../../cel/index.ts';
import { goQuote } from '../../../meta/index.ts';
import { MutationError } from './patch-kind.ts';

/**
 * Checks that the type of each message is named after its field path: in `Object{spec: ...}`, the type of spec is
 * `Object.spec`. List items and map values have the name of their list or map. Source: apiserver,
 * pkg/cel/mutation/dynamic/objects.go, CheckTypeNamesMatchFieldPathNames.
 *
 * @throws {MutationError}
 */
export function requireTypeNames(message: CelMessage): void {
  const problems: string[] = [];
  check(message, message.typeName, problems);
  if (problems.length > 0) throw new MutationError(`type mismatch: ${problems.join('\n')}`);
}

function check(value: Result, expected: string, problems: string[]): void {
  if (value instanceof CelMessage) {
    const { typeName, fields } = value;
    if (typeName !== expected) {
      const path = `which matches field name path from root Object type`;
      problems.push(`unexpected type name ${goQuote(typeName)}, expected ${goQuote(expected)}, ${path}`);
    }
    for (const [name, field] of fields) check(field, `${expected}.${name}`, problems);
  } else if (value instanceof CelList) {
    for (let index = 0; index < value.size; index++) check(value.at(index), expected, problems);
  } else if (value instanceof CelMap) {
    for (const key of value.keys()) check(value.find(key) ?? null, expected, problems);
  }
}
