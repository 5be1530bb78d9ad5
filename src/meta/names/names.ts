/**
 * Validation of names, keys and label values. Every function takes a value and returns the error messages, an empty
 * list if it is valid. Limits count UTF-8 bytes, whatever the message says. Source:
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/names/ and .../labels/; the messages are those of
 * k8s.io/apimachinery 1.37.
 */

const dnsLabel = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const dnsSubdomain = `${dnsLabel}(\\.${dnsLabel})*`;
const dns1035Label = '[a-z]([-a-z0-9]*[a-z0-9])?';
const keyName = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValue = `(${keyName})?`;

const whole = (pattern: string) => new RegExp(`^${pattern}$`);
const dnsLabelPattern = whole(dnsLabel);
const dnsSubdomainPattern = whole(dnsSubdomain);
const dns1035LabelPattern = whole(dns1035Label);
const keyNamePattern = whole(keyName);
const labelValuePattern = whole(labelValue);

const labelBytesMax = 63;
const subdomainBytesMax = 253;

/** `rule (e.g. 'a',  or 'b', regex used for validation is '...')`; the two spaces are Kubernetes'. */
function shapeText(rule: string, pattern: string, examples: readonly string[]): string {
  const list = examples.map((example) => `'${example}', `).join(' or ');
  return `${rule} (e.g. ${list}regex used for validation is '${pattern}')`;
}

const labelText = shapeText(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  dnsLabel,
  ['my-name', '123-abc'],
);
const subdomainText = shapeText(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  dnsSubdomain,
  ['example.com'],
);
const dns1035Text = shapeText(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  dns1035Label,
  ['my-name', 'abc-123'],
);
const wildcardPattern = whole(`\\*\\.${dnsSubdomain}`);
const wildcardText = shapeText(
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  `\\*\\.${dnsSubdomain}`,
  ['*.example.com'],
);
const keyNameText = shapeText(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  keyName,
  ['MyName', 'my.name', '123-abc'],
);
const labelValueText = shapeText(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  labelValue,
  ['MyValue', 'my_value', '12345'],
);

function longerThan(value: string, limitBytes: number): boolean {
  return value.length > limitBytes || Buffer.byteLength(value) > limitBytes;
}

/** A DNS label (RFC 1123): namespaces and others. */
export function checkDnsLabel(value: string): string[] {
  const wrong: string[] = [];
  if (longerThan(value, labelBytesMax)) wrong.push('must be no more than 63 characters');
  if (!dnsLabelPattern.test(value)) {
    wrong.push(dnsSubdomainPattern.test(value) ? 'must not contain dots' : labelText);
  }
  return wrong;
}

/** A DNS subdomain, labels joined by dots (RFC 1123): the names of custom resources. */
export function checkDnsSubdomain(value: string): string[] {
  return checkSubdomain(value, 'characters');
}

function checkSubdomain(value: string, unit: 'characters' | 'bytes'): string[] {
  const wrong: string[] = [];
  if (longerThan(value, subdomainBytesMax)) wrong.push(`must be no more than 253 ${unit}`);
  if (!dnsSubdomainPattern.test(value)) wrong.push(subdomainText);
  return wrong;
}

/** A DNS subdomain with a wildcard for its first label: `*.example.com`. */
export function checkWildcardSubdomain(value: string): string[] {
  return [
    ...(longerThan(value, subdomainBytesMax) ? [`must be no more than ${subdomainBytesMax} characters`] : []),
    ...(wildcardPattern.test(value) ? [] : [wildcardText]),
  ];
}

/** A DNS label that starts with a letter (RFC 1035): plural, singular and short names, versions. */
export function checkDns1035Label(value: string): string[] {
  const wrong: string[] = [];
  if (longerThan(value, labelBytesMax)) wrong.push('must be no more than 63 characters');
  if (!dns1035LabelPattern.test(value)) wrong.push(dns1035Text);
  return wrong;
}

/** A qualified name, `[prefix/]name`: label keys, annotation keys (in lower case), finalizers. */
export function checkLabelKey(value: string): string[] {
  const parts = value.split('/', 3);
  const [first = '', second] = parts;
  if (parts.length > 2) {
    return [
      `a valid label key ${keyNameText} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  return second === undefined ? checkKeyName(first) : [...checkKeyPrefix(first), ...checkKeyName(second)];
}

function checkKeyPrefix(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  return checkSubdomain(prefix, 'bytes').map((text) => `prefix part ${text}`);
}

function checkKeyName(name: string): string[] {
  const wrong: string[] = [];
  if (name === '') wrong.push('name part must be non-empty');
  else if (longerThan(name, labelBytesMax)) wrong.push('name part must be no more than 63 bytes');
  if (!keyNamePattern.test(name)) wrong.push(`name part ${keyNameText}`);
  return wrong;
}

/** The value of a label; may be empty. */
export function checkLabelValue(value: string): string[] {
  const wrong: string[] = [];
  if (longerThan(value, labelBytesMax)) wrong.push('must be no more than 63 bytes');
  if (!labelValuePattern.test(value)) wrong.push(labelValueText);
  return wrong;
}

/** A name that must be one segment of a URL path: the minimum for every name. */
export function checkPathSegment(value: string): string[] {
  if (value === '.' || value === '..') return [`may not be '${value}'`];
  return checkPathSegmentPrefix(value);
}

/** The prefix of such a name: `.` and `..` are valid, because more follows. */
export function checkPathSegmentPrefix(value: string): string[] {
  return ['/', '%'].filter((part) => value.includes(part)).map((part) => `may not contain '${part}'`);
}

/**
 * A `generateName` prepared for validation: a final dash and the character before it are replaced by an `a`.
 * Replacing two characters is an old bug of Kubernetes that clients may rely on: `x_-` is valid.
 */
export function maskTrailingDash(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix;
}

/** The name validation of a kind: for whole names, and for the prefixes in `generateName`. */
export interface NameRule {
  checkName(name: string): string[];
  checkPrefix(prefix: string): string[];
}

function masked(check: (value: string) => string[]): NameRule {
  return Object.freeze({
    checkName: check,
    checkPrefix: (prefix: string) => check(maskTrailingDash(prefix)),
  });
}

/** Names that are DNS subdomains: custom resources. */
export const dnsSubdomainName: NameRule = masked(checkDnsSubdomain);
/** {@link dnsSubdomainName} with the message of upstream's declarative validation. */
export const declaredLongName: NameRule = masked((name) => checkSubdomain(name, 'bytes'));
/** Names that are DNS labels: namespaces. */
export const dnsLabelName: NameRule = masked(checkDnsLabel);
/** Names that must be one URL path segment: the check of every update. */
export const pathSegmentName: NameRule = Object.freeze({
  checkName: checkPathSegment,
  checkPrefix: checkPathSegmentPrefix,
});
