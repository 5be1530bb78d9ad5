import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../src/meta/index.ts';
import { type IlkServer, startServer } from '../src/server.ts';
import { widgetCrd, widgetsPath } from './fixtures/widgets.ts';

let server: IlkServer;
beforeAll(async () => {
  server = await startServer({ crds: [widgetCrd], listen: false });
});
afterAll(() => server.close());

interface Outcome {
  readonly code: number;
  readonly warnings: readonly string[];
  /** Of a refusal. */
  readonly message?: string;
}

const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

async function send(method: string, path: string, body: string, type = 'application/json'): Promise<Outcome> {
  const answer = await server.fetch(path, { method, headers: { 'content-type': type }, body });
  const { message } = JSON.parse(await answer.text());
  const warnings = [...(answer.headers.get('warning') ?? '').matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)];
  return {
    code: answer.status,
    warnings: warnings.map(([, text = '']) => text.replaceAll(/\\(.)/g, '$1')),
    ...(answer.ok ? {} : { message }),
  };
}

const text = (name: string, spec: string, more = '') =>
  `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"${name}","also":1},"spec":${spec}${more}}`;
const twice = '{"color":"red","color":"blue","extra":{"deep":1}}';

let made = 0;
/** The path of a widget of its own. */
async function newWidget(): Promise<{ name: string; path: string }> {
  const name = `w${(made += 1)}`;
  const body = JSON.stringify({ ...JSON.parse(text(name, '{}')), metadata: { name } });
  expect(await send('POST', widgetsPath(), body)).toEqual({ code: 201, warnings: [] });
  return { name, path: `${widgetsPath()}/${name}` };
}

async function stored(path: string): Promise<JsonObject> {
  return JSON.parse(await (await server.fetch(path)).text());
}

