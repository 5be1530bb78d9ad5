import { describe, expect, test } from 'vitest';
import { isObject, type JsonValue } from '../../meta/index.ts';
import { DecodeError } from '../decode-error.ts';
import { decodeJson } from '../json/decode-json.ts';
import { encodeJson } from '../json/encode-json.ts';
import { decodeProtobuf, encodeProtobuf } from './envelope.ts';
import { supportsProtobuf } from './kinds.ts';

/** Kind, the bytes of Go's serializer, and Go's JSON of the same object, without lists that are null. */
const fromGo: readonly [kind: string, protobuf: string, json: string][] = [
  [
    'Namespace',
    'azhzAAoPCgJ2MRIJTmFtZXNwYWNlEkkKQQoGdGVhbS1hEgAaACIAKgAyADiBgICAgICAEEIICKXr3MoGEABaDgoJX19wcm90b19f' +
      'EgF4WgoKA2FwcBIDd2ViEgAaAgoAGgAiAA==',
    '{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"team-a","generation":9007199254740993,' +
      '"creationTimestamp":"2026-01-02T03:04:05Z","labels":{"__proto__":"x","app":"web"}},"spec":{},"st' +
      'atus":{}}',
  ],
  [
    'Lease',
    'azhzAAofChZjb29yZGluYXRpb24uazhzLmlvL3YxEgVMZWFzZRJDChsKBGxvY2sSABoHZGVmYXVsdCIAKgAyADgAQgASJAoCbWUQ' +
      'DxoMCKXr3MoGEIjq3MMCIgwIpevcygYQiOrcwwIoABoAIgA=',
    '{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"lock","namespace":"def' +
      'ault"},"spec":{"holderIdentity":"me","leaseDurationSeconds":15,"acquireTime":"2026-01-02T03:04:0' +
      '5.678901Z","renewTime":"2026-01-02T03:04:05.678901Z","leaseTransitions":0}}',
  ],
  [
    'Event',
    'azhzAAoLCgJ2MRIFRXZlbnQScgoYCgFlEgAaB2RlZmF1bHQiACoAMgA4AEIAEhIKA1BvZBIAGgFwIgAqADIAOgAaB1N0YXJ0ZWQi' +
      'DGl0IDxzdGFydGVkPioFCgFjEgAyCAil69zKBhAAOggIpevcygYQAEACSgZOb3JtYWxSAGIAcgB6ABoAIgA=',
    '{"kind":"Event","apiVersion":"v1","metadata":{"name":"e","namespace":"default"},"involvedObject"' +
      ':{"kind":"Pod","name":"p"},"reason":"Started","message":"it \\u003cstarted\\u003e","source":{"comp' +
      'onent":"c"},"firstTimestamp":"2026-01-02T03:04:05Z","lastTimestamp":"2026-01-02T03:04:05Z","coun' +
      't":2,"type":"Normal","eventTime":null,"reportingComponent":"","reportingInstance":""}',
  ],
  [
    'Secret',
    'azhzAAoMCgJ2MRIGU2VjcmV0Ei0KEQoBcxIAGgAiACoAMgA4AEIAEgcKAWESAgD/EgUKAWISABoGT3BhcXVlKAAaACIA',
    '{"kind":"Secret","apiVersion":"v1","metadata":{"name":"s"},"immutable":false,"data":{"a":"AP8=",' +
      '"b":""},"type":"Opaque"}',
  ],
  [
    'CustomResourceDefinition',
    'azhzAAozChdhcGlleHRlbnNpb25zLms4cy5pby92MRIYQ3VzdG9tUmVzb3VyY2VEZWZpbml0aW9uEswDCiAKEGZvb3MuZXhhbXBs' +
      'ZS5jb20SABoAIgAqADIAOABCABKZAwoLZXhhbXBsZS5jb20aDwoEZm9vcxIAIgNGb28qACIKTmFtZXNwYWNlZDrqAgoCdjEQARgB' +
      'IsoCCscCCgASACIAKgZvYmplY3QyADoAUABgAHoAkAEA6gFLCgRmbGFnEkMKABIAIgAqB2Jvb2xlYW4yADoAQgcKBWZhbHNlUABg' +
      'AHoAkAEAogEGCgR0cnVlogEJCgd7ImEiOjF9qAIAuAIAwAIA6gF1CgRsaXN0Em0KABIAIgAqBWFycmF5MgA6AFAAWQAAAAAAAPi/' +
      'YAB6AIABAJABAMIBJwolCgASACIAKgdpbnRlZ2VyMgA6AFAAYAB6AJABAKgCALgCAMACAagCALgCAMACAOICEQoIc2VsZiA+IDAS' +
      'AW0aACoA6gFaCgRzcGVjElIKABIAIgAqBm9iamVjdDIAOgBQAGAAegCQAQDyASgIARIkCgASACIAKgZzdHJpbmcyADoAUABgAHoA' +
      'kAEAqAIAuAIAwAIAqAIAsAIBuAIAwAIAqAIAuAIAwAIAKgIKADgASg0KCy5zcGVjLmNvbG9yUAAaDBIICgASACIAKgAgABoAIgA=',
    '{"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1","metadata":{"name":"fo' +
      'os.example.com"},"spec":{"group":"example.com","names":{"plural":"foos","kind":"Foo"},"scope":"N' +
      'amespaced","versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"t' +
      'ype":"object","properties":{"flag":{"type":"boolean","default":false,"enum":[true,{"a":1}]},"lis' +
      't":{"type":"array","minimum":-1.5,"maxItems":0,"items":{"type":"integer","x-kubernetes-int-or-st' +
      'ring":true},"x-kubernetes-validations":[{"rule":"self \\u003e 0","message":"m"}]},"spec":{"type":' +
      '"object","additionalProperties":{"type":"string"},"x-kubernetes-preserve-unknown-fields":true}}}' +
      '},"subresources":{"status":{}},"selectableFields":[{"jsonPath":".spec.color"}]}]},"status":{"acc' +
      'eptedNames":{"plural":"","kind":""}}}',
  ],
  [
    'Pod',
    'azhzAAoJCgJ2MRIDUG9kEuUBCikKAXASABoHZGVmYXVsdCIAKgAyADgAQgBqDwoBWBoBeCIBdSoCdjEwARKiAQoQCgF2EgsSCQoA' +
      'EgUKAzFHaRJhCgFjEgNpOjEqADIKCgAQABhQIgAqADoFCgFBEgBCDwoNCgNjcHUSBgoENTAwbVIhChUSEwoBLxIKCAEQABoEaHR0' +
      'cBoAIgAQABgAIAUoADAAagByAIABAIgBAJABAKIBABoAIAAyAEIASgBSAFgAYABoAHINIAEg/v//////////AYIBAIoBAJoBAMIB' +
      'ABoTCgAaACIAKgAyAEoAWgByAIgBABoAIgA=',
    '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","namespace":"default","ownerReferences":[' +
      '{"apiVersion":"v1","kind":"X","name":"x","uid":"u","controller":true}]},"spec":{"volumes":[{"nam' +
      'e":"v","emptyDir":{"sizeLimit":"1Gi"}}],"containers":[{"name":"c","image":"i:1","ports":[{"conta' +
      'inerPort":80}],"env":[{"name":"A"}],"resources":{"limits":{"cpu":"500m"}},"livenessProbe":{"http' +
      'Get":{"path":"/","port":"http"},"periodSeconds":5}}],"terminationGracePeriodSeconds":0,"security' +
      'Context":{"supplementalGroups":[1,-2]}},"status":{}}',
  ],
  [
    'DeleteOptions',
    'azhzAAoTCgJ2MRINRGVsZXRlT3B0aW9ucxIOCAAiCkZvcmVncm91bmQaACIA',
    '{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0,"propagationPolicy":"Foreground' + '"}',
  ],
  [
    'Scale',
    'azhzAAoXCg5hdXRvc2NhbGluZy92MRIFU2NhbGUSIAoRCgFzEgAaACIAKgAyADgAQgASAggDGgcIABIDYT1iGgAiAA==',
    '{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"s"},"spec":{"replicas":3},"sta' +
      'tus":{"replicas":0,"selector":"a=b"}}',
  ],
];

