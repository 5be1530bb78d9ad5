import {
  checkDnsSubdomain,
  FieldPath,
  type FieldError,
  invalid,
  notSupported,
  required,
} from '../../meta/index.ts';
import { textOf } from '../spec-view.ts';
import type { CrdRule } from './crd-check.ts';

const specPath = FieldPath.of('spec');

/** The group must be a DNS subdomain. */
export const groupRule: CrdRule = ({ spec }) => {
  const path = specPath.child('group');
  const group = textOf(spec.raw, 'group');
  if (group === '') return [required(path)];
  const wrong = checkDnsSubdomain(group);
  if (wrong.length > 0) return [invalid(path, group, wrong.join(','))];
  return group.includes('.') ? [] : [invalid(path, group, 'should be a domain with at least one dot')];
};

/** The scope must be one of two values. */
export const scopeRule: CrdRule = ({ spec }) =>
  enumErrors(specPath.child('scope'), textOf(spec.raw, 'scope'), ['Cluster', 'Namespaced']);

/** A required string with a fixed set of values. */
export function enumErrors(path: FieldPath, value: string, accepted: readonly string[]): FieldError[] {
  if (value === '') return [required(path)];
  return accepted.includes(value) ? [] : [notSupported(path, value, accepted)];
}
