import { beforeAll, describe, expect, test } from 'vitest';
import {
  applyPatch,
  collection,
  jsonPatch,
  mergePatch,
  scale,
  sharedWidgets,
} from '../fixtures/scalable-widgets.ts';
import { widgetOf } from '../fixtures/widgets.ts';

const { call, newWidget } = sharedWidgets();

const invalidRows = (name: string, why: string) => `Widget.example.com "${name}" is invalid: ${why}`;

describe('Scales that are refused', () => {
  let path: string;
  beforeAll(async () => {
    path = `${await newWidget('strict')}/scale`;
  });

  const cannot = 'Scale in version "v1" cannot be handled as a Scale: ';
  test.each([
    [
      'text for replicas',
      scale('strict', '3'),
      400,
      `${cannot}json: cannot unmarshal string into Go struct field ScaleSpec.spec.replicas of type int32`,
    ],
    [
      'a fraction',
      scale('strict', 1.5),
      400,
      `${cannot}json: cannot unmarshal number 1.5 into Go struct field ScaleSpec.spec.replicas of type int32`,
    ],
    [
      'more than an int32',
      scale('strict', 2147483648),
      400,
      `${cannot}json: cannot unmarshal number 2147483648 into Go struct field ScaleSpec.spec.replicas of type int32`,
    ],
    [
      'less than nothing',
      scale('strict', -1),
      422,
      invalidRows('strict', '.spec.rows: Invalid value: -1: should be a non-negative integer'),
    ],
    [
      'another name',
      scale('other', 1),
      400,
      'the name of the object (other) does not match the name on the URL (strict)',
    ],
    [
      'no name',
      { ...scale('', 1), metadata: {} },
      400,
      'the name of the object (strict based on URL) was undeterminable: name must be provided',
    ],
    [
      'another namespace',
      scale('strict', 1, { namespace: 'kube-system' }),
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      'another uid',
      scale('strict', 1, { uid: 'x' }),
      409,
      /^Operation cannot be fulfilled on widgets.example.com "strict": StorageError: invalid object, Code: 4, Key: \/example.com\/widgets\/default\/strict, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: x, UID in object meta: /,
    ],
    [
      'resourceVersion 0',
      scale('strict', 1, { resourceVersion: '0' }),
      422,
      invalidRows(
        'strict',
        'metadata.resourceVersion: Invalid value: 0: must be specified for an update',
      ).replace('Widget', 'widgets'),
    ],
    [
      'the object itself',
      widgetOf('strict', { spec: { rows: 1 } }),
      400,
      'Widget in version "v1" cannot be handled as a Scale: no kind "Widget" is registered for version ' +
        '"example.com/v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      'another kind',
      { ...scale('strict', 1), kind: 'Widget' },
      400,
      'Widget in version "v1" cannot be handled as a Scale: no kind "Widget" is registered for version ' +
        '"autoscaling/v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      'an unset marker',
      scale('strict', -2147483648),
      400,
      'the spec replicas field ".spec.rows" cannot be empty',
    ],
  ])('PUT with %s', async (_, body, code, message) => {
    const answer = await call('PUT', path, body);
    expect(answer.body).toMatchObject({ code, message: expect.stringMatching(asPattern(message)) });
  });

  test('PUT with a field that a Scale does not have, where the client is strict', async () => {
    const sent = { ...scale('strict', 1), color: 'red' };
    expect((await call('PUT', `${path}?fieldValidation=Strict`, sent)).body.message).toBe(
      `${cannot}strict decoding error: unknown field "color"`,
    );
  });

  test.each([
    [
      'less than nothing',
      mergePatch,
      { spec: { replicas: -5 } },
      422,
      invalidRows('strict', '.spec.rows: Invalid value: -5: should be a non-negative integer'),
    ],
    [
      'text',
      mergePatch,
      { spec: { replicas: 'x' } },
      422,
      /^ "" is invalid: patch: Invalid value: .*: json: cannot unmarshal string into Go struct field ScaleSpec.spec.replicas of type int32$/,
    ],
    [
      'a list',
      mergePatch,
      [],
      400,
      'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
    [
      'a failing test',
      jsonPatch,
      [{ op: 'test', path: '/spec/replicas', value: 99 }],
      422,
      'the server rejected our request due to an error in our request',
    ],
    [
      'managed fields',
      applyPatch,
      scale('strict', 1, { managedFields: [] }),
      400,
      'metadata.managedFields must be nil',
    ],
    ['an object', applyPatch, widgetOf('strict'), 400, 'invalid object type: example.com/v1, Kind=Widget'],
    [
      'text to apply',
      applyPatch,
      scale('strict', 'x'),
      500,
      /failed to create typed patch object \(\/strict; autoscaling\/v1, Kind=Scale\): \.spec\.replicas: expected numeric/,
    ],
  ])('PATCH with %s', async (_, type, body, code, message) => {
    const query = type === applyPatch ? '?fieldManager=me' : '';
    const answer = await call('PATCH', `${path}${query}`, body, type);
    expect(answer.body).toMatchObject({ code, message: expect.stringMatching(asPattern(message)) });
  });

  test('nothing of this changed the object', async () => {
    expect((await call('GET', path)).body.spec).toEqual({ replicas: 3 });
  });
});

function asPattern(message: string | RegExp): RegExp {
  if (typeof message !== 'string') return message;
  return new RegExp(`^${message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}

describe('objects that can be scaled', () => {
  const accessor = (value: string, type: string) =>
    `.spec.rows accessor error: ${value} is of the type ${type}, expected int64`;
  test.each([
    ['text', 'x', `.spec.rows: Invalid value: 0: ${accessor('x', 'string')}`],
    ['a fraction', 1.5, `.spec.rows: Invalid value: 0: ${accessor('1.5', 'float64')}`],
    [
      'a map',
      { a: [1, true] },
      `.spec.rows: Invalid value: 0: ${accessor('map[a:[1 true]]', 'map[string]interface {}')}`,
    ],
    ['less than nothing', -1, '.spec.rows: Invalid value: -1: should be a non-negative integer'],
    [
      'too much',
      2147483648,
      '.spec.rows: Invalid value: 2147483648: should be less than or equal to 2147483647',
    ],
  ])('have no %s for replicas', async (name, rows, why) => {
    const word = name.replaceAll(' ', '-');
    const created = await call('POST', collection, widgetOf(word, { spec: { rows } }));
    expect(created.body).toMatchObject({ code: 422, message: invalidRows(word, why) });
    const path = await newWidget(word);
    const changed = await call('PATCH', path, { spec: { rows } }, mergePatch);
    expect(changed.body).toMatchObject({ code: 422, message: invalidRows(word, why) });
    const inStatus = why.replaceAll('.spec', '.status');
    const status = await call('PATCH', `${path}/status`, { status: { rows } }, mergePatch);
    expect(status.body).toMatchObject({ code: 422, message: invalidRows(word, inStatus) });
  });

  test('the errors of scaling come after those of the schema', async () => {
    const body = widgetOf('both', { spec: { rows: -1, size: 11, shed: {} } });
    const answer = await call('POST', collection, body);
    expect(answer.body.details.causes.map(({ field }: { field: string }) => field)).toEqual([
      'spec.size',
      '.spec.rows',
      'spec.shed.apiVersion',
      'spec.shed.kind',
    ]);
  });

  test('have text for a selector, which only /status and the object answer for', async () => {
    const path = await newWidget('selector');
    const { body } = await call('PATCH', `${path}/status`, { status: { plants: 1 } }, mergePatch);
    expect(body.message).toBe(
      invalidRows(
        'selector',
        '.status.plants: Invalid value: "": .status.plants accessor error: 1 is of the type int64, expected string',
      ),
    );
  });
});

describe('verbs that subresources do not have', () => {
  test.each(['status', 'scale'])('DELETE and POST of /%s', async (name) => {
    const path = await newWidget(`verbs-${name}`);
    for (const [method, action] of [
      ['DELETE', 'delete'],
      ['POST', 'create'],
    ] as const) {
      const { body } = await call(method, `${path}/${name}`, scale('x', 1));
      expect(body).toMatchObject({
        code: 405,
        reason: 'MethodNotAllowed',
        message: `${action} is not supported on resources of kind "widgets.example.com"`,
      });
    }
    expect((await call('GET', path)).code).toBe(200);
  });
});

describe('writes of /status that are refused', () => {
  test.each([
    [
      'PUT without a resourceVersion',
      'PUT',
      'application/json',
      widgetOf('refused', { status: {} }),
      422,
      'widgets.example.com "refused" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    ],
    [
      'PUT with an old one',
      'PUT',
      'application/json',
      { ...widgetOf('refused'), metadata: { name: 'refused', resourceVersion: '1' } },
      409,
      /the object has been modified/,
    ],
    [
      'PUT of a Scale',
      'PUT',
      'application/json',
      scale('refused', 1),
      400,
      'the API version in the data (autoscaling/v1) does not match the expected API version (example.com/v1)',
    ],
    [
      'PATCH to text',
      'PATCH',
      mergePatch,
      { status: 'x' },
      422,
      /^Widget.example.com "refused" is invalid: \[status: Invalid value: "string": {2}in body must be of type object: "string", .status.rows: /,
    ],
    [
      'apply without a manager',
      'PATCH',
      applyPatch,
      widgetOf('refused'),
      422,
      /fieldManager: Required value: is required for apply patch/,
    ],
  ])('%s', async (_, method, type, body, code, message) => {
    await call('POST', collection, widgetOf('refused'));
    const answer = await call(method, `${collection}/refused/status`, body, type);
    expect(answer.body).toMatchObject({ code, message: expect.stringMatching(asPattern(message)) });
  });

  test('apply creates nothing', async () => {
    const path = `${collection}/absent/status?fieldManager=me`;
    expect((await call('PATCH', path, widgetOf('absent', { status: { size: 1 } }), applyPatch)).code).toBe(
      404,
    );
  });
});
