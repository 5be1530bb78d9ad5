import { expect, test } from 'vitest';
import { apiApprovalCondition } from './api-approval.ts';
import { fooCrd } from './example.test-data.ts';

const annotated = (group: string, value?: string) =>
  fooCrd(
    { group },
    { metadata: value === undefined ? {} : { annotations: { 'api-approved.kubernetes.io': value } } },
  );

const missing =
  'protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111';
const invalid =
  'protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111';

test.each([
  ['x.k8s.io', undefined, 'False', 'MissingAnnotation', missing],
  ['k8s.io', '', 'False', 'MissingAnnotation', missing],
  ['kubernetes.io', 'nonsense', 'False', 'InvalidAnnotation', invalid],
  ['kubernetes.io', 'https://a b', 'False', 'InvalidAnnotation', invalid],
  ['kubernetes.io', 'https:opaque', 'False', 'InvalidAnnotation', invalid],
  ['a.kubernetes.io', 'unapproved, try', 'False', 'UnapprovedAnnotation', 'not approved: "unapproved, try"'],
  ['a.kubernetes.io', 'https://x.y/1', 'True', 'ApprovedAnnotation', 'approved in https://x.y/1'],
])('%s %s', (group, value, status, reason, message) => {
  expect(apiApprovalCondition(annotated(group, value))).toEqual({
    type: 'KubernetesAPIApprovalPolicyConformant',
    status,
    reason,
    message,
  });
});

test.each(['example.com', 'notk8s.io', 'k8s.io.example.com'])('%s needs no approval', (group) => {
  expect(apiApprovalCondition(annotated(group))).toBeUndefined();
});