describe('what the schema does not know, and what is there twice', () => {
  const unknown = ['unknown field "metadata.also"', 'unknown field "spec.extra"', 'unknown field "top"'];
  const all = ['duplicate field "spec.color"', ...unknown];
  const inAWidget = `Widget in version "v1" cannot be handled as a Widget: strict decoding error: ${all.join(', ')}`;

  /** Writes a color and many unknown fields. */
  interface Write {
    readonly send: (query: string) => Promise<Outcome & { readonly path: string }>;
    readonly problems: readonly string[];
    readonly refusal: { readonly code: number; readonly message: unknown };
  }
  const inAPatch = (problems: readonly string[]) => ({
    code: 422,
    message: expect.stringMatching(
      new RegExp(
        `^ "" is invalid: patch: Invalid value: "\\{.*\\}": strict decoding error: ${problems.join(', ')}$`,
      ),
    ),
  });
  const patch = (type: keyof typeof patchTypes, body: string) => async (query: string) => {
    const { path } = await newWidget();
    return { ...(await send('PATCH', `${path}?${query}`, body, patchTypes[type])), path };
  };
  const misnamed = ['json patch unknown field "[0].foo"', ...unknown];

  const writes: Record<string, Write> = {
    'a create': {
      send: async (query) => {
        const name = `w${(made += 1)}`;
        const outcome = await send('POST', `${widgetsPath()}?${query}`, text(name, twice, ',"top":1'));
        return { ...outcome, path: `${widgetsPath()}/${name}` };
      },
      problems: all,
      refusal: { code: 400, message: inAWidget },
    },
    'an update': {
      send: async (query) => {
        const { name, path } = await newWidget();
        const { metadata } = await stored(path);
        const body = text(name, twice, ',"top":1').replace(
          '"also"',
          `"resourceVersion":"${Object(metadata).resourceVersion}","also"`,
        );
        return { ...(await send('PUT', `${path}?${query}`, body)), path };
      },
      problems: all,
      refusal: { code: 400, message: inAWidget },
    },
    'a merge patch': {
      send: patch('merge', `{"metadata":{"also":1},"spec":${twice},"top":1}`),
      problems: all,
      refusal: inAPatch(all),
    },
    'a JSON patch': {
      send: patch(
        'json',
        '[{"op":"add","path":"/spec","value":{"color":"blue","extra":1},"foo":1},' +
          '{"op":"add","path":"/metadata/also","value":1},{"op":"add","path":"/top","value":1}]',
      ),
      problems: misnamed,
      refusal: inAPatch(misnamed.map((line) => line.replaceAll(/[[\]]/g, '\\$&'))),
    },
  };

  test.each(Object.entries(writes))('%s: refused where the client is strict', async (_, write) => {
    const { path, ...outcome } = await write.send('fieldValidation=Strict');
    expect(outcome).toEqual({ ...write.refusal, warnings: [] });
    expect((await stored(path))['spec'] ?? {}).toEqual({});
  });

  const leftAlone = { spec: { color: 'blue' } };
  test.each(Object.entries(writes))('%s: warned of, and dropped', async (_, write) => {
    for (const query of ['', 'fieldValidation=Warn', 'fieldValidation=']) {
      const { path, ...outcome } = await write.send(query);
      expect(outcome).toEqual({ code: expect.any(Number), warnings: write.problems });
      expect(await stored(path)).toMatchObject(leftAlone);
    }
  });

  test.each(Object.entries(writes))('%s: dropped without a word', async (_, write) => {
    const { path, ...outcome } = await write.send('fieldValidation=Ignore');
    expect(outcome).toEqual({ code: expect.any(Number), warnings: [] });
    const object = await stored(path);
    expect(object).toMatchObject(leftAlone);
    expect(JSON.stringify(object)).not.toMatch(/also|extra|top/);
  });

  test('a status has the same answers', async () => {
    const { path } = await newWidget();
    const status = '{"status":{"phase":"on","phase":"off","extra":1}}';
    const at = (mode: string) =>
      send('PATCH', `${path}/status?fieldValidation=${mode}`, status, patchTypes.merge);
    const problems = ['duplicate field "status.phase"', 'unknown field "status.extra"'];
    expect(await at('Strict')).toEqual({ ...inAPatch(problems), warnings: [] });
    expect(await at('Warn')).toEqual({ code: 200, warnings: problems });
    expect(await at('Ignore')).toEqual({ code: 200, warnings: [] });
    expect(await stored(path)).toMatchObject({ status: { phase: 'off' } });
  });

  test('no mode but these three', async () => {
    const { path } = await newWidget();
    const supported = 'supported values: "", "Ignore", "Strict", "Warn"';
    const problem = `fieldValidation: Unsupported value: "strict": ${supported}`;
    const query = '?fieldValidation=strict&fieldManager=me';
    const message = (kind: string) => `${kind}.meta.k8s.io "" is invalid: ${problem}`;
    const refused = (kind: string) => ({ code: 422, warnings: [], message: message(kind) });
    expect(await send('PUT', `${path}${query}`, text('x', '{}'))).toEqual(refused('UpdateOptions'));
    for (const type of ['json', 'merge', 'apply'] as const) {
      expect(await send('PATCH', `${path}${query}`, '{}', patchTypes[type])).toEqual(refused('PatchOptions'));
    }
  });

  test('not more than a hundred are named', async () => {
    const { path } = await newWidget();
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`x${at}`, 1]));
    const { warnings } = await send('PATCH', path, JSON.stringify({ spec: many }), patchTypes.merge);
    expect(warnings).toHaveLength(100);
  });
});

