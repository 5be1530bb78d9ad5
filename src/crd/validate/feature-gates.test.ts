import { describe, expect, test } from 'vitest';
import { fieldErrorText, type JsonObject, type KubeObject } from '../../meta/index.ts';
import { fooCrd, gates, versionNamed } from '../example.test-data.ts';
import { prepareCrdForCreate } from '../prepare.ts';
import { validateCrd } from './validate-crd.ts';

const base = 'spec.customFeatureGates.featureGates';

function crdWith(featureGates: JsonObject[], schema?: JsonObject): KubeObject {
  const version = versionNamed('v1', {
    storage: true,
    ...(schema === undefined ? {} : { schema: { openAPIV3Schema: schema } }),
  });
  const crd = fooCrd({ customFeatureGates: { featureGates }, versions: [version] });
  prepareCrdForCreate(crd, gates);
  return crd;
}

function verdict(featureGates: JsonObject[], schema?: JsonObject) {
  const { errors, warnings } = validateCrd(crdWith(featureGates, schema), undefined, { gates });
  return { errors: errors.map(fieldErrorText), warnings };
}

/** The errors about gates when a CRD with these gates gets others. */
function changeErrors(before: JsonObject[], after: JsonObject[]): string[] {
  const { errors } = validateCrd(crdWith(after), crdWith(before), { gates });
  return errors.map(fieldErrorText).filter((text) => text.startsWith(base));
}

const gate = (change: JsonObject): JsonObject => ({
  name: 'Colors',
  preRelease: 'alpha',
  fieldPaths: ['.spec.color'],
  ...change,
});

const supported = 'supported values: "alpha", "beta", "stable", "deprecated"';
const deprecated = { preRelease: 'deprecated', default: false };

const table: readonly [string, JsonObject, readonly string[]][] = [
  ['alpha', {}, []],
  ['a name is needed', { name: '' }, ['[0].name: Required value']],
  ['a stage is needed', { preRelease: '' }, ['[0].preRelease: Required value']],
  ['one of four', { preRelease: 'gamma' }, [`[0].preRelease: Unsupported value: "gamma": ${supported}`]],
  ['alpha, default false', { default: false }, []],
  [
    'alpha, default true',
    { default: true },
    ['[0].default: Invalid value: true: must be false when preRelease is alpha'],
  ],
  ['beta, no default', { preRelease: 'beta' }, []],
  [
    'beta, default true',
    { preRelease: 'beta', default: true },
    ['[0].default: Invalid value: true: must be false when preRelease is beta'],
  ],
  ['stable, default true', { preRelease: 'stable', default: true }, []],
  [
    'stable, default false',
    { preRelease: 'stable', default: false },
    ['[0].default: Invalid value: false: must be true when preRelease is stable'],
  ],
  ['deprecated, default false', deprecated, []],
  ['deprecated, default true', { preRelease: 'deprecated', default: true }, []],
  [
    'deprecated, no default',
    { preRelease: 'deprecated' },
    ['[0].default: Required value: must be specified when preRelease is deprecated'],
  ],
  ['a warning', { ...deprecated, fieldDeprecationWarning: 'no more' }, []],
  [
    'a warning too early',
    { fieldDeprecationWarning: 'no more' },
    ['[0].fieldDeprecationWarning: Invalid value: "no more": can only be set when preRelease is deprecated'],
  ],
  [
    'a warning of nothing',
    { ...deprecated, fieldDeprecationWarning: '' },
    ['[0].fieldDeprecationWarning: Invalid value: "": must not be an empty string'],
  ],
  [
    'a warning of two lines',
    { ...deprecated, fieldDeprecationWarning: 'a\nb' },
    [
      '[0].fieldDeprecationWarning: Invalid value: "a\\nb": must only contain printable UTF-8 characters; non-printable character found at index 1',
    ],
  ],
  ['no path', { fieldPaths: [] }, ['[0].fieldPaths: Required value: must have at least one path']],
  ['an empty path', { fieldPaths: [''] }, ['[0].fieldPaths[0]: Required value']],
  [
    'no leading dot',
    { fieldPaths: ['spec.color'] },
    ['[0].fieldPaths[0]: Invalid value: "spec.color": must be a simple json path starting with .'],
  ],
  ...['.', '.spec..color', '.spec.', '.spec[0]', ".spec['color']", '.spec.*'].map(
    (path): [string, JsonObject, readonly string[]] => [
      `not in the dot notation: ${path}`,
      { fieldPaths: [path] },
      [`[0].fieldPaths[0]: Invalid value: "${path}": must be a json path in the dot notation`],
    ],
  ),
  ...['.metadata', '.metadata.labels', '.kind', '.apiVersion'].map(
    (path): [string, JsonObject, readonly string[]] => [
      `not for gates: ${path}`,
      { fieldPaths: [path] },
      [`[0].fieldPaths[0]: Invalid value: "${path}": must not point to apiVersion, kind or metadata`],
    ],
  ),
];

