import {
  checkDnsSubdomain,
  type FieldError,
  invalid,
  isObject,
  type JsonObject,
  own,
  required,
} from '../../meta/index.ts';
import { dataKeyTexts } from './data-key.ts';
import { eachIn, invalidAs, requiredAs, textAt } from './field-checks.ts';

/** The environment of a container. Source: kubernetes, pkg/apis/core/validation, ValidateEnv. */

const nameForm = /^[ -<>-~]+$/;
const nameText =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";
const nameTexts = (name: string) => (nameForm.test(name) ? [] : [nameText]);

export function variableErrors(container: JsonObject, path: string): FieldError[] {
  const list = `${path}.envFrom`;
  return [
    ...eachIn(path, container, 'env', (variable, at) => [
      ...(textAt(variable, 'name') === ''
        ? [required(`${at}.name`)]
        : invalidAs(`${at}.name`, textAt(variable, 'name'), nameTexts)),
      ...valueErrors(variable, `${at}.valueFrom`),
    ]),
    ...eachIn(path, container, 'envFrom', (source, at) => allVariablesErrors(source, at, list)),
  ];
}

type SourceCheck = (source: JsonObject, path: string) => readonly FieldError[];

const keyErrors: SourceCheck = (source, path) => [
  ...invalidAs(`${path}.name`, textAt(source, 'name'), checkDnsSubdomain),
  ...requiredAs(`${path}.key`, textAt(source, 'key'), dataKeyTexts),
];

const sources: ReadonlyMap<string, SourceCheck> = new Map<string, SourceCheck>([
  ['fieldRef', fieldErrors],
  [
    'resourceFieldRef',
    (source, path) => (textAt(source, 'resource') === '' ? [required(`${path}.resource`)] : []),
  ],
  ['configMapKeyRef', keyErrors],
  ['secretKeyRef', keyErrors],
  ['fileKeyRef', () => []],
]);

const none =
  'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';

function valueErrors(variable: JsonObject, path: string): FieldError[] {
  const value = own(variable, 'valueFrom');
  if (!isObject(value)) return [];
  const given = [...sources].filter(([field]) => isObject(own(value, field)));
  const errors = given.flatMap(([field, check]) => {
    const source = own(value, field);
    return isObject(source) ? check(source, `${path}.${field}`) : [];
  });
  if (given.length === 0) return [invalid(path, '', none)];
  if (textAt(variable, 'value') !== '') {
    return [...errors, invalid(path, '', 'may not be specified when `value` is not empty')];
  }
  const several = 'may not have more than one field specified at a time';
  return given.length === 1 ? errors : [...errors, invalid(path, '', several)];
}

/** The pod fields that variables may reference. */
const fields: ReadonlySet<string> = new Set([
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]);

function fieldErrors(source: JsonObject, path: string): FieldError[] {
  const field = textAt(source, 'fieldPath');
  if (field === '') return [required(`${path}.fieldPath`)];
  if (fields.has(field) || /^metadata\.(labels|annotations)\['.+'\]$/.test(field)) return [];
  const why = `error converting fieldPath: field label not supported: ${field}`;
  return [invalid(`${path}.fieldPath`, field, why)];
}

function allVariablesErrors(source: JsonObject, path: string, list: string): FieldError[] {
  const prefix = textAt(source, 'prefix');
  const given = ['configMapRef', 'secretRef'].filter((field) => isObject(own(source, field)));
  const count =
    given.length === 0
      ? 'must specify one of: `configMapRef` or `secretRef`'
      : 'may not have more than one field specified at a time';
  return [
    ...(prefix === '' ? [] : invalidAs(`${path}.prefix`, prefix, nameTexts)),
    ...given.flatMap((field) => {
      const from = own(source, field);
      const name = isObject(from) ? textAt(from, 'name') : '';
      return name === ''
        ? [required(`${path}.${field}.name`)]
        : invalidAs(`${path}.${field}.name`, name, checkDnsSubdomain);
    }),
    // Upstream names the list.
    ...(given.length === 1 ? [] : [invalid(list, '', count)]),
  ];
}
