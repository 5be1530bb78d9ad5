import { isError } from '../../values/cel-error.ts';
import { readText } from '../../data/scalars.ts';
import { parseRequestUri } from '../url/go-url.ts';

/** A string format. */
export interface NamedFormat {
  readonly name: string;
  /** The errors of a string; empty if it has the format. */
  readonly validate: (text: string) => string[];
  /** The pattern length used for the cost of a check. */
  readonly patternSize: number;
}

const labelPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainPattern = `${labelPattern}(\\.${labelPattern})*`;
const label1035Pattern = '[a-z]([-a-z0-9]*[a-z0-9])?';
const qualifiedNamePattern = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValuePattern = `(${qualifiedNamePattern})?`;

/** The message for a pattern, with examples. */
function patternMessage(rule: string, pattern: string, ...examples: string[]): string {
  const shown = examples.map((example) => `'${example}'`).join(',  or ');
  const lead = examples.length === 0 ? '(regex' : `(e.g. ${shown}, regex`;
  return `${rule} ${lead} used for validation is '${pattern}')`;
}

interface PatternRule {
  readonly pattern: string;
  readonly message: string;
  readonly maxLength: number;
}

const label: PatternRule = {
  pattern: labelPattern,
  maxLength: 63,
  message: patternMessage(
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
    labelPattern,
    'my-name',
    '123-abc',
  ),
};
const subdomain: PatternRule = {
  pattern: subdomainPattern,
  maxLength: 253,
  message: patternMessage(
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
    subdomainPattern,
    'example.com',
  ),
};
const label1035: PatternRule = {
  pattern: label1035Pattern,
  maxLength: 63,
  message: patternMessage(
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
    label1035Pattern,
    'my-name',
    'abc-123',
  ),
};
const labelValue: PatternRule = {
  pattern: labelValuePattern,
  maxLength: 63,
  message: patternMessage(
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    labelValuePattern,
    'MyValue',
    'my_value',
    '12345',
  ),
};
const namePart: PatternRule = {
  pattern: qualifiedNamePattern,
  maxLength: 63,
  message: patternMessage(
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    qualifiedNamePattern,
    'MyName',
    'my.name',
    '123-abc',
  ),
};

/** Checks length and pattern. All patterns are unambiguous, and therefore linear. */
function checker({ pattern, message, maxLength }: PatternRule): (text: string) => string[] {
  const whole = new RegExp(`^(?:${pattern})$`);
  return (text) => {
    const problems: string[] = [];
    if (Buffer.byteLength(text) > maxLength) problems.push(`must be no more than ${maxLength} characters`);
    if (!whole.test(text) || text.endsWith('\n')) problems.push(message);
    return problems;
  };
}

/** The same for a prefix of a longer name, which may end in a dash. */
function prefixChecker(rule: PatternRule): (text: string) => string[] {
  const check = checker(rule);
  return (text) => check(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);
}

const checkSubdomain = checker(subdomain);
const checkNamePart = checker(namePart);

function checkQualifiedName(text: string): string[] {
  const parts = text.split('/');
  const [first = '', second] = parts;
  if (parts.length > 2) {
    const lead =
      "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
    const form = patternMessage(lead, qualifiedNamePattern, 'MyName', 'my.name', '123-abc');
    return [`${form} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const problems: string[] = [];
  if (second !== undefined) {
    if (first === '') problems.push('prefix part must be non-empty');
    else problems.push(...checkSubdomain(first).map((problem) => `prefix part ${problem}`));
  }
  const name = second ?? first;
  if (name === '') problems.push('name part must be non-empty');
  return [...problems, ...checkNamePart(name).map((problem) => `name part ${problem}`)];
}

function unless(holds: (text: string) => boolean, problem: string): (text: string) => string[] {
  return (text) => (holds(text) ? [] : [problem]);
}

function isDate(text: string): boolean {
  return !isError(readText('date', text));
}

function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date)) return false;
  const match = /^(\d\d):(\d\d):(\d\d)(?:.\d+)?(?:z|[+-]\d\d:\d\d)$/.exec(time);
  const [, hour = '99', minute = '99', second = '99'] = match ?? [];
  return hour <= '23' && minute <= '59' && second <= '59';
}

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;

const dateTimePatternSize = 71;

/** The formats by their names in expressions. */
export const namedFormats: ReadonlyMap<string, NamedFormat> = new Map([
  ['dns1123Label', { name: 'DNS1123Label', validate: checker(label), patternSize: 30 }],
  ['dns1123Subdomain', { name: 'DNS1123Subdomain', validate: checkSubdomain, patternSize: 60 }],
  ['dns1035Label', { name: 'DNS1035Label', validate: checker(label1035), patternSize: 30 }],
  ['qualifiedName', { name: 'QualifiedName', validate: checkQualifiedName, patternSize: 60 }],
  ['dns1123LabelPrefix', { name: 'DNS1123LabelPrefix', validate: prefixChecker(label), patternSize: 30 }],
  [
    'dns1123SubdomainPrefix',
    { name: 'DNS1123SubdomainPrefix', validate: prefixChecker(subdomain), patternSize: 60 },
  ],
  ['dns1035LabelPrefix', { name: 'DNS1035LabelPrefix', validate: prefixChecker(label1035), patternSize: 30 }],
  ['labelValue', { name: 'LabelValue', validate: checker(labelValue), patternSize: 40 }],
  [
    'uri',
    {
      name: 'URI',
      validate: (text) => {
        const parsed = parseRequestUri(text);
        return isError(parsed) ? [parsed.message] : [];
      },
      patternSize: 1103,
    },
  ],
  [
    'uuid',
    {
      name: 'uuid',
      validate: unless((text) => uuid.test(text) && !text.endsWith('\n'), 'does not match the UUID format'),
      patternSize: 70,
    },
  ],
  [
    'byte',
    {
      name: 'byte',
      validate: unless((text) => base64.test(text) && !text.endsWith('\n'), 'invalid base64'),
      patternSize: 84,
    },
  ],
  ['date', { name: 'date', validate: unless(isDate, 'invalid date'), patternSize: dateTimePatternSize }],
  [
    'datetime',
    { name: 'datetime', validate: unless(isDateTime, 'invalid datetime'), patternSize: dateTimePatternSize },
  ],
]);
