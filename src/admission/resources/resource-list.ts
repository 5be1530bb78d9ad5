import type { JsonObject } from '../../meta/index.ts';
import { compareQuantities, plus, type Quantity, quantityOf, textOf } from './quantity.ts';

/** Amounts of resources by their names: `cpu`, `requests.memory`. */
export type ResourceList = ReadonlyMap<string, Quantity>;

export function resourceListOf(amounts: JsonObject | undefined): ResourceList {
  return new Map(Object.entries(amounts ?? {}).map(([name, value]) => [name, quantityOf(value)]));
}

export function sumOf(left: ResourceList, right: ResourceList): ResourceList {
  return merged(left, right, plus);
}

/** Of each resource the larger amount. */
export function largerOf(left: ResourceList, right: ResourceList): ResourceList {
  return merged(left, right, (one, other) => (compareQuantities(other, one) > 0 ? other : one));
}

function merged(
  left: ResourceList,
  right: ResourceList,
  merge: (one: Quantity, other: Quantity) => Quantity,
): ResourceList {
  if (right.size === 0) return left;
  const list = new Map(left);
  for (const [name, quantity] of right) {
    const known = list.get(name);
    list.set(name, known === undefined ? quantity : merge(known, quantity));
  }
  return list;
}

export function only(list: ResourceList, isWanted: (name: string) => boolean): ResourceList {
  return new Map([...list].filter(([name]) => isWanted(name)));
}

/** `cpu=1,memory=1Gi` */
export function listText(list: ResourceList): string {
  return [...list.keys()]
    .sort()
    .map((name) => `${name}=${textOf(list.get(name) ?? quantityOf(undefined))}`)
    .join(',');
}
