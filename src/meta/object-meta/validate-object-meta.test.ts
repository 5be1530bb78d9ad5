import { describe, expect, test } from 'vitest';
import { fieldErrorText } from '../refusal/field-error.ts';
import { FieldPath } from '../refusal/field-path.ts';
import { dnsSubdomainName } from '../names/names.ts';
import type { JsonObject } from '../value/value.ts';
import { validateObjectMetaCreate, validateObjectMetaUpdate } from './validate-object-meta.ts';

const name = { name: 'a' };
const create = (meta: JsonObject) =>
  validateObjectMetaCreate(meta, { namespaced: false, names: dnsSubdomainName }).map(fieldErrorText);
const createNamespaced = (meta: JsonObject) =>
  validateObjectMetaCreate({ ...name, ...meta }, { namespaced: true, names: dnsSubdomainName }).map(
    fieldErrorText,
  );

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const key =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const labelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

describe('metadata on create', () => {
  test.each<[JsonObject, string[]]>([
    [name, []],
    [{}, ['metadata.name: Required value: name or generateName is required']],
    [{ name: 'A' }, [`metadata.name: Invalid value: "A": ${subdomain}`]],
    [{ ...name, generateName: 'web-' }, []],
    [
      { name: 'A-x', generateName: 'A-A-' },
      [
        `metadata.generateName: Invalid value: "A-A-": ${subdomain}`,
        `metadata.name: Invalid value: "A-x": ${subdomain}`,
      ],
    ],
    [{ ...name, namespace: 'x' }, ['metadata.namespace: Forbidden: not allowed on this type']],
    [
      { ...name, generation: -1 },
      ['metadata.generation: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      { ...name, labels: { 'x y': '-' } },
      [`metadata.labels: Invalid value: "x y": ${key}`, `metadata.labels: Invalid value: "-": ${labelValue}`],
    ],
    [
      { ...name, labels: JSON.parse('{"__proto__":"a"}') },
      [`metadata.labels: Invalid value: "__proto__": ${key}`],
    ],
    [{ ...name, annotations: { 'Example.COM/Key': 'any\nthing' } }, []],
    [{ ...name, annotations: { 'X Y': '' } }, [`metadata.annotations: Invalid value: "X Y": ${key}`]],
    [{ ...name, annotations: { abcd: 'a'.repeat(262_140) } }, []],
    [
      { ...name, annotations: { abcd: 'a'.repeat(262_141) } },
      ['metadata.annotations: Too long: may not be more than 262144 bytes'],
    ],
    [{ ...name, finalizers: ['example.com/a', 'plain'] }, []],
    [{ ...name, finalizers: ['x y'] }, [`metadata.finalizers: Invalid value: "x y": ${key}`]],
    [
      { ...name, finalizers: ['orphan', 'foregroundDeletion'] },
      [
        'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
      ],
    ],
    [
      { ...name, managedFields: [{}, { operation: 'x', fieldsType: 'V2', manager: '\n' }] },
      [
        'metadata.managedFields[0].operation: Required value: must not be empty',
        'metadata.managedFields[1].operation: Unsupported value: "x": supported values: "Apply", "Update"',
        'metadata.managedFields[1].fieldsType: Invalid value: "V2": must be `FieldsV1`',
        'metadata.managedFields[1].manager: Invalid value: "\\n": invalid character U+000A (at position 0)',
      ],
    ],
    [
      { ...name, managedFields: [{ operation: 'Apply', subresource: 'a'.repeat(257) }] },
      ['metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes'],
    ],
  ])('%#', (meta, errors) => expect(create(meta)).toEqual(errors));

  test.each<[JsonObject, string[]]>([
    [{ namespace: 'ns' }, []],
    [{}, ['metadata.namespace: Required value']],
    [{ namespace: 'n.s' }, ['metadata.namespace: Invalid value: "n.s": must not contain dots']],
    [{ namespace: 'N' }, [`metadata.namespace: Invalid value: "N": ${label}`]],
  ])('in a namespace: %j', (meta, errors) => expect(createNamespaced(meta)).toEqual(errors));

  test('everything at once, in order', () => {
    const wrong = {
      generateName: '_',
      namespace: 'x',
      generation: -1,
      labels: { '': '' },
      annotations: { '': '' },
      ownerReferences: [{}],
      finalizers: [''],
      managedFields: [{}],
    };
    const fields = validateObjectMetaCreate(wrong, {
      namespaced: false,
      names: dnsSubdomainName,
      path: FieldPath.of('m'),
    }).map((error) => error.field);
    expect([...new Set(fields)]).toEqual([
      'm.generateName',
      'm.name',
      'm.namespace',
      'm.generation',
      'm.labels',
      'm.annotations',
      'm.ownerReferences[0].apiVersion',
      'm.ownerReferences[0].kind',
      'm.ownerReferences[0].name',
      'm.ownerReferences[0].uid',
      'm.finalizers',
      'm.managedFields[0].operation',
    ]);
  });
});

describe('metadata on update', () => {
  const old = {
    name: 'a',
    uid: 'u',
    resourceVersion: '1',
    generation: 2,
    creationTimestamp: '2026-01-01T00:00:00Z',
  };
  const update = (changes: JsonObject, before: JsonObject = old) =>
    validateObjectMetaUpdate({ ...before, ...changes }, before, { namespaced: false }).map(fieldErrorText);

  test.each<[JsonObject, string[]]>([
    [{}, []],
    [{ creationTimestamp: '2026-01-01T01:00:00+01:00' }, []],
    [{ name: 'b' }, ['metadata.name: Invalid value: "b": field is immutable']],
    [{ uid: '<v>' }, ['metadata.uid: Invalid value: "\\u003cv\\u003e": field is immutable']],
    [
      { resourceVersion: '' },
      ['metadata.resourceVersion: Invalid value: "": must be specified for an update'],
    ],
    [{ generation: 1 }, ['metadata.generation: Invalid value: 1: must not be decremented']],
    [{ creationTimestamp: null }, ['metadata.creationTimestamp: Invalid value: null: field is immutable']],
    [
      { creationTimestamp: '2026-01-01T03:00:00+01:00' },
      ['metadata.creationTimestamp: Invalid value: "2026-01-01T02:00:00Z": field is immutable'],
    ],
    [
      { deletionTimestamp: '2026-01-02T00:00:00Z', deletionGracePeriodSeconds: 0 },
      [
        'metadata.deletionTimestamp: Invalid value: "2026-01-02T00:00:00Z": field is immutable',
        'metadata.deletionGracePeriodSeconds: Invalid value: 0: field is immutable',
      ],
    ],
    [{ finalizers: ['new'] }, []],
  ])('%j', (changes, errors) => expect(update(changes)).toEqual(errors));

  test('a name that only fits into a path may stay', () => {
    expect(update({}, { ...old, name: 'Old_Name' })).toEqual([]);
    expect(update({}, { ...old, name: 'a/b' })).toEqual([
      'metadata.name: Invalid value: "a/b": may not contain \'/\'',
    ]);
  });

  test('an object that is being deleted gets no new finalizers', () => {
    const deleting = { ...old, deletionTimestamp: '2026-01-02T00:00:00Z', finalizers: ['x', 'y'] };
    expect(update({ finalizers: ['y'] }, deleting)).toEqual([]);
    expect(update({ finalizers: ['x', 'z', '"'] }, deleting).at(-1)).toBe(
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"\\"", "z"}',
    );
  });

  test('what a create checks comes twice, for two layers of upstream look at it', () => {
    expect(update({ labels: { a: '-' } })).toEqual([
      `metadata.labels: Invalid value: "-": ${labelValue}`,
      `metadata.labels: Invalid value: "-": ${labelValue}`,
    ]);
  });
});
