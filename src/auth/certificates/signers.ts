/** What a signer checks in a certificate signing request. */
export interface RequestedCertificate {
  readonly organizations: readonly string[];
  readonly commonName: string;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
  readonly usages: readonly string[];
}

/** Why a signer refuses a request; undefined if it signs. */
type Signer = (request: RequestedCertificate) => string | undefined;

/**
 * The signers that Ilk implements, by name. `certificates.k8s.io/v1` does not allow the legacy one.
 * Source: kubernetes, pkg/controller/certificates/signer/signer.go, pkg/apis/certificates/helpers.go.
 */
export const signers: ReadonlyMap<string, Signer> = new Map([
  ['kubernetes.io/kube-apiserver-client', clientProblem],
  ['kubernetes.io/kube-apiserver-client-kubelet', kubeletClientProblem],
  ['kubernetes.io/kubelet-serving', kubeletServingProblem],
]);

const optionalUsages: readonly string[] = Object.freeze(['digital signature', 'key encipherment']);
const nodesGroup = 'system:nodes';
const nodePrefix = 'system:node:';

function clientProblem({ usages }: RequestedCertificate): string | undefined {
  const wrong = usages.find((usage) => usage !== 'client auth' && !optionalUsages.includes(usage));
  if (wrong !== undefined) return `invalid usage for client certificate: ${wrong}`;
  return usages.includes('client auth')
    ? undefined
    : 'missing required usage for client certificate: client auth';
}

function kubeletClientProblem(request: RequestedCertificate): string | undefined {
  const { dnsNames, emailAddresses, ipAddresses, uris, commonName, usages } = request;
  if (!isOfNodes(request)) return notOfNodes;
  if (dnsNames.length > 0) return 'DNS subjectAltNames are not allowed';
  if (emailAddresses.length > 0) return emailNotAllowed;
  if (ipAddresses.length > 0) return 'IP subjectAltNames are not allowed';
  if (uris.length > 0) return uriNotAllowed;
  if (!commonName.startsWith(nodePrefix)) return notOfNode;
  return usagesProblem(usages, 'client auth');
}

function kubeletServingProblem(request: RequestedCertificate): string | undefined {
  const { dnsNames, emailAddresses, ipAddresses, uris, commonName, usages } = request;
  if (!isOfNodes(request)) return notOfNodes;
  if (dnsNames.length === 0 && ipAddresses.length === 0) return 'DNS or IP subjectAltName is required';
  if (emailAddresses.length > 0) return emailNotAllowed;
  if (uris.length > 0) return uriNotAllowed;
  return usagesProblem(usages, 'server auth') ?? (commonName.startsWith(nodePrefix) ? undefined : notOfNode);
}

const notOfNodes = 'subject organization is not system:nodes';
const notOfNode = 'subject common name does not begin with system:node:';
const emailNotAllowed = 'Email subjectAltNames are not allowed';
const uriNotAllowed = 'URI subjectAltNames are not allowed';

function isOfNodes({ organizations }: RequestedCertificate): boolean {
  return organizations.length === 1 && organizations[0] === nodesGroup;
}

/** Only RSA keys may be used for key encipherment. */
function usagesProblem(usages: readonly string[], purpose: string): string | undefined {
  const wanted = [...optionalUsages, purpose].sort();
  const found = new Set([...usages, 'key encipherment']);
  const isRight = found.size === wanted.length && wanted.every((usage) => found.has(usage));
  return isRight ? undefined : `usages did not match [${wanted.join(' ')}]`;
}
