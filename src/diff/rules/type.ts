import { type JsonObject, own, ownString } from '../../meta/index.ts';
import { breaking, type Difference, safe } from '../change.ts';
import type { SchemaPair } from '../schema-rule.ts';

/** The values that the type allows, as text. */
function typeText(schema: JsonObject): string {
  if (own(schema, 'x-kubernetes-int-or-string') === true) return 'integer or string';
  return ownString(schema, 'type') ?? 'any type';
}

const widenings: readonly (readonly [from: string, to: string])[] = [
  ['integer', 'number'],
  ['integer', 'integer or string'],
  ['string', 'integer or string'],
];

/** The type of a value. */
export function type({ before, after }: SchemaPair): Difference[] {
  const [was, is] = [typeText(before), typeText(after)];
  if (was === is) return [];
  const isWider = is === 'any type' || widenings.some(([from, to]) => from === was && to === is);
  const text = `type changed from ${was} to ${is}`;
  return [isWider ? safe(text) : breaking(text)];
}
