import { compareBytes } from '../go/go-text.ts';
import type { JsonValue } from '../value/value.ts';
import { JsonPathError } from './json-path-error.ts';
import { FloatLiteral } from './nodes.ts';

/** A result of a path: a value of the object, or a literal in the path. */
export type PathValue = JsonValue | FloatLiteral;

type Comparable =
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'integer'; readonly value: number | bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string };

/**
 * Compares two values as Go's templates do: only values of the same kind; integers and floats are different kinds.
 *
 * @throws {JsonPathError} for values that cannot be compared, or an unknown operator.
 */
export function compareValues(left: PathValue, operator: string, right: PathValue): boolean {
  switch (operator) {
    case '==':
      return isEqual(left, right);
    case '!=':
      return !isEqual(left, right);
    case '<':
      return isLess(left, right);
    case '>=':
      return !isLess(left, right);
    case '<=':
      return isLess(left, right) || isEqual(left, right);
    case '>':
      return !(isLess(left, right) || isEqual(left, right));
    default:
      throw new JsonPathError(`unrecognized filter operator ${operator}`);
  }
}

function isEqual(left: PathValue, right: PathValue): boolean {
  const [a, b] = [comparable(left), comparable(right)];
  if (a.kind !== b.kind) throw incompatible();
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint equals a number of the same value only loosely
  return a.value == b.value;
}

function isLess(left: PathValue, right: PathValue): boolean {
  const [a, b] = [comparable(left), comparable(right)];
  if (a.kind === 'string' && b.kind === 'string') return compareBytes(a.value, b.value) < 0;
  if (a.kind !== b.kind) throw incompatible();
  if (a.kind === 'boolean') throw new JsonPathError('invalid type for comparison');
  return a.value < b.value;
}

function incompatible(): JsonPathError {
  return new JsonPathError('incompatible types for comparison');
}

function comparable(value: PathValue): Comparable {
  if (value instanceof FloatLiteral) return { kind: 'float', value: value.value };
  switch (typeof value) {
    case 'boolean':
      return { kind: 'boolean', value };
    case 'string':
      return { kind: 'string', value };
    case 'bigint':
      return { kind: 'integer', value };
    case 'number':
      return { kind: Number.isInteger(value) ? 'integer' : 'float', value };
    default:
      throw new JsonPathError('invalid type for comparison');
  }
}