const base64 = (text: string) => Buffer.from(text, 'base64');
const canonical = (value: JsonValue) => encodeJson(value).toString();
const fromJson = (json: string) => decodeJson(Buffer.from(json)).value;

function gvkOf(value: JsonValue): { group: string; version: string; kind: string } {
  if (!isObject(value)) throw new Error('not an object');
  const [version = '', group = ''] = String(value['apiVersion']).split('/').reverse();
  return { group, version, kind: String(value['kind']) };
}

function refusal(bytes: Uint8Array): string {
  try {
    decodeProtobuf(bytes);
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('objects that Go has written', () => {
  test.each(fromGo)('%s is read as the JSON that Go makes of it', (_, protobuf, json) => {
    expect(canonical(decodeProtobuf(base64(protobuf)))).toBe(canonical(fromJson(json)));
  });

  test.each(fromGo)('%s survives being written', (_, __, json) => {
    const value = fromJson(json);
    expect(canonical(decodeProtobuf(encodeProtobuf(value, gvkOf(value))))).toBe(canonical(dropNulls(value)));
  });

  test.each(fromGo)('%s cut anywhere is refused or shorter', (_, protobuf) => {
    const bytes = base64(protobuf);
    for (let end = 0; end < bytes.length; end += 1) {
      expect(refusal(bytes.subarray(0, end))).toMatch(
        /^(accepted|unexpected EOF|empty data)$|^provided data|^no protobuf form|^proto: |^unexpected end of JSON/,
      );
    }
  });
});

/** Null values in JSON are not on the wire. */
function dropNulls(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(entries.map(([key, item]): [string, JsonValue] => [key, dropNulls(item)]));
}

describe('lists', () => {
  test('have metadata and items', () => {
    const list: JsonValue = {
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      metadata: { resourceVersion: '7', continue: 'x', remainingItemCount: 2 },
      items: [
        { metadata: { name: 'a' }, data: { k: 'v' }, binaryData: { b: 'AP8=' } },
        { metadata: { name: 'b' } },
      ],
    };
    expect(decodeProtobuf(encodeProtobuf(list, gvkOf(list)))).toEqual(list);
  });

  test('may be empty', () => {
    const gvk = { group: 'coordination.k8s.io', version: 'v1', kind: 'LeaseList' };
    expect(decodeProtobuf(encodeProtobuf({}, gvk))).toEqual({
      kind: 'LeaseList',
      apiVersion: 'coordination.k8s.io/v1',
      metadata: {},
      items: [],
    });
  });
});

describe('values', () => {
  const roundTrip = (value: JsonValue) => decodeProtobuf(encodeProtobuf(value, gvkOf(value)));
  const crdWith = (schema: JsonValue): JsonValue => ({
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] },
  });

  test('the unions of a schema', () => {
    const crd = crdWith({
      properties: {
        __proto__x: { items: [{ type: 'string' }, { type: 'integer' }] },
        open: { additionalProperties: true, additionalItems: false },
        names: { dependencies: { a: ['b'], c: { type: 'object' } } },
        big: {
          default: 9223372036854775807n,
          example: { nested: [null, 1.5] },
          maximum: 1e21,
          maxLength: 2n ** 60n,
        },
      },
    });
    expect(roundTrip(crd)).toEqual(crd);
  });

  test('times', () => {
    const lease = (renewTime: string): JsonValue => ({
      kind: 'Lease',
      apiVersion: 'coordination.k8s.io/v1',
      spec: { renewTime },
    });
    expect(roundTrip(lease('2026-01-02T05:04:05.1+02:00'))).toEqual(lease('2026-01-02T03:04:05.100000Z'));
    expect(roundTrip(lease('1969-12-31T23:59:59.000001Z'))).toEqual(lease('1969-12-31T23:59:59.000001Z'));
    expect(() => roundTrip(lease('yesterday'))).toThrow(
      new DecodeError('cannot write field "renewTime" as protobuf MicroTime'),
    );
  });

  test('a value of another type is refused', () => {
    expect(() => roundTrip({ kind: 'Secret', apiVersion: 'v1', data: { a: 1 } })).toThrow(
      new DecodeError('cannot write field "data" as protobuf bytes'),
    );
    expect(() => roundTrip({ kind: 'Scale', apiVersion: 'autoscaling/v1', spec: { replicas: 1.5 } })).toThrow(
      new DecodeError('cannot write field "replicas" as protobuf int32'),
    );
  });

  test('nesting ends at the limit', () => {
    let schema: JsonValue = { type: 'string' };
    for (let depth = 0; depth < 1_200; depth += 1) schema = { not: schema };
    expect(refusal(encodeProtobuf(crdWith(schema), gvkOf(crdWith(schema))))).toBe(
      'proto: exceeded max depth',
    );
  });
});

