import {
  checkDnsSubdomain,
  type FieldError,
  type JsonObject,
  own,
  pathSegmentName,
} from '../../meta/index.ts';
import { invalidAs, textAt } from '../rules/field-checks.ts';
import type { ItemRule } from '../rules/field-rules.ts';

/**
 * The rules of a reference to an object of any kind. Source: kubernetes, pkg/apis/networking/validation,
 * validateIngressTypedLocalObjectReference.
 */
export const referenceRules: readonly ItemRule[] = [
  groupErrors,
  { path: 'kind', required: true, check: pathSegmentName.checkName },
  { path: 'name', required: true, check: pathSegmentName.checkName },
];

/** Unlike an absent group, an empty one is an error. */
function groupErrors(reference: JsonObject, path: string): FieldError[] {
  if (typeof own(reference, 'apiGroup') !== 'string') return [];
  return invalidAs(`${path}.apiGroup`, textAt(reference, 'apiGroup'), checkDnsSubdomain);
}
