import { X509Certificate } from 'node:crypto';
import { CertificateRequestError, parseCertificateRequest, signatureProblem } from '../../auth/index.ts';
import {
  checkDnsLabel,
  checkDnsSubdomain,
  duplicate,
  type FieldError,
  forbidden,
  goQuote,
  invalid,
  isObject,
  type JsonObject,
  type KubeObject,
  notSupported,
  own,
  ownList,
  readPem,
  required,
  stringList,
  tooLong,
} from '../../meta/index.ts';
import { eachIn, invalidAs, numberAt, textAt } from '../rules/field-checks.ts';
import { specOf, statusOf } from '../rules/workload.ts';
import type { Endpoint } from '../strategy/strategy.ts';

/** Source: kubernetes, pkg/apis/certificates/validation. */

const knownUsages: readonly string[] = Object.freeze(
  [
    ...['signing', 'digital signature', 'content commitment', 'key encipherment', 'key agreement'],
    ...['data encipherment', 'cert sign', 'crl sign', 'encipher only', 'decipher only', 'any', 'server auth'],
    ...['client auth', 'code signing', 'email protection', 's/mime', 'ipsec end system', 'ipsec tunnel'],
    ...['ipsec user', 'timestamping', 'ocsp signing', 'microsoft sgc', 'netscape sgc'],
  ].sort(),
);

const legacySigner = 'kubernetes.io/legacy-unknown';
const expirationSecondsMin = 600;
const decisions = ['Approved', 'Denied'] as const;
const finalTypes: readonly string[] = [...decisions, 'Failed'];

/** The conditions of a type. */
export function conditionsOf(request: KubeObject, type: string): JsonObject[] {
  const all = ownList(statusOf(request), 'conditions') ?? [];
  return all.filter(isObject).filter((one) => own(one, 'type') === type);
}

/** What must hold of every request. */
export function signingRequestErrors(request: KubeObject, old?: KubeObject): FieldError[] {
  const spec = specOf(request);
  const expiration = numberAt(spec, 'expirationSeconds');
  return [
    ...(old === undefined ? specErrors(spec) : []),
    ...(expiration !== undefined && expiration < expirationSecondsMin
      ? [
          invalid(
            'spec.expirationSeconds',
            expiration,
            'may not specify a duration less than 600 seconds (10 minutes)',
          ),
        ]
      : []),
    ...conditionErrors(request, old),
    ...certificateErrors(request, old),
  ];
}

/** The spec is immutable, so it is only validated on create. */
function specErrors(spec: JsonObject): FieldError[] {
  const usages = stringList(own(spec, 'usages'));
  return [
    ...requestErrors(textAt(spec, 'request')),
    ...(usages.length === 0 ? [required('spec.usages')] : []),
    ...usages.flatMap((usage, index) =>
      knownUsages.includes(usage) ? [] : [notSupported(`spec.usages[${index}]`, usage, knownUsages)],
    ),
    ...usages.flatMap((usage, index) =>
      usages.indexOf(usage) < index ? [duplicate(`spec.usages[${index}]`, usage)] : [],
    ),
    ...signerErrors('spec.signerName', textAt(spec, 'signerName')),
  ];
}

function requestErrors(base64: string): FieldError[] {
  const problem = requestProblem(Buffer.from(base64, 'base64').toString('latin1'));
  return problem === undefined ? [] : [invalid('spec.request', base64, problem)];
}

function requestProblem(pem: string): string | undefined {
  try {
    return signatureProblem(parseCertificateRequest(pem));
  } catch (error) {
    if (error instanceof CertificateRequestError) return error.message;
    throw error;
  }
}

const nameMax = 253;
/** A domain, a slash, and a path with room for a label, a dot and a subdomain. */
const signerMax = nameMax + 1 + (nameMax + 63 + 1);

function signerErrors(path: string, signer: string): FieldError[] {
  if (signer === '') return [required(path)];
  if (signer === legacySigner)
    return [invalid(path, signer, 'the legacy signerName is not allowed via this API version')];
  const [domain = '', rest, ...more] = signer.split('/');
  if (rest === undefined || more.length > 0) {
    const form = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [invalid(path, signer, form)];
  }
  const labels = domain.split('.');
  const few = 'should be a domain with at least two segments separated by dots';
  return [
    ...(domain.length > nameMax ? [tooLong(path, nameMax)] : []),
    ...firstLabelErrors(path, domain, checkDnsLabel),
    ...(labels.length < 2 ? [invalid(path, domain, few)] : []),
    ...firstLabelErrors(path, rest, checkDnsSubdomain),
    ...(signer.length > signerMax ? [tooLong(path, signerMax)] : []),
  ];
}

