import { describe, expect, test } from 'vitest';
import { atOnce, type JsonValue, type KubeObject } from '../../meta/index.ts';
import { typedKind } from './typed-kind.ts';

/** The object as Go writes it after it has read it. */
function typed(apiVersion: string, kind: string, object: KubeObject): KubeObject {
  const found = typedKind(apiVersion, kind);
  if (found !== undefined) atOnce(found.fill(object, atOnce(found.read(object, { isLenient: false }))));
  return object;
}

const readLeniently = (configMap: KubeObject) => {
  const found = typedKind('v1', 'ConfigMap');
  return found && atOnce(found.read(configMap, { isLenient: true }));
};

const mistake = (apiVersion: string, kind: string, object: KubeObject) => {
  try {
    return typed(apiVersion, kind, object);
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
};
const inPod = (container: object) =>
  mistake('v1', 'Pod', { spec: { containers: [{ name: 'c', ...container }] } });

describe('what Go leaves out and adds', () => {
  test('nulls and zeros of fields with omitempty go, pointers keep their zeros', () => {
    const spec = { replicas: 0, minReadySeconds: 0, paused: false, revisionHistoryLimit: null };
    const deployment = typed('apps/v1', 'Deployment', { spec });
    expect(deployment['spec']).toMatchObject({ replicas: 0 });
    expect(Object.keys(deployment['spec'] ?? {})).toEqual(['replicas', 'template', 'strategy', 'selector']);
  });

  test('structs are there in any case, and lists without omitempty as null', () => {
    expect(typed('v1', 'Pod', {})).toEqual({ metadata: {}, spec: { containers: null }, status: {} });
    expect(typed('rbac.authorization.k8s.io/v1', 'Role', { rules: [] })).toEqual({
      metadata: {},
      rules: null,
    });
  });

  test('an item that is null is the zero of its type', () => {
    expect(typed('v1', 'ConfigMap', { data: { a: null } })).toEqual({ metadata: {}, data: { a: '' } });
    const role = typed('rbac.authorization.k8s.io/v1', 'Role', { rules: [null] });
    expect(role['rules']).toEqual([{ verbs: null }]);
  });

  test.each([
    ['1024Mi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['0.5Gi', '512Mi'],
    ['1Ki', '1Ki'],
    ['1000Ki', '1000Ki'],
    ['1536', '1536'],
    [1000, '1k'],
    [0.5, '500m'],
    ['1000m', '1'],
    ['1e3', '1e3'],
    ['12E', '12E'],
    ['-5', '-5'],
    ['0Gi', '0'],
    ['+1.50', '1500m'],
  ])('the quantity %s is written %s', (given, written) => {
    const claim = typed('v1', 'PersistentVolumeClaim', {
      spec: { resources: { requests: { storage: given } } },
    });
    expect(claim['spec']).toEqual({ resources: { requests: { storage: written } } });
  });
});

describe('what Go says of a value of the wrong type', () => {
  const field = (struct: string, type: string, kind: string) =>
    `json: cannot unmarshal ${kind} into Go struct field ${struct} of type ${type}`;

  test.each([
    [{ image: 5 }, field('Container.spec.containers.image', 'string', 'number')],
    [{ command: 'sh' }, field('Container.spec.containers.command', '[]string', 'string')],
    [{ args: ['a', 1] }, field('Container.spec.containers.args', 'string', 'number')],
    [{ env: [{ name: 'A', value: true }] }, field('EnvVar.spec.containers.env.value', 'string', 'bool')],
    [
      { ports: [{ containerPort: 1.5 }] },
      field('ContainerPort.spec.containers.ports.containerPort', 'int32', 'number 1.5'),
    ],
    [
      { ports: [{ protocol: 6 }] },
      field('ContainerPort.spec.containers.ports.protocol', 'v1.Protocol', 'number'),
    ],
    [
      { livenessProbe: { exec: [] } },
      field('Probe.spec.containers.livenessProbe.ProbeHandler.exec', 'v1.ExecAction', 'array'),
    ],
    [
      { resources: { limits: [] } },
      field('ResourceRequirements.spec.containers.resources.limits', 'v1.ResourceList', 'array'),
    ],
  ])('%j', (container, text) => expect(inPod(container)).toBe(text));

  test('the first of several is reported, but a quantity stops the decoding at once', () => {
    expect(inPod({ image: 5, command: 'sh' })).toContain('containers.image');
    expect(inPod({ image: 5, resources: { limits: { cpu: 'lots' } } })).toBe(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
  });

  test.each([
    ['a!', 1],
    ['abc', 0],
    ['QUJD=', 4],
    ['QQ=a', 2],
    ['QQ==\nQ', 5],
    ['QUI', 0],
  ])('base64 %j', (text, at) => {
    const found = mistake('v1', 'Secret', { data: { a: text } });
    expect(found).toBe(`illegal base64 data at input byte ${at}`);
  });

  test('what was stored before is left as it is', () => {
    const object: KubeObject = { data: { a: 1 } };
    readLeniently(object);
    expect(object).toEqual({ metadata: {}, data: { a: 1 } });
  });

  test('long maps and lists are read and filled in steps', () => {
    const found = typedKind('v1', 'ConfigMap');
    const data = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, null]));
    const configMap: KubeObject = { data };
    expect([...(found?.read(configMap, { isLenient: false }) ?? [])].length).toBe(20);
    expect(Object.values(data).every((value) => value === '')).toBe(true);
    const env = Array.from({ length: 5_000 }, (_, index) => ({ name: `e${index}`, value: '' }));
    const pod = typed('v1', 'Pod', { spec: { containers: [{ name: 'c', env }] } });
    expect(pod['spec']).toMatchObject({ containers: [{ env: env.map(({ name }) => ({ name })) }] });
  });

  test.each([
    ['before', { immutable: 1, data: many({ k9999: 2 }) }, 'ConfigMap.immutable of type bool'],
    ['after', { data: many({ k9999: 2 }), immutable: 1 }, 'ConfigMap.data of type string'],
    [
      'in between',
      { data: many({}), immutable: 1, binaryData: many({ k9999: 2 }) },
      'ConfigMap.immutable of type bool',
    ],
  ])('the first mistake is reported though long maps are read last: %s', (_, configMap, field) => {
    expect(mistake('v1', 'ConfigMap', configMap)).toBe(
      `json: cannot unmarshal number into Go struct field ${field}`,
    );
  });

  test('what is wrong in a long map that was stored before is not taken for scalars', () => {
    expect(readLeniently({ data: many({ k9999: { a: 1 } }) })?.size).toBe(0);
    expect(readLeniently({ data: many({}) })?.size).toBe(0);
  });
});

