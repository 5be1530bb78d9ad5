import { goQuote, type KubeObject, metadataOf, stringMap } from '../meta/index.ts';
import type { CrdCondition } from './conditions.ts';
import { GoUrlError, parseGoUrl } from './go-url.ts';
import { specOf, textOf } from './spec-view.ts';

/** The annotation that says where the API of a CRD in a Kubernetes community group was reviewed. */
export const approvalAnnotation = 'api-approved.kubernetes.io';

const policy = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** The content of the annotation. */
interface ApiApproval {
  readonly state: 'invalid' | 'approved' | 'bypassed' | 'missing';
  readonly reason: string;
}

/** True for the groups that belong to the Kubernetes community. */
export function isProtectedGroup(group: string): boolean {
  return ['k8s.io', 'kubernetes.io'].some((owner) => group === owner || group.endsWith(`.${owner}`));
}

/** The value of the annotation; empty where the CRD has none. */
export function approvalOf(crd: KubeObject): string {
  return stringMap(metadataOf(crd)['annotations']).get(approvalAnnotation) ?? '';
}

/** Reads the annotation of a CRD. Source: https://github.com/kubernetes/enhancements/pull/1111 */
export function apiApproval(crd: KubeObject): ApiApproval {
  const value = approvalOf(crd);
  const demand = `protected groups must have approval annotation ${goQuote(approvalAnnotation)}`;
  if (value === '') return { state: 'missing', reason: `${demand}, ${policy}` };
  if (value.startsWith('unapproved')) return { state: 'bypassed', reason: `not approved: ${goQuote(value)}` };
  if (isUrlWithHost(value)) return { state: 'approved', reason: `approved in ${value}` };
  return {
    state: 'invalid',
    reason: `${demand} with either a URL or a reason starting with "unapproved", ${policy}`,
  };
}

function isUrlWithHost(text: string): boolean {
  try {
    const url = parseGoUrl(text);
    return url.scheme !== '' && url.host !== '';
  } catch (error) {
    if (error instanceof GoUrlError) return false;
    throw error;
  }
}

const conditions = {
  approved: { status: 'True', reason: 'ApprovedAnnotation' },
  bypassed: { status: 'False', reason: 'UnapprovedAnnotation' },
  invalid: { status: 'False', reason: 'InvalidAnnotation' },
  missing: { status: 'False', reason: 'MissingAnnotation' },
} as const;

/** The condition `KubernetesAPIApprovalPolicyConformant` of a CRD, undefined where its group is not protected. */
export function apiApprovalCondition(crd: KubeObject): CrdCondition | undefined {
  if (!isProtectedGroup(textOf(specOf(crd), 'group'))) return undefined;
  const { state, reason: message } = apiApproval(crd);
  return { type: 'KubernetesAPIApprovalPolicyConformant', ...conditions[state], message };
}
