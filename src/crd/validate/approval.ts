import { FieldPath, invalid, required } from '../../meta/index.ts';
import { apiApproval, approvalAnnotation, approvalOf, isProtectedGroup } from '../api-approval.ts';
import { textOf } from '../spec-view.ts';
import type { CrdRule } from './crd-check.ts';

const path = FieldPath.of('metadata', 'annotations').key(approvalAnnotation);

/** A CRD in a Kubernetes community group needs its annotation, unless the stored CRD lacks it too. */
export const approvalRule: CrdRule = ({ crd, old, spec }) => {
  if (!isProtectedGroup(textOf(spec.raw, 'group'))) return [];
  const { state, reason } = apiApproval(crd);
  if (old !== undefined && apiApproval(old).state === state) return [];
  if (state === 'missing') return [required(path, reason)];
  return state === 'invalid' ? [invalid(path, approvalOf(crd), reason)] : [];
};
