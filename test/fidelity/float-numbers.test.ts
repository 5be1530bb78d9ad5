import { expect, test } from 'vitest';
import { widget, widgetCrd, widgetServer, widgets } from './widget-server.ts';

const properties = {
  spec: {
    type: 'object',
    properties: {
      size: { type: 'integer' },
      ruled: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] },
      name: { type: 'string' },
      count: { type: 'integer' },
    },
  },
};
const scale = { specReplicasPath: '.spec.count', statusReplicasPath: '.status.count' };
const send = widgetServer(widgetCrd(properties, { scale }));

/** A widget as text, with a number that JavaScript would write otherwise. */
const textOf = (name: string, field: string, number: string) =>
  JSON.stringify(widget(name, { spec: { [field]: 'N' } })).replace('"N"', number);

test('an integral number that is written as a float is a float in texts', async () => {
  const { body } = await send('POST', widgets, textOf('a', 'name', '1.0'));
  expect(body.message).toContain(
    'spec.name: Invalid value: "number": spec.name in body must be of type string: "number"',
  );
  const integer = await send('POST', widgets, textOf('a', 'name', '1'));
  expect(integer.body.message).toContain('must be of type string: "integer"');
});

test('rules over integers refuse it', async () => {
  const { code, body } = await send('POST', widgets, textOf('a', 'ruled', '1e2'));
  expect(code).toBe(422);
  expect(body.message).toContain('invalid data, expected int, got float64');
});

test('so does what looks for replicas', async () => {
  const { body } = await send('POST', widgets, textOf('a', 'count', '2.0'));
  expect(body.message).toContain('.spec.count accessor error: 2 is of the type float64, expected int64');
});

test('it is stored as an integer, and a change to the float is a change', async () => {
  expect((await send('POST', widgets, textOf('b', 'size', '4'))).body.metadata.generation).toBe(1);
  const patched = await send('PATCH', `${widgets}/b`, '{"spec":{"size":4.0}}', 'merge');
  expect(patched.body).toMatchObject({ spec: { size: 4 }, metadata: { generation: 2 } });
  const again = await send('PATCH', `${widgets}/b`, '{"spec":{"size":4}}', 'merge');
  expect(again.body).toMatchObject({ spec: { size: 4 }, metadata: { generation: 2 } });
});

test('YAML has no such floats', async () => {
  const yaml = 'apiVersion: mini.example.com/v1\nkind: Widget\nmetadata: {name: c}\nspec: {ruled: 1.0}\n';
  expect((await send('POST', widgets, yaml, 'application/yaml')).code).toBe(201);
});