describe('one gate', () => {
  test.each(table)('%s', (_, change, errors) => {
    expect(verdict([gate(change)]).errors).toEqual(errors.map((text) => base + text));
  });
});

test('no two gates have one name, or guard one field', () => {
  expect(
    verdict([gate({}), gate({ fieldPaths: ['.spec.replicas', '.spec.replicas', '.spec.color'] })]).errors,
  ).toEqual([
    `${base}[1].name: Duplicate value: "Colors"`,
    `${base}[1].fieldPaths[1]: Duplicate value: ".spec.replicas"`,
    `${base}[1].fieldPaths[2]: Duplicate value: ".spec.color"`,
  ]);
});

test('a gate may stand above another', () => {
  expect(verdict([gate({ fieldPaths: ['.spec'] }), gate({ name: 'Inner' })])).toEqual({
    errors: [],
    warnings: [],
  });
});

describe('texts that reach headers, metrics and documents', () => {
  const nameText = /must be no more than 63 bytes|a valid label must be an empty string or consist of/;

  test.each(['a b', 'a\nb', 'a"', '-a', 'é', 'x'.repeat(2000)])('no gate is called %j', (name) => {
    const { errors } = verdict([gate({ name })]);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(`${base}[0].name: Invalid value: `);
    expect(errors[0]).toMatch(nameText);
  });

  test.each(['Colors', 'a', 'My.Gate_v2-x', 'x'.repeat(63)])('one may be called %s', (name) => {
    expect(verdict([gate({ name })]).errors).toEqual([]);
  });

  const componentErrors = (component: string, stored?: string) => {
    const crdOf = (text: string) => {
      const crd = crdWith([gate({})]);
      (crd['spec'] as JsonObject)['customFeatureGates'] = { component: text, featureGates: [gate({})] };
      return crd;
    };
    const old = stored === undefined ? undefined : crdOf(stored);
    return validateCrd(crdOf(component), old, { gates })
      .errors.map(fieldErrorText)
      .filter((text) => text.startsWith('spec.custom'));
  };

  test('a component is named like a key of labels; a stored one may stay', () => {
    for (const component of ['istio', 'example.com/istio', ''])
      expect(componentErrors(component)).toEqual([]);
    expect(componentErrors('a b')).toHaveLength(1);
    expect(componentErrors('x'.repeat(2000))[0]).toContain(
      'spec.customFeatureGates.component: Invalid value: "xxx',
    );
    expect(componentErrors('a\nb', 'a\nb')).toEqual([]);
  });
});

test('there must be a gate, unless there was none before', () => {
  const error = `${base}: Required value: must have at least one gate`;
  expect(verdict([]).errors).toEqual([error]);
  expect(changeErrors([gate({})], [])).toEqual([error]);
  expect(changeErrors([], [])).toEqual([]);
});

describe('a gate that does not do what one would think draws a warning', () => {
  test('a path that the schema does not have', () => {
    expect(verdict([gate({ fieldPaths: ['.spec.color', '.spec.colour'] })])).toEqual({
      errors: [],
      warnings: [
        `${base}[0].fieldPaths[1]: ".spec.colour" is not a field of the storage version v1: the gate has no effect`,
      ],
    });
  });

  test('not where unknown fields are kept', () => {
    const schema = {
      type: 'object',
      properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    };
    expect(verdict([gate({})], schema).warnings).toEqual([]);
  });

  test('a required field', () => {
    const schema = {
      type: 'object',
      properties: {
        spec: { type: 'object', required: ['color'], properties: { color: { type: 'string' } } },
      },
    };
    expect(verdict([gate({})], schema)).toEqual({
      errors: [],
      warnings: [
        `${base}[0].fieldPaths[0]: ".spec.color" is a required field: no object can be created while the gate is disabled`,
      ],
    });
    expect(verdict([gate({ preRelease: 'stable' })], schema).warnings).toEqual([]);
  });
});

