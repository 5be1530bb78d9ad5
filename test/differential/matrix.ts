import type { JsonObject, JsonValue } from '../../src/meta/index.ts';
import type { Chapter, Step } from './chapter.ts';

/**
 * The chapter of seed 0: every combination, where the others have samples. What a body says that it is, with each verb,
 * media type and `fieldValidation`; patches that are none; paths that are longer or shorter than they should be;
 * `metadata.selfLink`.
 */
export function matrixChapter(): Chapter {
  return { crd, before: [], steps: [...kinds(), ...patches(), ...selfLinks(), ...paths()], after: [] };
}

const group = 'mini.example.com';
const collection = `/apis/${group}/v1/namespaces/default/widgets`;
const json = 'application/json';
const merge = 'application/merge-patch+json';
const jsonPatch = 'application/json-patch+json';
const apply = 'application/apply-patch+yaml';
const validations = ['Ignore', 'Warn', 'Strict'];

const replicas: JsonObject = { type: 'integer' };
const crd: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { replicas, a: { type: 'string' } } },
              status: { type: 'object', properties: { replicas } },
            },
          },
        },
      },
    ],
  },
};

function step(method: string, path: string, type?: string, body?: string): Step {
  const of = `${path.replace(/\?.*/, '').replace(/\/(status|scale)$/, '')}`;
  const hasVersion = body?.includes('{{') === true;
  return {
    what: 'matrix',
    method,
    path,
    ...(type === undefined ? {} : { type }),
    ...(body === undefined ? {} : { body }),
    ...(hasVersion ? { of } : {}),
  };
}

const version = { resourceVersion: '{{resourceVersion}}' };

function widget(name: string, more: JsonObject = {}, metadata: JsonObject = {}): string {
  return JSON.stringify({
    apiVersion: `${group}/v1`,
    kind: 'Widget',
    metadata: { name, ...metadata },
    ...more,
  });
}

/** Undefined leaves the field out. */
const apiVersions = [`${group}/v1`, `${group}/v9`, 'other/v1', 'v1', '', 'a/b/c', null, 5, undefined];
const kindNames = ['Widget', 'Other', '', null, 7, undefined];

function kinds(): Step[] {
  const steps = [step('POST', collection, json, widget('k0', { spec: { a: 'x' } }))];
  for (const apiVersion of apiVersions) {
    for (const kind of kindNames) {
      for (const fields of ['known', 'unknown', 'twice'] as const) {
        for (const validation of validations)
          steps.push(...kindWrites({ apiVersion, kind, fields, validation }));
      }
    }
  }
  return [...steps, step('DELETE', collection)];
}

interface KindWrite {
  readonly apiVersion: JsonValue | undefined;
  readonly kind: JsonValue | undefined;
  readonly fields: 'known' | 'unknown' | 'twice';
  readonly validation: string;
}

function kindWrites({ apiVersion, kind, fields, validation }: KindWrite): Step[] {
  const spec = fields === 'known' ? { a: 'x' } : { a: 'x', bogus: 1 };
  const text = (name: string, metadata: JsonObject = {}) => {
    const written = JSON.stringify({ apiVersion, kind, metadata: { name, ...metadata }, spec });
    return fields === 'twice' ? written.replace('"a":"x"', '"a":"y","a":"x"') : written;
  };
  const query = `dryRun=All&fieldValidation=${validation}`;
  const steps = [json, 'application/yaml'].flatMap((type) => [
    step('POST', `${collection}?${query}`, type, text('k1')),
    step('PUT', `${collection}/k0?${query}`, type, text('k0', version)),
  ]);
  steps.push(
    step('PATCH', `${collection}/k0?${query}`, merge, text('k0')),
    step('PATCH', `${collection}/k0?${query}&fieldManager=m`, apply, text('k0')),
    step('PATCH', `${collection}/k9?${query}&fieldManager=m`, apply, text('k9')),
  );
  if (fields === 'twice') return steps;
  const operations = Object.entries({ apiVersion, kind, spec })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ op: 'add', path: `/${key}`, value }));
  return [...steps, step('PATCH', `${collection}/k0?${query}`, jsonPatch, JSON.stringify(operations))];
}

const patchBodies = [
  ...['', ' ', '{', '[', '[]', '5', '"x"', 'null', 'true', '{}', '[{}]', '[5]', '[null]', '[{"op":"add"}]'],
  '[{"op":5}]',
  '[{"op":"add","path":"/spec/a"}]',
  '[{"op":"add","path":"/spec/a","value":1e400}]',
  '[{"op":"replace","path":"/spec/zz","value":1}]',
  '[{"op":"add","path":"/spec/a","value":"y","value":"z"}]',
  '[{"op":"add","path":"spec/a","value":"y"}]',
  '[{"op":"test","path":"/spec/a","value":"x"},{"op":"copy","from":"/spec/a","path":"/metadata/labels/x"}]',
  '[{"op":"add","path":"/metadata/labels","value":{"a":1}}]',
  '[{"op":"add","path":"/spec","value":1.50}]',
  '[{"op":"add","path":"/spec/replicas","value":1.0}]',
  '[{"op":"remove","path":"/kind"}]',
  '[{"op":"remove","path":"/metadata"}]',
  '[{"op":"add","path":"","value":{}}]',
  '[{"op":"add","path":"","value":[]}]',
  '{"spec":null}',
  '{"spec":{"a":null}}',
  '{"metadata":null}',
  '{"metadata":{"labels":null,"annotations":{"a":null}}}',
  '{"spec":{"replicas":1.0}}',
  '{"spec":{"replicas":2147483648.5}}',
  '{"spec":[1.0]}',
  '{"a":1e400}',
  '{"spec":{"a":"\\ud800"}}',
  '{"spec":{"a":"x","a":"y"}}',
];

