import { type KubeObject, own, ownList, ownObject } from '../../meta/index.ts';
import type { Target } from '../resource/target.ts';

/**
 * Keeps the meaning of an empty list of managed fields: all managers are removed. Normalized metadata has no empty
 * lists, so it is expressed as `[{}]`. For built-in kinds; for custom resources, upstream's decoder drops the list
 * too.
 */
export function keepEmptyManagedFields(object: KubeObject, { type }: Pick<Target, 'type'>): void {
  if (!type.isBuiltIn) return;
  const metadata = ownObject(object, 'metadata');
  if (metadata === undefined || own(metadata, 'managedFields') === undefined) return;
  if (ownList(metadata, 'managedFields')?.length === 0) {
    object['metadata'] = { ...metadata, managedFields: [{}] };
  }
}
