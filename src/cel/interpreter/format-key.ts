import { CelDouble } from '../values/double.ts';
import { formatGoFloat } from '../values/go-numbers.ts';
import { CelUint } from '../values/uint.ts';
import { typeNameOf } from '../values/type-name.ts';
import type { Value } from '../values/value.ts';

/** A key as error messages print it. */
export function formatKey(key: Value): string {
  if (key instanceof CelUint) return String(key.value);
  if (key instanceof CelDouble) return formatGoFloat(key.value);
  return typeof key === 'object' && key !== null ? typeNameOf(key) : String(key);
}
