import { type KubeObject, metadataOf } from '../../meta/index.ts';
import { keepField } from '../strategy/plain-strategy.ts';
import type { Endpoint, StrategyContext } from '../strategy/strategy.ts';
import type { BuiltInKind } from './kind.ts';

/** The metadata that an endpoint of its own leaves alone. Source: apimachinery, ResetObjectMetaForStatus. */
export const resetMetadata: readonly string[] = [
  'deletionTimestamp',
  'generation',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
];

/**
 * A kind whose `/status` keeps fields of the metadata: of most kinds, it changes labels and annotations too. Source: GetResetFields
 * and PrepareForUpdate of the status strategies in kubernetes, pkg/registry.
 *
 * @param fields `all` for {@link resetMetadata}
 */
export function keepingMetadata(kind: BuiltInKind, fields: 'all' | readonly string[]): BuiltInKind {
  const { strategy, resetFields } = kind;
  const kept = fields === 'all' ? resetMetadata : fields;
  const paths = fields === 'all' ? ['metadata'] : fields.map((field) => `metadata.${field}`);
  return {
    ...kind,
    resetFields: { ...resetFields, status: ['spec', ...paths] },
    strategy: Object.freeze({
      ...strategy,
      prepareForUpdate(
        object: KubeObject,
        old: KubeObject,
        endpoint: Endpoint,
        context: StrategyContext,
      ): void {
        strategy.prepareForUpdate(object, old, endpoint, context);
        if (endpoint !== 'status') return;
        for (const field of kept) keepField(metadataOf(object), metadataOf(old), field);
      },
    }),
  };
}