describe('refusals', () => {
  const envelope = (hex: string) => Buffer.concat([Buffer.from('k8s\0'), Buffer.from(hex, 'hex')]);

  test.each([
    ['nothing', Buffer.alloc(0), 'empty data'],
    [
      'JSON',
      Buffer.from('{}'),
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    ],
    ['no type', envelope(''), 'no protobuf form is known for kind "" in version ""; send JSON'],
    ['a length beyond the end', envelope('0aff01'), 'unexpected EOF'],
    ['a field of number 0', envelope('0001'), 'proto: illegal tag 0 (wire type 0)'],
    ['an end group without a start group', envelope('0c'), 'proto: wiretype end group for non-group'],
    ['a wire type that is none', envelope('0f'), 'proto: illegal wireType 7'],
    ['groups without end', envelope('0b'.repeat(100_000)), 'proto: illegal wireType 3'],
    ['an integer without end', envelope('08ffffffffffffffffffffff'), 'proto: integer overflow'],
  ])('%s', (_, bytes, message) => expect(refusal(bytes)).toBe(message));

  test('a field of another type', () => {
    // Field 1 of a Namespace, its metadata, as a number.
    const typeMeta = Buffer.from('0a0f0a02763112094e616d657370616365', 'hex');
    const bytes = Buffer.concat([Buffer.from('k8s\0'), typeMeta, Buffer.from('12020801', 'hex')]);
    expect(refusal(bytes)).toBe('proto: wrong wireType = 0 for field metadata');
  });

  test('kinds without a protobuf form', () => {
    expect(() => encodeProtobuf({}, { group: 'apps', version: 'v2', kind: 'Deployment' })).toThrow(
      new DecodeError('no protobuf form is known for kind "Deployment" in version "apps/v2"; send JSON'),
    );
    expect(supportsProtobuf('apps', 'v1', 'Deployment')).toBe(true);
    expect(supportsProtobuf('apps', 'v2', 'Deployment')).toBe(false);
    expect(supportsProtobuf('', 'v1', 'Pod')).toBe(true);
    expect(supportsProtobuf('', 'v1', 'PodList')).toBe(true);
    expect(supportsProtobuf('autoscaling', 'v1', 'ScaleList')).toBe(false);
    expect(supportsProtobuf('events.k8s.io', 'v1', 'Event')).toBe(true);
    expect(supportsProtobuf({ group: 'any.example.com', version: 'v2', kind: 'DeleteOptions' })).toBe(true);
  });
});

test('extensions of CRDs travel: gates on fields, rules and values, and schemas of names', () => {
  const spec = {
    type: 'object',
    properties: {
      color: {
        type: 'string',
        enum: ['red', 'blue'],
        'x-kubernetes-enum-feature-gates': [{ featureGate: 'Blue', values: ['blue'] }],
      },
    },
    'x-kubernetes-property-names': { type: 'string', maxLength: 63 },
    'x-kubernetes-validations': [{ rule: 'true', featureGate: 'Blue' }],
  };
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'foos.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'foos', kind: 'Foo' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: spec } }],
      customFeatureGates: {
        component: 'foo-operator',
        featureGates: [
          { name: 'Blue', preRelease: 'alpha', enabled: false, default: false },
          { name: 'Old', preRelease: 'deprecated', default: true, fieldPaths: ['.spec.old'] },
        ],
      },
    },
  };
  const read = decodeProtobuf(encodeProtobuf(crd, gvkOf(crd)));
  expect(read).toMatchObject(crd);
});
