import {
  type Authorizer,
  CertificateRequestError,
  mastersGroup,
  parseCertificateRequest,
} from '../../auth/index.ts';
import {
  equal,
  forbiddenError,
  type GroupVersionResource,
  type KubeObject,
  own,
  ownObject,
  ownString,
} from '../../meta/index.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import type { AdmissionPlugin } from '../chain.ts';
import type { PluginParts } from '../plugin-parts.ts';

const clientSigner = 'kubernetes.io/kube-apiserver-client';

function isSigningRequest({ group, resource }: GroupVersionResource): boolean {
  return resource === 'certificatesigningrequests' && group === 'certificates.k8s.io';
}

function signerOf(request: KubeObject | undefined): string {
  return ownString(ownObject(request ?? {}, 'spec') ?? {}, 'signerName') ?? '';
}

/**
 * The approver of a request needs permission to approve for its signer.
 * Source: kubernetes, plugin/pkg/admission/certificates/approval.
 */
export function certificateApproval({ authorizer }: PluginParts): AdmissionPlugin {
  return {
    name: 'CertificateApproval',
    handles: ({ operation, resource, subresource }) =>
      operation === 'UPDATE' && subresource === 'approval' && isSigningRequest(resource),
    validate: (attributes) => requireSigner(attributes, authorizer, 'approve'),
  };
}

/** The signer of a request needs permission to sign. Source: kubernetes, plugin/pkg/admission/certificates/signing. */
export function certificateSigning({ authorizer }: PluginParts): AdmissionPlugin {
  return {
    name: 'CertificateSigning',
    handles: ({ operation, resource, subresource }) =>
      operation === 'UPDATE' && subresource === 'status' && isSigningRequest(resource),
    async validate(attributes) {
      const [before, after] = [attributes.oldObject, attributes.object].map(
        (request) => ownObject(request ?? {}, 'status') ?? {},
      );
      const isSame = (field: string) => equal(own(before ?? {}, field), own(after ?? {}, field));
      if (!isSame('certificate') || !isSame('conditions'))
        await requireSigner(attributes, authorizer, 'sign');
    },
  };
}

/**
 * Refuses requests for certificates of the group system:masters.
 * Source: kubernetes, plugin/pkg/admission/certificates/subjectrestriction.
 */
export function certificateSubjectRestriction(): AdmissionPlugin {
  return {
    name: 'CertificateSubjectRestriction',
    isRepeatable: true,
    handles: ({ operation, resource, subresource }) =>
      operation === 'CREATE' && subresource === '' && isSigningRequest(resource),
    async validate({ object, resource, name }) {
      if (signerOf(object) !== clientSigner) return;
      const text = ownString(ownObject(object ?? {}, 'spec') ?? {}, 'request') ?? '';
      const groups = organizations(text);
      if (typeof groups === 'string') {
        throw forbiddenError(resource, name, `failed to parse CSR: ${groups}`);
      }
      if (!groups.includes(mastersGroup)) return;
      throw forbiddenError(
        resource,
        name,
        `use of ${clientSigner} signer with ${mastersGroup} group is not allowed`,
      );
    },
  };
}

/** The groups that a request asks for; a text is the reason why it is invalid. */
function organizations(base64: string): readonly string[] | string {
  try {
    return parseCertificateRequest(Buffer.from(base64, 'base64').toString('latin1')).organizations;
  } catch (error) {
    if (error instanceof CertificateRequestError) return error.message;
    throw error;
  }
}

/** Permission for the signer by name, or for all signers of its domain. Source: kubernetes, pkg/certauthorization. */
async function requireSigner(
  { user, oldObject, resource, name }: AdmissionAttributes,
  authorizer: Authorizer,
  verb: 'approve' | 'sign',
): Promise<void> {
  const signer = signerOf(oldObject);
  const group = { group: resource.group, version: '*', resource: 'signers', subresource: '', namespace: '' };
  for (const signers of [signer, `${signer.split('/', 1)[0]}/*`]) {
    const asked = { user, verb, path: '', resource: { ...group, name: signers } };
    if ((await authorizer.authorize(asked)).verdict === 'allow') return;
  }
  throw forbiddenError(
    resource,
    name,
    `user not permitted to ${verb} requests with signerName ${JSON.stringify(signer)}`,
  );
}
