import { describe, expect, test } from 'vitest';
import { type JsonObject, parseFeatureGates } from '../../src/meta/index.ts';
import {
  type Crons,
  cron,
  cronCrd,
  cronsPath,
  cronVersion,
  crdPath,
  mergePatch,
  startCrons,
} from './gated.test-support.ts';

/** Gates on values of enums and on rules, and rules that ask for gates. */

const one = `${cronsPath()}/one`;
const collection = crdPath.replace(/\/[^/]*$/, '');
const pink = { name: 'Pink', preRelease: 'alpha', fieldPaths: [] };
const text = { type: 'string' };
const gatedEnum = {
  ...text,
  enum: ['red', 'blue', 'pink'],
  'x-kubernetes-enum-feature-gates': [{ featureGate: 'Pink', values: ['pink'] }],
};
const versionOf = (spec: JsonObject, rules: JsonObject[] = []) =>
  cronVersion('v1', {
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', properties: spec, 'x-kubernetes-validations': rules },
        },
      },
    },
  });
const start = (spec: JsonObject, rules: JsonObject[] = [], gates: JsonObject[] = [pink]) =>
  startCrons({ crds: [cronCrd(gates, [versionOf(spec, rules)])] });
const create = ({ call }: Crons, name: string, spec: JsonObject) =>
  call('POST', cronsPath(), cron(name, { spec }));
const patch = ({ call }: Crons, spec: JsonObject) => call('PATCH', one, { spec }, mergePatch);

describe('a value of an enum', () => {
  const refusal =
    'CronTab.stable.example.com "one" is invalid: spec.color: Unsupported value: "pink": supported values: "red", "blue"';

  test('counts only while its gate is on; what is stored may stay', async () => {
    await using crons = await start({ color: gatedEnum, image: text });
    const refused = await create(crons, 'one', { color: 'pink' });
    expect({ code: refused.code, message: refused.body.message }).toEqual({ code: 422, message: refusal });
    expect((await create(crons, 'two', { color: 'red' })).code).toBe(201);
    await crons.turn({ Pink: true });
    expect((await create(crons, 'one', { color: 'pink' })).code).toBe(201);
    await crons.turn({ Pink: false });
    expect((await patch(crons, { image: 'a' })).body.spec).toEqual({ color: 'pink', image: 'a' });
    expect((await patch(crons, { color: 'blue' })).code).toBe(200);
    expect((await patch(crons, { color: 'pink' })).body.message).toBe(refusal);
  });

  test('in items and entries as well', async () => {
    await using crons = await start({
      colors: { type: 'array', items: gatedEnum },
      named: { type: 'object', additionalProperties: gatedEnum },
    });
    const { body } = await create(crons, 'one', { colors: ['red', 'pink'], named: { a: 'pink' } });
    expect(body.details.causes.map(({ field }: JsonObject) => field)).toEqual([
      'spec.colors[1]',
      'spec.named.a',
    ]);
  });

  test('is published while it counts', async () => {
    await using crons = await start({ color: gatedEnum });
    const published = async () => {
      const { body } = await crons.call('GET', '/openapi/v3/apis/stable.example.com/v1');
      return body.components.schemas['com.example.stable.v1.CronTab'].properties.spec.properties.color;
    };
    expect(await published()).toEqual({ ...text, enum: ['red', 'blue'] });
    await crons.turn({ Pink: true });
    expect(await published()).toEqual({ ...text, enum: ['red', 'blue', 'pink'] });
  });
});

describe('a rule', () => {
  test('with a gate is judged by only while the gate is on', async () => {
    const rules = [
      { rule: 'self.color != "red"', message: 'not red', featureGate: 'Pink' },
      { rule: 'self.color != "blue"', message: 'not blue' },
    ];
    await using crons = await start({ color: text }, rules);
    expect((await create(crons, 'one', { color: 'red' })).code).toBe(201);
    expect((await create(crons, 'two', { color: 'blue' })).body.message).toContain('not blue');
    await crons.turn({ Pink: true });
    expect((await create(crons, 'two', { color: 'red' })).body.message).toContain('not red');
  });

  test('asks for gates, in its message too, and shows itself as it is written', async () => {
    const asks = "featureGates.enabled('Pink') || self.color != 'pink'";
    const rules = [
      { rule: asks },
      {
        rule: "self.color != 'x'",
        messageExpression: "featureGates.enabled('Pink') ? 'pink is on' : 'pink is off'",
      },
    ];
    await using crons = await start({ color: text }, rules);
    const refused = await create(crons, 'one', { color: 'pink' });
    expect(refused.body.message).toBe(
      `CronTab.stable.example.com "one" is invalid: spec: Invalid value: failed rule: ${asks}`,
    );
    expect((await create(crons, 'one', { color: 'x' })).body.message).toContain('pink is off');
    await crons.turn({ Pink: true });
    expect((await create(crons, 'one', { color: 'pink' })).code).toBe(201);
  });

  test('sees the gate as it counts: off while one that it is nested in is', async () => {
    const outer = { name: 'Outer', preRelease: 'alpha', fieldPaths: ['.spec.outer'] };
    const inner = { name: 'Pink', preRelease: 'alpha', enabled: true, fieldPaths: ['.spec.outer.inner'] };
    const rules = [{ rule: "featureGates.enabled('Pink')", message: 'pink is off' }];
    const outerSchema = { type: 'object', properties: { inner: text } };
    await using crons = await start({ outer: outerSchema }, rules, [outer, inner]);
    expect((await create(crons, 'one', {})).body.message).toContain('pink is off');
    await crons.turn({ Outer: true });
    expect((await create(crons, 'one', {})).code).toBe(201);
  });
});

