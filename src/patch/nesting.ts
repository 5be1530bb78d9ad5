import type { JsonValue } from '../meta/index.ts';

/**
 * Whether objects and lists stand in one another more than so many levels deep. It goes level by level and does not
 * recurse: what it is asked about may be deeper than the stack.
 */
export function isNestedDeeper(value: JsonValue, levels: number): boolean {
  let level = [value];
  for (let left = levels; ; left -= 1) {
    const containers = level.filter((one) => typeof one === 'object' && one !== null);
    if (containers.length === 0) return false;
    if (left <= 0) return true;
    level = containers.flatMap((container) => Object.values(container));
  }
}
