import { own } from '../../meta/index.ts';
import { breaking, type Difference, safe } from '../change.ts';
import type { SchemaPair } from '../schema-rule.ts';

const lowest = ['minimum', 'minLength', 'minItems', 'minProperties'] as const;
const highest = ['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const;

/** Limits of numbers, strings, lists and maps: tighter ones are breaking. */
export function bounds(pair: SchemaPair): Difference[] {
  return [
    ...lowest.flatMap((name) => bound(pair, name, (before, after) => after > before)),
    ...highest.flatMap((name) => bound(pair, name, (before, after) => after < before)),
  ];
}

type Tighter = (before: number | bigint, after: number | bigint) => boolean;

function bound({ before, after }: SchemaPair, name: string, isTighter: Tighter): Difference[] {
  const [was, is] = [own(before, name), own(after, name)];
  if (was === is) return [];
  if (is === undefined) return [safe(`${name} ${was} is gone`)];
  if (was === undefined) return [breaking(`${name} ${is} is new`)];
  if (!isNumber(was) || !isNumber(is)) return [breaking(`${name} changed`)];
  const text = `${name} changed from ${was} to ${is}`;
  return [isTighter(was, is) ? breaking(text) : safe(text)];
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