describe('mistakes', () => {
  const causes = async (spec: JsonObject, rules: JsonObject[] = [], gates: JsonObject[] = [pink]) => {
    await using crons = await startCrons({ crds: [] });
    const { body } = await crons.call('POST', collection, cronCrd(gates, [versionOf(spec, rules)]));
    return body.details.causes.map(({ field, message }: JsonObject) => `${field}: ${message}`);
  };
  const at = 'spec.validation.openAPIV3Schema.properties[spec]';
  const unknown = (name: string) =>
    `Invalid value: "${name}": must be the name of a feature gate of spec.customFeatureGates`;

  test('in enums', async () => {
    const gates = (...list: JsonObject[]) => ({
      ...gatedEnum,
      default: 'red',
      'x-kubernetes-enum-feature-gates': list,
    });
    const color = gates(
      { featureGate: 'Plum', values: ['pink'] },
      { featureGate: 'Pink', values: ['pink', 'green', 'red'] },
      { featureGate: '', values: [] },
    );
    const base = `${at}.properties[color].x-kubernetes-enum-feature-gates`;
    expect(await causes({ color, plain: text })).toEqual([
      `${base}[0].featureGate: ${unknown('Plum')}`,
      `${base}[1].values[0]: Invalid value: "pink": must be under one feature gate only`,
      `${base}[1].values[1]: Invalid value: "green": must be a value of enum`,
      `${base}[1].values[2]: Invalid value: "red": must not be the default`,
      `${base}[2].featureGate: Required value`,
      `${base}[2].values: Required value: must have at least one value`,
    ]);
  });

  test('in rules', async () => {
    const rules = [
      { rule: 'self == self', featureGate: 'Plum' },
      { rule: "featureGates.enabled('Plum')" },
      { rule: 'featureGates.enabled(self.color)' },
    ];
    const found = await causes({ color: text }, rules, [{ ...pink, fieldPaths: ['.spec.color'] }]);
    const base = `${at}.x-kubernetes-validations`;
    expect(found).toHaveLength(3);
    expect(found[0]).toContain(`${base}[2].rule: Invalid value: `);
    expect(found[0]).toContain("undeclared reference to 'featureGates'");
    expect(found.slice(1)).toEqual([
      `${base}[0].featureGate: ${unknown('Plum')}`,
      `${base}[1].rule: ${unknown('Plum')}`,
    ]);
  });

  test('a gate without fields needs a use; one that is used cannot go', async () => {
    expect(await causes({ color: text })).toEqual([
      'spec.customFeatureGates.featureGates[0].fieldPaths: Required value: must have at least one path',
    ]);
    await using crons = await start({ color: gatedEnum });
    const crd = (await crons.call('GET', crdPath)).body;
    delete crd.spec.customFeatureGates;
    const { code, body } = await crons.call('PUT', crdPath, crd);
    expect({ code, message: body.message }).toEqual({
      code: 422,
      message: `CustomResourceDefinition.apiextensions.k8s.io "crontabs.stable.example.com" is invalid: ${at}.properties[color].x-kubernetes-enum-feature-gates[0].featureGate: ${unknown('Pink')}`,
    });
  });
});

test('with the server gate off, new gates on values and rules are dropped', async () => {
  const featureGates = parseFeatureGates('CRDFieldLevelVersioning=false');
  const rules = [{ rule: 'self.color != "red"', featureGate: 'Pink' }];
  await using crons = await startCrons({
    crds: [cronCrd([pink], [versionOf({ color: gatedEnum }, rules)])],
    featureGates,
  });
  const { body } = await crons.call('GET', crdPath);
  expect(JSON.stringify(body.spec)).not.toMatch(/feature-?gate/i);
  expect((await create(crons, 'one', { color: 'pink' })).code).toBe(201);
  expect((await create(crons, 'two', { color: 'red' })).code).toBe(422);
});
