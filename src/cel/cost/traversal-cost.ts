import { CelBytes } from '../values/bytes.ts';
import { CelList } from '../values/list.ts';
import { CelMap } from '../values/map.ts';
import { byteLength } from '../values/text.ts';
import type { Result } from '../values/value.ts';
import { stringFactor } from './constants.ts';

/** The cost of traversing a value: strings by their bytes, rounded down, containers by their elements. */
export function traversalCost(value: Result): number {
  if (typeof value === 'string') return Math.floor(byteLength(value) * stringFactor);
  if (value instanceof CelBytes) return Math.floor(value.bytes.length * stringFactor);
  let cost = 0;
  if (value instanceof CelList) {
    for (let index = 0; index < value.size; index++) cost += traversalCost(value.at(index));
    return cost;
  }
  if (!(value instanceof CelMap)) return 1;
  for (const key of value.keys()) cost += traversalCost(key) + traversalCost(value.find(key) ?? null);
  return cost;
}