function many(more: Record<string, JsonValue>): Record<string, JsonValue> {
  return { ...Object.fromEntries(Array.from({ length: 9_999 }, (_, index) => [`k${index}`, ''])), ...more };
}

describe('times with microseconds', () => {
  const renewed = (renewTime: string) =>
    typed('coordination.k8s.io/v1', 'Lease', { spec: { renewTime } })['spec'];
  const layout = 'as "2006-01-02T15:04:05.000000Z07:00": cannot parse';

  test.each([
    ['2020-01-02T03:04:05.000006Z', '2020-01-02T03:04:05.000006Z'],
    ['2020-01-02T03:04:05.000006+01:00', '2020-01-02T02:04:05.000006Z'],
    ['2020-01-02T03:04:05,000006Z', '2020-01-02T03:04:05.000006Z'],
  ])('%s is written %s', (given, written) => expect(renewed(given)).toEqual({ renewTime: written }));

  test.each([
    ['2020-01-02T03:04:05Z', `${layout} "Z" as ".000000"`],
    ['2020-01-02T03:04:05.006Z', `${layout} ".006Z" as ".000000"`],
    ['2020-01-02T03:04:05.000000006Z', `${layout} "006Z" as "Z07:00"`],
    ['', `${layout} "" as "2006"`],
  ])('%j is refused', (given, text) =>
    expect(() => renewed(given)).toThrow(`parsing time ${JSON.stringify(given)} ${text}`),
  );

  test('a month that does not exist is refused', () => {
    expect(() => renewed('2020-13-01T00:00:00.000000Z')).toThrow(
      'parsing time "2020-13-01T00:00:00.000000Z": month out of range',
    );
  });
});
