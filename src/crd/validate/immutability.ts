import { type FieldError, FieldPath, invalid, type JsonObject } from '../../meta/index.ts';
import { isConditionTrue } from '../conditions.ts';
import { namesOf, textOf } from '../spec-view.ts';
import type { CrdRule } from './crd-check.ts';

interface Fixed {
  readonly path: FieldPath;
  read(spec: JsonObject): string;
}

/** Fields that decide where and how objects are stored: immutable once the CRD is established. */
const onceEstablished: readonly Fixed[] = [
  { path: FieldPath.of('spec', 'scope'), read: (spec) => textOf(spec, 'scope') },
  { path: FieldPath.of('spec', 'names', 'kind'), read: (spec) => textOf(namesOf(spec, 'names'), 'kind') },
];
/** The fields that the name of the CRD consists of. */
const always: readonly Fixed[] = [
  { path: FieldPath.of('spec', 'group'), read: (spec) => textOf(spec, 'group') },
  { path: FieldPath.of('spec', 'names', 'plural'), read: (spec) => textOf(namesOf(spec, 'names'), 'plural') },
];

/** The immutable fields. */
export const immutabilityRule: CrdRule = ({ spec, old, oldSpec }) => {
  if (old === undefined || oldSpec === undefined) return [];
  const fixed = isConditionTrue(old, 'Established') ? [...onceEstablished, ...always] : always;
  return fixed.flatMap(({ path, read }): FieldError[] => {
    const value = read(spec.raw);
    return value === read(oldSpec.raw) ? [] : [invalid(path, value, 'field is immutable')];
  });
};