describe('a gated field that something needs draws a warning', () => {
  const at = `${base}[0].fieldPaths[0]: ".spec.color"`;
  const text = { type: 'string' };
  const item = { type: 'object', properties: { color: text, size: text } };
  const warningsOf = (more: JsonObject, path = '.spec.color') => {
    const list = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['size'],
      items: { ...item, required: ['size'] },
    };
    const spec = { type: 'object', properties: { color: text, size: text, list }, ...more };
    return verdict([gate({ fieldPaths: [path] })], { type: 'object', properties: { spec } }).warnings;
  };
  const needs = (...fields: string[]) => ({ required: fields });
  const always = `${at} is a required field: no object can be created while the gate is disabled`;
  const branch = `${at} is required by a branch of anyOf or oneOf: no object gets in by it while the gate is disabled`;

  test.each<[string, JsonObject, string[]]>([
    ['allOf', { allOf: [needs('size'), needs('color')] }, [always]],
    ['a branch of anyOf', { anyOf: [needs('size'), needs('color')] }, [branch]],
    ['a branch of oneOf', { oneOf: [needs('color'), needs('size')] }, [branch]],
    ['every branch', { oneOf: [needs('color'), needs('color', 'size')] }, [always]],
    ['another field', { anyOf: [needs('size')], allOf: [needs('list')] }, []],
  ])('%s', (_, more, expected) => {
    expect(warningsOf(more)).toEqual(expected);
  });

  const rule = (text: string) => ({ 'x-kubernetes-validations': [{ rule: text }] });
  const read = (text: string, path = '.spec.color') =>
    `${base}[0].fieldPaths[0]: "${path}" is read by the rule ${JSON.stringify(text)} without has(): it fails while the gate is disabled`;

  test.each([
    'self.color != "red"',
    'has(self.size) && self.color == self.size',
    'oldSelf.color == ""',
    '[self].all(x, self.color != "")',
  ])('the rule %s', (text) => {
    expect(warningsOf(rule(text))).toEqual([read(text)]);
  });

  test.each([
    '!has(self.color) || self.color != "red"',
    'self.?color.orValue("") != "red"',
    'self.size != "red"',
    'self.color(',
  ])('not the rule %s', (text) => {
    expect(warningsOf(rule(text)).filter((one) => one.includes('is read by'))).toEqual([]);
  });

  test('in items too', () => {
    const path = '.spec.list[*].color';
    const text = 'self.list.all(x, x.color != "")';
    expect(warningsOf(rule(text), path)).toEqual([read(text, path)]);
    expect(warningsOf(rule('self.list[0].color == ""'), path)).toEqual([
      read('self.list[0].color == ""', path),
    ]);
    expect(warningsOf(rule('self.list.all(x, !has(x.color) || x.color != "")'), path)).toEqual([]);
  });
});

describe('a state that makes no difference draws a warning', () => {
  test('a stable gate that is disabled', () => {
    expect(verdict([gate({ preRelease: 'stable', enabled: false })]).warnings).toEqual([
      `${base}[0].enabled: false has no effect: a stable gate is enabled`,
    ]);
    expect(verdict([gate({ preRelease: 'stable', enabled: true })]).warnings).toEqual([]);
  });

  test('a gate that is enabled in one that is not', () => {
    const inner = gate({ name: 'Inner', enabled: true });
    expect(verdict([gate({ fieldPaths: ['.spec'] }), inner]).warnings).toEqual([
      `${base}[1].enabled: true has no effect while feature gate "Colors", which it is nested in, is disabled`,
    ]);
    expect(verdict([gate({ fieldPaths: ['.spec'], enabled: true }), inner]).warnings).toEqual([]);
  });
});

describe('on update, what is wrong with a stored gate may stay so', () => {
  const wrong = gate({ name: 'Wrong', preRelease: 'gamma', fieldPaths: ['spec.replicas'] });
  const wrongTexts = (index: number) => [
    `${base}[${index}].preRelease: Unsupported value: "gamma": ${supported}`,
    `${base}[${index}].fieldPaths[0]: Invalid value: "spec.replicas": must be a simple json path starting with .`,
  ];

  test('while the gate stays as it is, wherever it stands', () => {
    expect(changeErrors([wrong], [wrong])).toEqual([]);
    expect(changeErrors([wrong], [gate({}), wrong])).toEqual([]);
  });

  test('not in another gate, nor in one that changes', () => {
    expect(changeErrors([gate({})], [gate({}), wrong])).toEqual(wrongTexts(1));
    expect(changeErrors([wrong], [{ ...wrong, enabled: true }])).toEqual(wrongTexts(0));
    expect(changeErrors([wrong], [{ ...wrong, name: 'Other' }])).toEqual(wrongTexts(0));
  });

  test('a name or a path that a stored gate has is taken, wherever the new gate stands', () => {
    const more = gate({ enabled: true });
    expect(changeErrors([gate({})], [more, gate({})])).toEqual([
      `${base}[0].name: Duplicate value: "Colors"`,
      `${base}[0].fieldPaths[0]: Duplicate value: ".spec.color"`,
    ]);
    expect(changeErrors([gate({})], [gate({}), gate({})])).toEqual([
      `${base}[1].name: Duplicate value: "Colors"`,
      `${base}[1].fieldPaths[0]: Duplicate value: ".spec.color"`,
    ]);
    expect(changeErrors([gate({}), gate({})], [gate({}), gate({})])).toEqual([]);
  });
});
