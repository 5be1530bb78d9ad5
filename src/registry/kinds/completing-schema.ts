import type { KubeObject } from '../../meta/index.ts';
import type { CompiledSchema } from '../../schema/index.ts';

/**
 * The schema of a kind that upstream decodes into a Go type: a null is the same as nothing, wherever it comes from, and
 * objects also get what no structural schema can say, such as a default that hangs on another field.
 */
export function completingSchema(
  schema: CompiledSchema,
  complete: ((object: KubeObject) => void) | undefined,
): CompiledSchema {
  return Object.freeze({
    normalize(object: KubeObject, options?: Parameters<CompiledSchema['normalize']>[1]): void {
      schema.normalize(object, { ...options, dropNulls: true });
      if (options?.applyDefaults !== false) complete?.(object);
    },
    validate: (request: Parameters<CompiledSchema['validate']>[0]) => schema.validate(request),
    get comparesWithOld() {
      return schema.comparesWithOld;
    },
  });
}
