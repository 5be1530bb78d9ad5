import { humanDuration, type KubeObject } from '../../meta/index.ts';
import { ageColumn, type BuiltInKind, builtInType, column } from '../definition/kind.ts';
import { numberAt, textAt } from '../rules/field-checks.ts';
import { specOf, statusOf } from '../rules/workload.ts';
import { signingRequestStrategy } from './signing-request-strategy.ts';
import { conditionsOf } from './validate-signing-request.ts';

function conditionCell(request: KubeObject): string {
  const has = (type: string) => conditionsOf(request, type).length > 0;
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  const isIssued = textAt(statusOf(request), 'certificate') !== '';
  return [decision, ...(has('Failed') ? ['Failed'] : []), ...(isIssued ? ['Issued'] : [])].join(',');
}

function durationCell(request: KubeObject): string {
  const seconds = numberAt(specOf(request), 'expirationSeconds');
  return seconds === undefined ? '<none>' : humanDuration(seconds * 1000);
}

/** Approved by a user, and signed by the controller of its signer. */
export const certificateSigningRequestKind: BuiltInKind = {
  strategy: signingRequestStrategy,
  resetFields: {
    '': ['spec', 'status'],
    status: ['metadata', 'spec', 'status.conditions'],
    approval: ['spec', 'status.certificate'],
  },
  type: builtInType({
    group: 'certificates.k8s.io',
    version: 'v1',
    kind: 'CertificateSigningRequest',
    resource: 'certificatesigningrequests',
    namespaced: false,
    shortNames: ['csr'],
    status: true,
    furtherSubresources: [{ name: 'approval', verbs: ['get', 'patch', 'update'] }],
    selectableFields: [{ fieldPath: 'spec.signerName' }],
    columns: [
      ageColumn,
      column('SignerName', '.spec.signerName', { description: 'The signer.' }),
      column('Requestor', '.spec.username', { description: 'The user who created the request.' }),
      column('RequestedDuration', '', {
        read: durationCell,
        description: 'The requested lifetime of the certificate.',
      }),
      column('Condition', '', { read: conditionCell, description: 'The state of the request.' }),
    ],
  }),
};
