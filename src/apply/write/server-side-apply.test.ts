import { describe, expect, test } from 'vitest';
import {
  atOnce,
  isObject,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  metadataOf,
  ownList,
  ownObject,
  StatusError,
} from '../../meta/index.ts';
import {
  apply,
  applyAsync,
  decodeManagedFields,
  keepTimesOfNoChange,
  mainResetFields,
  type MergeType,
  statusResetFields,
  typeFromStructuralSchema,
  update,
  updateAsync,
} from '../index.ts';
import { ApplyConflictError } from '../managers/conflict.ts';

const schema: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer' },
        image: { type: 'string' },
        words: { type: 'array', items: { type: 'string' } },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', properties: { name: { type: 'string' }, port: { type: 'integer' } } },
        },
      },
    },
    status: { type: 'object', properties: { ready: { type: 'boolean' } } },
  },
};
const type = typeFromStructuralSchema(schema);
const v1 = 'example.com/v1';
const day = (number: number) => Date.UTC(2026, 0, number);

interface Write {
  readonly manager?: string;
  readonly apiVersion?: string;
  readonly subresource?: string;
  readonly day?: number;
  readonly force?: boolean;
  readonly typeOf?: (apiVersion: string) => MergeType | undefined;
  readonly resetFields?: ReturnType<typeof mainResetFields>;
  readonly onFrozen?: (error: unknown) => void;
  readonly convert?: (object: KubeObject, apiVersion: string) => KubeObject | undefined;
}

function optionsOf({ day: on = 1, ...write }: Write) {
  return {
    manager: 'm',
    apiVersion: v1,
    kind: 'Widget',
    force: false,
    nowMs: day(on),
    typeOf: (): MergeType | undefined => type,
    convert: (object: KubeObject, apiVersion: string): KubeObject | undefined => ({ ...object, apiVersion }),
    ...write,
  };
}

const widget = (spec: JsonValue, more: JsonObject = {}): KubeObject => ({
  apiVersion: v1,
  kind: 'Widget',
  metadata: { name: 'a', namespace: 'ns' },
  ...(spec === undefined ? {} : { spec }),
  ...more,
});
/** As the registry stores it: with the metadata that the system sets on create. */
const stored = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...metadataOf(object), uid: 'u1', creationTimestamp: '2026-01-01T00:00:00Z', generation: 1 },
});
const applied = (live: KubeObject | undefined, configuration: KubeObject, write: Write = {}) =>
  apply(live, configuration, optionsOf(write)).object;
const updated = (live: KubeObject | undefined, next: KubeObject, write: Write = {}) =>
  update(live, next, optionsOf(write));

/** `Apply m 01: .spec.a .spec.b` for every manager, in stored order. */
function managers(object: KubeObject): string[] {
  return [...decodeManagedFields(metadataOf(object)['managedFields']).values()].map(
    ({ identity, version, time, set }) => {
      const where = identity.subresource === '' ? '' : `/${identity.subresource}`;
      const other = version === v1 ? '' : ` ${version}`;
      return `${identity.operation} ${identity.manager}${where}${other} ${time?.slice(8, 10) ?? '--'}: ${set.toText().join(' ')}`;
    },
  );
}

const labelsOf = (object: KubeObject) => ownObject(ownObject(object, 'spec') ?? {}, 'labels');

