import { FieldPath, invalid } from '../../meta/index.ts';
import type { CrdRule } from './crd-check.ts';

/** `spec.preserveUnknownFields: true` is refused, unless the stored CRD has it. */
export const preserveUnknownFieldsRule: CrdRule = ({ spec, oldSpec }) => {
  if (spec.raw['preserveUnknownFields'] !== true || oldSpec?.raw['preserveUnknownFields'] === true) return [];
  const detail =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalid(FieldPath.of('spec', 'preserveUnknownFields'), true, detail)];
};
