import type { ScopeRequirement } from './quota-counter.ts';

/** Whether what an object has in a scope meets a requirement: one of several is enough. */
export function scopeValuesMatch({ operator, values }: ScopeRequirement, found: readonly string[]): boolean {
  switch (operator) {
    case 'In':
      return found.some((one) => values.includes(one));
    case 'NotIn':
      return found.length === 0 || found.some((one) => !values.includes(one));
    case 'DoesNotExist':
      return found.length === 0;
    default:
      return found.length > 0;
  }
}