function thrownBy(work: () => unknown): StatusError {
  try {
    work();
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a create', () => {
  test('by apply owns what was sent, without what belongs to the system', () => {
    const object = applied(undefined, widget({ replicas: 1, labels: { a: 'b' } }));
    expect(object).toEqual(
      widget(
        { replicas: 1, labels: { a: 'b' } },
        {
          metadata: {
            name: 'a',
            namespace: 'ns',
            managedFields: [
              {
                apiVersion: v1,
                fieldsType: 'FieldsV1',
                fieldsV1: { 'f:spec': { 'f:labels': { 'f:a': {} }, 'f:replicas': {} } },
                manager: 'm',
                operation: 'Apply',
                time: '2026-01-01T00:00:00Z',
              },
            ],
          },
        },
      ),
    );
  });

  test('by update owns containers too', () => {
    const labels = { metadata: { name: 'a', labels: { x: 'y' }, annotations: { p: 'q' } } };
    expect(managers(updated(undefined, widget({ replicas: 1 }, labels)))).toEqual([
      'Update m 01: .spec .metadata.annotations .metadata.labels .metadata.annotations.p .metadata.labels.x .spec.replicas',
    ]);
  });

  test('of nothing but a name leaves no managed fields', () => {
    const object = updated(undefined, {
      apiVersion: v1,
      kind: 'Widget',
      metadata: { generateName: '', name: 'a' },
    });
    expect(managers(object)).toEqual(['Update m 01: .metadata.generateName']);
    const bare = { apiVersion: v1, kind: 'Widget', metadata: { name: 'a' } };
    expect(updated(undefined, bare)).toEqual(bare);
    expect(applied(undefined, bare)).toEqual(bare);
  });

  test('without a manager is by unknown', () => {
    expect(managers(updated(undefined, widget({ image: 'x' }), { manager: '' }))).toEqual([
      'Update unknown 01: .spec .spec.image',
    ]);
  });
});

describe('an update', () => {
  const live = stored(applied(undefined, widget({ replicas: 1, image: 'x' })));

  test('takes what it changes from the applier', () => {
    const spec = { replicas: 2, image: 'x' };
    expect(managers(updated(live, { ...live, spec }, { manager: 'c', day: 2 }))).toEqual([
      'Apply m 01: .spec.image',
      'Update c 02: .spec.replicas',
    ]);
  });

  test('takes away what it removes from everybody', () => {
    const once = updated(live, { ...live, spec: { image: 'x' } }, { manager: 'c', day: 2 });
    expect(managers(once)).toEqual(['Apply m 01: .spec.image']);
  });

  test('that changes nothing leaves managers and times as they are', () => {
    const next = structuredClone(live);
    expect(updated(live, next, { manager: 'c', day: 9 })).toEqual(live);
    const { managedFields: _, ...metadata } = metadataOf(next);
    expect(updated(live, { ...next, metadata }, { manager: 'c', day: 9 })).toEqual(live);
  });

  test('by the same manager adds to its entry and moves its time', () => {
    const once = updated(live, { ...live, spec: { replicas: 2, image: 'x' } }, { manager: 'c', day: 2 });
    const twice = updated(
      once,
      { ...once, spec: { replicas: 2, image: 'x', words: ['a'] } },
      { manager: 'c', day: 3 },
    );
    expect(managers(twice)).toEqual(['Apply m 01: .spec.image', 'Update c 03: .spec.replicas .spec.words']);
  });

  test('gives new objects and changes neither side', () => {
    const before = structuredClone(live);
    const next: KubeObject = { ...live, spec: { replicas: 5 } };
    const result = updated(live, next, { manager: 'c' });
    expect(live).toEqual(before);
    expect(result).not.toBe(next);
    expect(result['metadata']).not.toBe(next['metadata']);
    expect(metadataOf(next)['managedFields']).toEqual(metadataOf(before)['managedFields']);
  });

  test.each([[[]], [[{}]]])(
    'with managedFields %j forgets everybody, and nobody is tracked until an apply',
    (list) => {
      const metadata = { ...metadataOf(live), managedFields: list };
      const reset = updated(live, { ...live, metadata }, { manager: 'c' });
      expect(metadataOf(reset)).not.toHaveProperty('managedFields');
      const next = updated(reset, { ...reset, spec: { replicas: 9 } }, { manager: 'c' });
      expect(managers(next)).toEqual([]);
      expect(managers(applied(next, widget({ image: 'y' }), { manager: 'n', day: 3 }))).toEqual([
        'Apply n 03: .spec.image',
        'Update before-first-apply 03: .spec .spec.replicas',
      ]);
    },
  );

  test('may rewrite managed fields, but not through a subresource', () => {
    const entry = {
      manager: 'z',
      operation: 'Apply',
      apiVersion: v1,
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:image': {} } },
    };
    const next = { ...live, metadata: { ...metadataOf(live), managedFields: [entry] } };
    expect(managers(updated(live, next, { manager: 'c' }))).toEqual(['Apply z --: .spec.image']);
    expect(managers(updated(live, next, { manager: 'c', subresource: 'status' }))).toEqual(managers(live));
  });

  test.each<[JsonValue]>([
    [[{ manager: 'z' }]],
    [[{ manager: 'z', operation: 'Update', apiVersion: v1, fieldsType: 'FieldsV1', fieldsV1: { x: {} } }]],
    ['text'],
    [null],
  ])('with managedFields %j that cannot be read keeps the live ones', (managedFields) => {
    const next = { ...live, metadata: { ...metadataOf(live), managedFields } };
    expect(managers(updated(live, next, { manager: 'c' }))).toEqual(managers(live));
  });

  test('of an object that does not have its type keeps the live managers and says so', () => {
    const errors: unknown[] = [];
    const next = { ...live, spec: { replicas: 'many' } };
    const result = updated(live, next, { manager: 'c', onFrozen: (error) => errors.push(error) });
    expect(result).toEqual(next);
    expect(errors.map(String)).toEqual([
      'TypedError: .spec.replicas: expected numeric (int or float), got string',
    ]);
  });

  test('attributes duplicates in a keyed list to the item', () => {
    const ports = [
      { name: 'a', port: 1 },
      { name: 'a', port: 2 },
    ];
    expect(
      managers(updated(live, { ...live, spec: { replicas: 1, image: 'x', ports } }, { manager: 'c' })),
    ).toEqual(['Apply m 01: .spec.image .spec.replicas', 'Update c 01: .spec.ports .spec.ports[name="a"]']);
  });

  test('beyond ten updaters joins the oldest ones', () => {
    let object = live;
    for (let index = 1; index <= 13; index += 1) {
      const labels = Object.fromEntries(Array.from({ length: index }, (_, at) => [`l${at}`, 'x']));
      const next = { ...object, spec: { replicas: 1, image: 'x', labels } };
      object = updated(object, next, { manager: `c${index}`, day: index });
    }
    expect(managers(object).slice(0, 3)).toEqual([
      'Apply m 01: .spec.image .spec.replicas',
      'Update ancient-changes 04: .spec.labels .spec.labels.l0 .spec.labels.l1 .spec.labels.l2 .spec.labels.l3',
      'Update c5 05: .spec.labels.l4',
    ]);
    expect(managers(object)).toHaveLength(11);
  });
});

