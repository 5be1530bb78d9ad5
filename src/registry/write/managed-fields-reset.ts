import { type KubeObject, own, ownList, ownObject } from '../../meta/index.ts';
import type { Target } from '../resource/target.ts';

/**
 * Keeps what an empty list of managed fields says: that all are given up. Metadata in shape has no empty lists, so it is
 * said in the other way, `[{}]`. That is for built-in kinds; of custom resources upstream's decoder loses the list too.
 */
export function keepEmptyManagedFields(object: KubeObject, { type }: Pick<Target, 'type'>): void {
  if (!type.isBuiltIn) return;
  const metadata = ownObject(object, 'metadata');
  if (metadata === undefined || own(metadata, 'managedFields') === undefined) return;
  if (ownList(metadata, 'managedFields')?.length === 0) {
    object['metadata'] = { ...metadata, managedFields: [{}] };
  }
}
