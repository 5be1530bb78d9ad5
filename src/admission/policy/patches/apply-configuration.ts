import { ConfigurationMergeError, mergeConfiguration } from '../../../apply/index.ts';
import { applyConfigurationType, CelMessage, NotPlain, plainValue, type Value } from '../../../cel/index.ts';
import { clone, isObject, type KubeObject, ownString } from '../../../meta/index.ts';
import { MutationError, type PatchKind, type PatchTarget } from './patch-kind.ts';
import { requireTypeNames } from './type-names.ts';

/** `Object{...}`, merged into the object as server-side apply does. */
export const applyConfiguration: PatchKind = {
  patchType: 'ApplyConfiguration',
  field: 'applyConfiguration',
  returnType: applyConfigurationType,

  patch(value: Value, { object, mergeType }: PatchTarget): KubeObject {
    if (!(value instanceof CelMessage)) {
      throw new MutationError('unsupported return type from ApplyConfiguration expression');
    }
    requireTypeNames(value);
    const configuration = configurationOf(value, object);
    try {
      const merged = mergeConfiguration(mergeType(), object, configuration);
      return merged === object || !isObject(merged) ? object : clone(merged);
    } catch (error) {
      if (!(error instanceof ConfigurationMergeError)) throw error;
      throw new MutationError(`error applying patch: ${error.message}`);
    }
  },
};

/** The kind and version are those of the object, whatever the expression returns. */
function configurationOf(value: CelMessage, object: KubeObject): KubeObject {
  try {
    // Upstream's null is the number of protobuf's NullValue here.
    const configuration = plainValue(value, () => 0);
    const [apiVersion, kind] = [ownString(object, 'apiVersion') ?? '', ownString(object, 'kind') ?? ''];
    return isObject(configuration) ? { ...configuration, apiVersion, kind } : {};
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
    throw new MutationError(`invalid return type: ${error.message}`);
  }
}
