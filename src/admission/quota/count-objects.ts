import type { GroupResource } from '../../meta/index.ts';
import { wholeQuantity } from '../resources/quantity.ts';
import type { QuotaCounter } from './quota-counter.ts';

/** `count/widgets.example.com`, `count/pods`. */
function countName({ group, resource }: GroupResource): string {
  return group === '' ? `count/${resource}` : `count/${resource}.${group}`;
}

/** Counts the objects of a resource. @param alias an older name for the same number */
export function countObjects(resource: GroupResource, alias?: string): QuotaCounter {
  const names = [countName(resource), ...(alias === undefined ? [] : [alias])];
  const usage = new Map(names.map((name) => [name, wholeQuantity(1)]));
  return Object.freeze<QuotaCounter>({
    resource,
    counts: (name) => names.includes(name),
    handles: ({ operation, subresource }) => subresource === '' && operation === 'CREATE',
    usage: () => usage,
  });
}
