import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { parseStages } from './parse-stage.ts';

const stage = (spec: object) => ({
  apiVersion: 'kwok.x-k8s.io/v1alpha1',
  kind: 'Stage',
  metadata: { name: 's' },
  spec: { resourceRef: { apiGroup: 'v1', kind: 'Pod' }, ...spec },
});
const parse = (object: object) => parseStages([{ file: '', object: JSON.parse(JSON.stringify(object)) }])[0];

test('a Stage is read', () => {
  const spec = {
    resourceRef: { apiGroup: 'example.com/v1', kind: 'Widget' },
    selector: {
      matchLabels: { a: 'b' },
      matchExpressions: [
        { key: '.status.phase', operator: 'In', values: ['Pending'] },
        { key: '.metadata.annotations["example.com/x"]', operator: 'Exists' },
      ],
    },
    weight: 2,
    delay: { durationMilliseconds: 500 },
    next: { statusTemplate: 'phase: Ready\nat: {{ Now }}\n', finalizers: { add: [{ value: 'x/y' }] } },
  };
  expect(parse(stage(spec))).toEqual({
    name: 's',
    group: 'example.com',
    version: 'v1',
    kind: 'Widget',
    selector: {
      labels: new Map([['a', 'b']]),
      annotations: new Map(),
      expressions: [
        { path: ['status', 'phase'], operator: 'In', values: ['Pending'] },
        { path: ['metadata', 'annotations', 'example.com/x'], operator: 'Exists', values: [] },
      ],
    },
    weight: 2,
    delayMs: 500,
    next: {
      event: undefined,
      finalizers: { add: ['x/y'], remove: [], empty: false },
      delete: false,
      patches: [{ subresource: 'status', root: 'status', template: 'phase: Ready\nat: {{ Now }}\n' }],
    },
  });
});

describe('what is not supported is refused:', () => {
  const jq = '.status.conditions.[] | select( .type == "Ready" )';
  test.each<[object, string]>([
    [{ kind: 'Pod', apiVersion: 'v1' }, 'not a Stage of kwok.x-k8s.io/v1alpha1: v1 Pod'],
    [
      stage({ resourceRef: { apiGroup: 'v1' } }),
      'Stage s: spec.resourceRef: apiGroup must be a version such as apps/v1, and kind is required',
    ],
    [stage({ immediate: true }), 'Stage s: spec.immediate: is not supported'],
    [
      stage({ delay: { durationFrom: { expressionFrom: '.x' } } }),
      'Stage s: spec.delay.durationFrom: is not supported',
    ],
    [
      stage({ delay: { durationMilliseconds: 1, jitterDurationMilliseconds: 5 } }),
      'Stage s: spec.delay.jitterDurationMilliseconds: random delays are not supported',
    ],
    [
      stage({ delay: { durationMilliseconds: -1 } }),
      'Stage s: spec.delay.durationMilliseconds: must be a whole number from 0 to 2147483647',
    ],
    [
      stage({ selector: { matchExpressions: [{ key: jq, operator: 'Exists' }] } }),
      `Stage s: spec.selector.matchExpressions[0].key: ${JSON.stringify(jq)} is no path such as .status.phase; jq expressions are not supported`,
    ],
    [
      stage({ selector: { matchExpressions: [{ key: '.a', operator: 'Gt' }] } }),
      'Stage s: spec.selector.matchExpressions[0].operator: must be one of In, NotIn, Exists, DoesNotExist',
    ],
    [
      stage({ selector: { matchExpressions: [{ key: '.a', operator: 'In' }] } }),
      'Stage s: spec.selector.matchExpressions[0].values: is required for In',
    ],
    [
      stage({ next: { statusTemplate: 'ip: {{ PodIP }}' } }),
      'Stage s: spec.next.statusTemplate: templates other than {{ Now }} are not supported: {{ PodIP }}',
    ],
    [stage({ next: { statusTemplate: '- 1' } }), 'Stage s: spec.next.statusTemplate: must give an object'],
    [
      stage({ next: { patches: [{ type: 'json', template: '[]' }] } }),
      'Stage s: spec.next.patches[0].type: json is not supported: only merge is',
    ],
    [stage({ next: { delete: 'yes' } }), 'Stage s: spec.next.delete: must be true or false'],
  ])('%#', (object, text) => expect(() => parse(object)).toThrow(text));
});

test('an error names the file', () => {
  expect(() => parseStages([{ file: 'a.yaml', object: { kind: 'Pod', apiVersion: 'v1' } }])).toThrow(
    'a.yaml: not a Stage',
  );
});

test('the example of docs/simulate.md is read', () => {
  const page = readFileSync(new URL('../../../docs/simulate.md', import.meta.url), 'utf8');
  const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const stages = parseStages([{ file: '', object: JSON.parse(JSON.stringify(load(text))) }]);
  expect(stages.map(({ name }) => name)).toEqual(['database-becomes-ready']);
});