function patches(): Step[] {
  const one = `${collection}/p0?dryRun=All`;
  const types = [merge, jsonPatch, apply, 'application/strategic-merge-patch+json'];
  const steps = validations.flatMap((validation) =>
    patchBodies.flatMap((body) =>
      types.map((type) =>
        step(
          'PATCH',
          `${one}&fieldValidation=${validation}${type === apply ? '&fieldManager=m' : ''}`,
          type,
          body,
        ),
      ),
    ),
  );
  return [
    step('POST', collection, json, widget('p0', { spec: { a: 'x' } })),
    ...steps,
    step('DELETE', collection),
  ];
}

function selfLinks(): Step[] {
  const link = { selfLink: '/some/where' };
  const writes = ['', 'dryRun=All'].flatMap((dry) => {
    const at = (name: string, ...more: string[]) => {
      const query = [dry, ...more].filter((text) => text !== '').join('&');
      return `${collection}${name === '' ? '' : `/${name}`}${query === '' ? '' : `?${query}`}`;
    };
    const put = step(
      'PUT',
      at('s2'),
      json,
      widget('s2', { spec: { a: `p${dry}` } }, { ...link, ...version }),
    );
    const mine = ['fieldManager=m', 'force=true'];
    const applied = step('PATCH', at('s2', ...mine), apply, widget('s2', { spec: { a: `r${dry}` } }, link));
    return [
      step('POST', at(''), json, widget(dry === '' ? 's1' : 's4', {}, link)),
      step('GET', `${collection}/s1`),
      step('POST', at(''), json, widget('s2')),
      ...[put, put, step('GET', `${collection}/s2`)],
      step('PATCH', at('s2'), merge, JSON.stringify({ metadata: link, spec: { a: `q${dry}` } })),
      step('PATCH', at('s2'), merge, JSON.stringify({ metadata: link })),
      ...[applied, applied, step('GET', `${collection}/s2`)],
      step('PATCH', at('s3', 'fieldManager=m'), apply, widget('s3', {}, link)),
      step('PATCH', at('s2/status'), merge, JSON.stringify({ metadata: link, status: { replicas: 1 } })),
      step('PUT', at('s2/status'), json, widget('s2', { status: { replicas: 2 } }, { ...link, ...version })),
      step('PATCH', at('s2/scale'), merge, JSON.stringify({ metadata: link, spec: { replicas: 2 } })),
      step('DELETE', at('s1')),
    ];
  });
  return [...writes, step('DELETE', collection)];
}

function paths(): Step[] {
  const named = `${collection}/named`;
  const scale =
    '{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"named"},"spec":{"replicas":3}}';
  const across = `/apis/${group}/v1/widgets`;
  return [
    step('POST', named, json, widget('named', { spec: { replicas: 1 } })),
    step('GET', named),
    step('POST', `${collection}/other`, json, widget('different')),
    step('GET', `${collection}/different`),
    step('GET', `${collection}/other`),
    step('POST', `${collection}/x`, json, widget('')),
    step('POST', named, json, widget('named')),
    ...['status', 'scale', 'nope'].map((name) => step('POST', `${named}/${name}`, json, widget('named'))),
    ...[widget('named'), '{'].map((body) => step('PUT', collection, json, body)),
    ...[merge, json, apply].map((type) => step('PATCH', collection, type, '{}')),
    step('PUT', across, json, '{}'),
    step('PATCH', across, merge, '{}'),
    step('POST', across, json, widget('q')),
    ...['scale/x', 'status/scale', 'scale/x/y', 'nope/x', 'nope'].map((more) =>
      step('GET', `${named}/${more}`),
    ),
    step('GET', `${collection}/absent/scale/x`),
    step('PUT', `${named}/scale/x`, json, scale),
    step('PATCH', `${named}/status/x`, merge, '{"status":{"replicas":4}}'),
    ...['status', 'status/x', 'x/y'].map((more) => step('DELETE', `${named}/${more}`)),
    ...['HEAD', 'OPTIONS', 'TRACE', 'FOO'].map((method) => step(method, named)),
    step('PUT', `${named}/nope/x`, json, widget('named')),
    step('DELETE', `${collection}/different`),
    step('DELETE', named),
  ];
}