/** The mistakes of the first label that has any. */
function firstLabelErrors(
  path: string,
  text: string,
  check: (label: string) => readonly string[],
): FieldError[] {
  const wrong = text.split('.').find((label) => check(label).length > 0);
  if (wrong === undefined) return [];
  return invalidAs(path, text, () => check(wrong).map((why) => `validating label ${goQuote(wrong)}: ${why}`));
}

const anyStatus = ['False', 'True', 'Unknown'];

function conditionErrors(request: KubeObject, old: KubeObject | undefined): FieldError[] {
  const seen = new Set<string>();
  const errors = eachIn('status', statusOf(request), 'conditions', (condition, path) => {
    const [type, status] = [textAt(condition, 'type'), textAt(condition, 'status')];
    const allowed = finalTypes.includes(type) ? ['True'] : anyStatus;
    const isTwin = seen.has(type);
    seen.add(type);
    return [
      ...(type === '' ? [required(`${path}.type`)] : []),
      ...(status === '' ? [required(`${path}.status`)] : []),
      ...(status === '' || allowed.includes(status) ? [] : [notSupported(`${path}.status`, status, allowed)]),
      ...(isTwin ? [duplicate(`${path}.type`, type)] : []),
    ];
  });
  const isBoth = (one: KubeObject) => decisions.every((type) => conditionsOf(one, type).length > 0);
  if (!isBoth(request) || (old !== undefined && isBoth(old))) return errors;
  const names = decisions.map((type) => `conditions[{"type": "${type}"}]`);
  const choices = names.map((name) => `\`${name}\``).join(', ');
  return [
    ...errors,
    invalid('status.conditions', `{${names.join(', ')}}`, `must specify at most one of: ${choices}`),
  ];
}

function certificateErrors(request: KubeObject, old: KubeObject | undefined): FieldError[] {
  const certificate = certificateOf(request);
  if (certificate === '' || (old !== undefined && certificate === certificateOf(old))) return [];
  const problem = certificateProblem(certificate);
  return problem === undefined ? [] : [invalid('status.certificate', '<certificate data>', problem)];
}

const certificateOf = (request: KubeObject) => textAt(statusOf(request), 'certificate');

function certificateProblem(base64: string): string | undefined {
  const { blocks } = readPem(Buffer.from(base64, 'base64').toString('latin1'));
  for (const { type, hasHeaders, der } of blocks) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${goQuote(type)}`;
    if (hasHeaders) return 'no PEM block headers are permitted';
    if (!isCertificate(der)) return 'x509: malformed certificate';
  }
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}

function isCertificate(der: Buffer): boolean {
  try {
    new X509Certificate(der);
    return true;
  } catch {
    // OpenSSL's reasons are not Go's; that it is none is all that counts.
    return false;
  }
}

/** What must hold between a request and the one before it. */
export function signingRequestChangeErrors(
  request: KubeObject,
  old: KubeObject,
  endpoint: Endpoint,
): FieldError[] {
  const counts = (type: string) =>
    [conditionsOf(old, type).length, conditionsOf(request, type).length] as const;
  const lost = finalTypes.filter((type) => counts(type)[1] < counts(type)[0]);
  const added = decisions.filter((type) => counts(type)[1] > counts(type)[0]);
  const told = (what: string) => (type: string) =>
    forbidden('status.conditions', `updates may not ${what} a condition of type "${type}"`);
  return [
    ...signingRequestErrors(request, old),
    ...lost.map(told('remove')),
    ...(endpoint === 'approval' ? [] : added.map(told('add'))),
    ...certificateChangeErrors(request, old),
  ];
}

function certificateChangeErrors(request: KubeObject, old: KubeObject): FieldError[] {
  const before = certificateOf(old);
  if (before === '' || before === certificateOf(request)) return [];
  return [forbidden('status.certificate', 'updates may not modify existing certificate content')];
}
