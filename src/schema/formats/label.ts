import type { Format } from './format.ts';

const namePattern = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const subdomainPattern = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const nameBytesMax = 63;
const prefixBytesMax = 253;

function isName(text: string): boolean {
  return text.length <= nameBytesMax && namePattern.test(text);
}

function isLabelKey(text: string): boolean {
  const slash = text.indexOf('/');
  if (slash === -1) return isName(text);
  const prefix = text.slice(0, slash);
  return prefix.length <= prefixBytesMax && subdomainPattern.test(prefix) && isName(text.slice(slash + 1));
}

/** A label key: `[prefix/]name`. Proposed in KEP-5667. */
export const labelKey: Format = {
  name: 'k8s-label-key',
  type: 'string',
  accepts: isLabelKey,
  gate: 'CRDPropertyNameSchemas',
};

/** A label value, which may be empty. Proposed in KEP-5667. */
export const labelValue: Format = {
  name: 'k8s-label-value',
  type: 'string',
  accepts: (text) => text === '' || isName(text),
  gate: 'CRDPropertyNameSchemas',
};
