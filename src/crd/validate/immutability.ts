import { type FieldError, FieldPath, invalid, type JsonObject } from '../../meta/index.ts';
import { isConditionTrue } from '../conditions.ts';
import { namesOf, textOf } from '../spec-view.ts';
import type { CrdRule } from './crd-check.ts';

interface Fixed {
  readonly path: FieldPath;
  read(spec: JsonObject): string;
}

/** Where objects are stored and what they are: fixed once there may be any. */
const onceEstablished: readonly Fixed[] = [
  { path: FieldPath.of('spec', 'scope'), read: (spec) => textOf(spec, 'scope') },
  { path: FieldPath.of('spec', 'names', 'kind'), read: (spec) => textOf(namesOf(spec, 'names'), 'kind') },
];
/** What the name of the CRD is made of. */
const always: readonly Fixed[] = [
  { path: FieldPath.of('spec', 'group'), read: (spec) => textOf(spec, 'group') },
  { path: FieldPath.of('spec', 'names', 'plural'), read: (spec) => textOf(namesOf(spec, 'names'), 'plural') },
];

/** What may not change. */
export const immutabilityRule: CrdRule = ({ spec, old, oldSpec }) => {
  if (old === undefined || oldSpec === undefined) return [];
  const fixed = isConditionTrue(old, 'Established') ? [...onceEstablished, ...always] : always;
  return fixed.flatMap(({ path, read }): FieldError[] => {
    const value = read(spec.raw);
    return value === read(oldSpec.raw) ? [] : [invalid(path, value, 'field is immutable')];
  });
};
