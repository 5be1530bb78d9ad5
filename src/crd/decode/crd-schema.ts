import { isObject, type KubeObject } from '../../meta/index.ts';
import type { CompiledSchema } from '../../schema/index.ts';
import { defaultCrdSpec } from './crd-defaults.ts';
import { crdSpec, crdStatus } from './crd-types.ts';
import { isLenientInCrd } from './lenient-places.ts';
import { normalizeTyped, type TypedKind, type TypedNormalizeOptions } from './normalize-typed.ts';

const crdKind: TypedKind = { kind: 'CustomResourceDefinition', spec: crdSpec, status: crdStatus };

/**
 * The schema of CustomResourceDefinitions themselves. It normalizes a CRD to what a typed server would store: unknown
 * fields are dropped, empty fields are dropped where Go drops them, and names, conversion and webhook port get their
 * defaults. It does not validate; {@link validateCrd} does.
 */
export function crdSchema(): CompiledSchema {
  return Object.freeze({
    normalize: normalizeCrd,
    validate: () => ({ errors: [], warnings: [] }),
    comparesWithOld: true,
    isLenientAt: isLenientInCrd,
  });
}

/**
 * See {@link crdSchema}.
 *
 * @throws {CrdDecodeError} for a value of the wrong type.
 */
function normalizeCrd(crd: KubeObject, options?: TypedNormalizeOptions): void {
  normalizeTyped(crd, crdKind, options);
  const spec = crd['spec'];
  if (isObject(spec) && options?.applyDefaults !== false) crd['spec'] = defaultCrdSpec(spec);
}