describe('an apply', () => {
  const live = stored(applied(undefined, widget({ replicas: 1, image: 'x', labels: { a: 'b' } })));

  test('removes what it applied before and does not any more', () => {
    const object = applied(live, widget({ replicas: 1 }), { day: 2 });
    expect(object['spec']).toEqual({ replicas: 1 });
    expect(managers(object)).toEqual(['Apply m 02: .spec.replicas']);
  });

  test('keeps what another manager owns', () => {
    const both = applied(live, widget({ image: 'x' }), { manager: 'n', day: 2 });
    const object = applied(both, widget({ replicas: 1 }), { day: 3 });
    expect(object['spec']).toEqual({ replicas: 1, image: 'x' });
    expect(managers(object)).toEqual(['Apply n --: .spec.image', 'Apply m 03: .spec.replicas']);
  });

  test('that changes nothing keeps its time and says so', () => {
    const again = apply(live, widget({ replicas: 1, image: 'x', labels: { a: 'b' } }), optionsOf({ day: 9 }));
    expect(again).toEqual({ object: live, changed: false });
  });

  test('of the same values by another manager shares them, without a time', () => {
    const result = apply(live, widget({ image: 'x' }), optionsOf({ manager: 'n', day: 9 }));
    expect(result.changed).toBe(true);
    expect(managers(result.object)).toEqual([
      'Apply n --: .spec.image',
      'Apply m 01: .spec.image .spec.replicas .spec.labels.a',
    ]);
  });

  test('of another value conflicts, and changes nothing', () => {
    const before = structuredClone(live);
    const error = thrownBy(() => applied(live, widget({ image: 'y' }), { manager: 'n' }));
    expect(error).toBeInstanceOf(ApplyConflictError);
    expect(error.status).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Apply failed with 1 conflict: conflict with "m": .spec.image',
      reason: 'Conflict',
      details: {
        causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "m"', field: '.spec.image' }],
      },
      code: 409,
    });
    expect(live).toEqual(before);
  });

  test('names every owner and field in a conflict', () => {
    const spec = { replicas: 2, image: 'x', labels: { a: 'b' } };
    const scaled = updated(live, { ...live, spec }, { manager: 'c', subresource: 'scale' });
    const wanted = widget({ replicas: 3, image: 'y', labels: { a: 'z' } });
    expect(thrownBy(() => applied(scaled, wanted, { manager: 'n' })).status.message).toBe(
      [
        'Apply failed with 3 conflicts: conflicts with "c" with subresource "scale" using example.com/v1:',
        '- .spec.replicas',
        'conflicts with "m":',
        '- .spec.image',
        '- .spec.labels.a',
      ].join('\n'),
    );
  });

  test('by force takes the fields', () => {
    const object = applied(live, widget({ image: 'y' }), { manager: 'n', force: true, day: 2 });
    expect(object['spec']).toEqual({ replicas: 1, image: 'y', labels: { a: 'b' } });
    expect(managers(object)).toEqual([
      'Apply m 01: .spec.replicas .spec.labels.a',
      'Apply n 02: .spec.image',
    ]);
  });

  test('of null over a struct with other content keeps it', () => {
    const object = applied(live, widget({ labels: null }), { manager: 'n', day: 2 });
    expect(object['spec']).toEqual({ replicas: 1, image: 'x', labels: { a: 'b' } });
    expect(managers(object)).toContain('Apply n --: .spec.labels');
  });

  test('shares nothing with the live object or the configuration where it changed something', () => {
    const configuration = widget({ labels: { c: 'd' } });
    const object = applied(live, configuration, { manager: 'n' });
    expect(object['spec']).not.toBe(live['spec']);
    expect(labelsOf(object)).not.toBe(labelsOf(configuration));
  });

  test('keeps keys that objects treat specially', () => {
    const labels = JSON.parse('{"__proto__":"p","constructor":"c"}');
    const object = applied(undefined, widget({ labels }));
    expect(JSON.stringify(labelsOf(object))).toBe('{"__proto__":"p","constructor":"c"}');
    expect(managers(object)).toEqual(['Apply m 01: .spec.labels.__proto__ .spec.labels.constructor']);
    const fewer = applied(stored(object), widget({ labels: JSON.parse('{"constructor":"c"}') }), { day: 2 });
    expect(JSON.stringify(labelsOf(fewer))).toBe('{"constructor":"c"}');
  });
});