describe('an apply', () => {
  const yaml = (name: string, spec: string) =>
    `apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: ${name}\nspec: ${spec}\n`;
  const apply = async (body: (name: string) => string, mode: string) => {
    const { name, path } = await newWidget();
    const query = `fieldManager=me&fieldValidation=${mode}`;
    return { ...(await send('PATCH', `${path}?${query}`, body(name), patchTypes.apply)), path };
  };

  test.each(['Strict', 'Warn', 'Ignore'])('of an unknown field is refused in any case: %s', async (mode) => {
    const { code, message, warnings } = await apply((name) => yaml(name, '{color: red, extra: 1}'), mode);
    expect({ code, warnings }).toEqual({ code: 500, warnings: [] });
    expect(message).toMatch(
      /^failed to create typed patch object \(\/w\d+; example\.com\/v1, Kind=Widget\): \.spec\.extra: field not declared in schema$/,
    );
  });

  const doubled = (name: string) => yaml(name, '\n  color: red\n  size: 1\n  color: blue');

  test('of a field that is there twice', async () => {
    expect(await apply(doubled, 'Strict')).toMatchObject({
      code: 400,
      warnings: [],
      message:
        'error strict decoding patch: error converting YAML to JSON: yaml: unmarshal errors:\n' +
        '  line 8: key "color" already set in map',
    });
    const warned = await apply(doubled, 'Warn');
    expect(warned).toMatchObject({ code: 200, warnings: ['line 8: key "color" already set in map'] });
    expect(await stored(warned.path)).toMatchObject({ spec: { color: 'blue', size: 1 } });
    expect(await apply(doubled, 'Ignore')).toMatchObject({ code: 200, warnings: [] });
  });

  test('that creates is judged alike', async () => {
    const at = (mode: string) => `${widgetsPath()}/born?fieldManager=me&fieldValidation=${mode}`;
    const send2 = (mode: string) => send('PATCH', at(mode), doubled('born'), patchTypes.apply);
    expect((await send2('Strict')).code).toBe(400);
    expect(await send2('Warn')).toEqual({ code: 201, warnings: ['line 8: key "color" already set in map'] });
  });
});

describe('built-in kinds', () => {
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const one = `${crds}/widgets.example.com`;
  const configMaps = '/api/v1/namespaces/default/configmaps';

  test('YAML bodies: what is there twice has its line', async () => {
    const body = 'metadata:\n  name: yaml\ndata:\n  a: "1"\n  a: "2"\nmore: 1\n';
    const post = (mode: string) =>
      send('POST', `${configMaps}?fieldValidation=${mode}`, body, 'application/yaml');
    expect(await post('Strict')).toEqual({
      code: 400,
      warnings: [],
      message:
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: ' +
        'yaml: unmarshal errors:\n  line 5: key "a" already set in map, unknown field "more"',
    });
    expect(await post('Warn')).toEqual({
      code: 201,
      warnings: ['line 5: key "a" already set in map', 'unknown field "more"'],
    });
  });

  test.each(['merge', 'strategic'] as const)('a %s patch of a ConfigMap', async (type) => {
    const name = `patched-${type}`;
    await send('POST', configMaps, JSON.stringify({ metadata: { name } }));
    const body = '{"data":{"a":"1","a":"2"},"more":1}';
    const at = (mode: string) =>
      send('PATCH', `${configMaps}/${name}?fieldValidation=${mode}`, body, patchTypes[type]);
    const problems = ['duplicate field "data.a"', 'unknown field "more"'];
    const strict = await at('Strict');
    expect(strict.code).toBe(422);
    expect(strict.message).toMatch(new RegExp(`: strict decoding error: ${problems.join(', ')}$`));
    expect(await at('Warn')).toEqual({ code: 200, warnings: problems });
    expect(await at('Ignore')).toEqual({ code: 200, warnings: [] });
  });

  test('a CustomResourceDefinition, within its schemas as well', async () => {
    const body = JSON.stringify([
      { op: 'add', path: '/spec/more', value: 1 },
      { op: 'add', path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/x-own', value: 1 },
    ]);
    const at = (mode: string) => send('PATCH', `${one}?fieldValidation=${mode}`, body, patchTypes.json);
    const problems = [
      'unknown field "spec.more"',
      'unknown field "spec.versions[0].schema.openAPIV3Schema.properties.spec.x-own"',
    ];
    const strict = await at('Strict');
    expect(strict.code).toBe(422);
    for (const problem of problems) expect(strict.message).toContain(problem);
    expect((await at('Warn')).warnings.toSorted()).toEqual(problems);
    expect(await at('Ignore')).toEqual({ code: 200, warnings: [] });
  });
});