describe('an apply is refused', () => {
  test.each<[string, KubeObject, number, string]>([
    [
      'of another version',
      { ...widget({}), apiVersion: 'example.com/v2' },
      400,
      'invalid object type: example.com/v2, Kind=Widget',
    ],
    [
      'of another kind',
      { ...widget({}), kind: 'Gadget' },
      400,
      'invalid object type: example.com/v1, Kind=Gadget',
    ],
    ['of a core kind', { ...widget({}), apiVersion: 'v1' }, 400, 'invalid object type: /v1, Kind=Widget'],
    [
      'with managed fields',
      widget({}, { metadata: { name: 'a', managedFields: [] } }),
      400,
      'metadata.managedFields must be nil',
    ],
    [
      'with an unknown field',
      widget({ x: 1 }),
      500,
      'failed to create typed patch object (ns/a; example.com/v1, Kind=Widget): .spec.x: field not declared in schema',
    ],
    [
      'with an item twice',
      widget({ ports: [{ name: 'a' }, { name: 'a' }] }),
      500,
      'failed to create typed patch object (ns/a; example.com/v1, Kind=Widget): .spec.ports: duplicate entries for key [name="a"]',
    ],
  ])('%s', (_, configuration, code, message) => {
    const { status } = thrownBy(() => applied(undefined, configuration));
    expect([status.code, status.message]).toEqual([code, message]);
  });

  test('where the live object does not have its type', () => {
    const why = '(ns/a; example.com/v1, Kind=Widget)';
    const problem = '.spec.replicas: expected numeric (int or float), got string';
    const untracked = stored(widget({ replicas: 'many' }));
    expect(thrownBy(() => applied(untracked, widget({ image: 'x' }))).status).toMatchObject({
      code: 500,
      message: `failed to create manager for existing fields: failed to convert new object ${why} to smd typed: ${problem}`,
    });
    const tracked = { ...applied(undefined, widget({ image: 'x' })), spec: { replicas: 'many' } };
    expect(thrownBy(() => applied(tracked, widget({ image: 'x' }))).status).toMatchObject({
      code: 500,
      message: `failed to create typed live object ${why}: ${problem}`,
    });
  });

  test.each<[JsonValue, string]>([
    [[{ manager: 'm' }], 'operation must be `Apply` or `Update`'],
    [[{ operation: 'Apply' }], 'apiVersion must not be empty'],
    [[{ operation: 'Apply', apiVersion: 'v1' }], 'missing fieldsType in managed fields entry 0'],
    [
      [{ operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV2' }],
      'invalid fieldsType "FieldsV2" in managed fields entry 0',
    ],
  ])('where stored managed fields %j cannot be read', (managedFields, why) => {
    const live = { ...widget({}), metadata: { name: 'a', managedFields } };
    expect(thrownBy(() => applied(live, widget({}))).status).toMatchObject({
      code: 500,
      message: `failed to decode managed fields: ${why}`,
    });
  });
});

describe('subresources', () => {
  const live = stored(applied(undefined, widget({ replicas: 1 }), { resetFields: mainResetFields(v1) }));

  test('the main endpoint does not own status', () => {
    const sent = widget({ replicas: 1 }, { status: { ready: true } });
    const object = applied(undefined, sent, { resetFields: mainResetFields(v1) });
    expect(managers(object)).toEqual(['Apply m 01: .spec.replicas']);
  });

  test('the status endpoint owns status only', () => {
    const resetFields = statusResetFields([v1]);
    const next = { ...live, spec: { replicas: 5 }, status: { ready: true } };
    expect(
      managers(updated(live, next, { manager: 'c', subresource: 'status', resetFields, day: 2 })),
    ).toEqual(['Apply m 01: .spec.replicas', 'Update c/status 02: .status .status.ready']);
    const sent = widget({ replicas: 7 }, { status: { ready: true } });
    expect(
      managers(applied(live, sent, { manager: 'c', subresource: 'status', resetFields, day: 2 })),
    ).toEqual(['Apply m 01: .spec.replicas', 'Apply c/status 02: .status.ready']);
  });
});

describe('several versions', () => {
  const v2 = 'example.com/v2';
  // The schema of v2 names `image` `picture`.
  const schemaV2 = JSON.parse(JSON.stringify(schema).replaceAll('"image"', '"picture"'));
  const types = new Map([
    [v1, type],
    [v2, typeFromStructuralSchema(schemaV2)],
  ]);
  const rename = (object: KubeObject, apiVersion: string): KubeObject => {
    const [from, to] = apiVersion === v2 ? ['"image"', '"picture"'] : ['"picture"', '"image"'];
    return { ...JSON.parse(JSON.stringify(object).replaceAll(from, to)), apiVersion };
  };
  const versions = { typeOf: (apiVersion: string) => types.get(apiVersion), convert: rename };
  const inV1 = stored(applied(undefined, widget({ image: 'x', replicas: 1 }), versions));
  const widgetV2 = (spec: JsonValue) => ({ ...widget(spec), apiVersion: v2 });
  const onV2 = { ...versions, apiVersion: v2 };

  test('a conflict is seen across versions', () => {
    const error = thrownBy(() =>
      applied(rename(inV1, v2), widgetV2({ picture: 'y' }), { ...onV2, manager: 'n' }),
    );
    expect(error.message).toBe('Apply failed with 1 conflict: conflict with "m": .spec.image');
  });

  test('an applier that moves to another version prunes what it applied in the old one', () => {
    const object = applied(rename(inV1, v2), widgetV2({ replicas: 1 }), { ...onV2, day: 2 });
    expect(object['spec']).toEqual({ replicas: 1 });
    expect(managers(object)).toEqual([`Apply m ${v2} 02: .spec.replicas`]);
  });

  test('an update takes fields in the version of their owner', () => {
    const live = rename(inV1, v2);
    const object = updated(
      live,
      { ...live, spec: { picture: 'y', replicas: 1 } },
      { ...onV2, manager: 'c', day: 2 },
    );
    expect(managers(object)).toEqual(['Apply m 01: .spec.replicas', `Update c ${v2} 02: .spec.picture`]);
  });

  test('managers of a version that is gone are forgotten', () => {
    const gone = { ...onV2, typeOf: (apiVersion: string) => (apiVersion === v2 ? types.get(v2) : undefined) };
    const live = rename(inV1, v2);
    expect(managers(applied(live, widgetV2({ picture: 'y' }), { ...gone, manager: 'n', day: 2 }))).toEqual([
      `Apply n ${v2} 02: .spec.picture`,
    ]);
    const unconvertible = { ...onV2, convert: () => undefined };
    const next = { ...live, spec: { picture: 'z', replicas: 1 } };
    expect(managers(updated(live, next, { ...unconvertible, manager: 'c', day: 2 }))).toEqual([
      `Update c ${v2} 02: .spec.picture`,
    ]);
  });

  test('a conversion that fails ends an apply, and leaves managers of an update as they are', () => {
    const live = rename(inV1, v2);
    const failing = {
      ...onV2,
      convert: (): KubeObject => {
        throw new Error('the webhook is down');
      },
    };
    expect(() => applied(live, widgetV2({ picture: 'y' }), { ...failing, manager: 'n' })).toThrow(
      'the webhook is down',
    );
    const errors: unknown[] = [];
    const onFrozen = (error: unknown) => errors.push(error);
    const next = { ...live, spec: { picture: 'z', replicas: 1 } };
    expect(managers(updated(live, next, { ...failing, onFrozen }))).toEqual(managers(live));
    expect(errors.map(String)).toEqual(['Error: the webhook is down']);
  });

  test('a conversion may take its time', async () => {
    const convert = async (object: KubeObject, apiVersion: string) => rename(object, apiVersion);
    const live = rename(inV1, v2);
    const options = { ...optionsOf({ ...onV2, manager: 'n', force: true, day: 2 }), convert };
    const { object } = await applyAsync(live, widgetV2({ picture: 'y' }), options);
    expect(managers(object)).toEqual(['Apply m 01: .spec.replicas', `Apply n ${v2} 02: .spec.picture`]);
    const next = await updateAsync(live, { ...live, spec: { picture: 'y', replicas: 1 } }, options);
    expect(managers(next)).toEqual(['Apply m 01: .spec.replicas', `Update n ${v2} 02: .spec.picture`]);
    const failing = { ...options, convert: () => Promise.reject(new Error('timeout')) };
    await expect(applyAsync(live, widgetV2({ picture: 'z' }), failing)).rejects.toThrow('timeout');
    expect(managers(await updateAsync(live, { ...live, spec: {} }, failing))).toEqual(managers(live));
  });
});

describe('a write that changes nothing but times', () => {
  const live = stored(applied(undefined, widget({ replicas: 1 })));
  const entry = ownList(metadataOf(live), 'managedFields')?.filter(isObject)[0] ?? {};
  const later = (more: JsonObject = {}): KubeObject => ({
    ...live,
    metadata: { ...metadataOf(live), managedFields: [{ ...entry, time: '2026-05-05T00:00:00Z' }] },
    ...more,
  });

  test('gets the old times back', () => {
    expect(atOnce(keepTimesOfNoChange(live, later()))).toEqual(live);
  });

  test('keeps the new times where anything else differs', () => {
    const changed = later({ spec: { replicas: 2 } });
    expect(atOnce(keepTimesOfNoChange(live, changed))).toBe(changed);
    const otherManager = {
      ...live,
      metadata: {
        ...metadataOf(live),
        managedFields: [{ ...entry, manager: 'z', time: '2026-05-05T00:00:00Z' }],
      },
    };
    expect(atOnce(keepTimesOfNoChange(live, otherManager))).toBe(otherManager);
  });
});
