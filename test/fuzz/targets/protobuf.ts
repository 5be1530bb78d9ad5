import { anyJson } from '../json-text.ts';
import type { Random } from '../random.ts';
import type { FuzzTarget } from '../target.ts';

const kinds: readonly (readonly [path: string, kind: string, apiVersion: string])[] = [
  ['/api/v1/namespaces/default/configmaps', 'ConfigMap', 'v1'],
  ['/api/v1/namespaces/default/services', 'Service', 'v1'],
  ['/api/v1/namespaces/default/pods', 'Pod', 'v1'],
  ['/apis/apps/v1/namespaces/default/deployments', 'Deployment', 'apps/v1'],
  [
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    'CustomResourceDefinition',
    'apiextensions.k8s.io/v1',
  ],
];

/** Messages in Kubernetes' envelope: `k8s\0`, then runtime.Unknown with the type and the message. */
export const protobuf: FuzzTarget = {
  name: 'protobuf',
  shortCases: 400,
  prepare: async () => {},
  run: async (random, send) => {
    const [path, kind, apiVersion] = random.pick(kinds);
    const name = `p${random.below(20)}`;
    const message = Buffer.concat([
      field(1, Buffer.concat([field(1, Buffer.from(name))])),
      ...random.some(4, () => part(random, 0)),
    ]);
    const type = Buffer.concat([field(1, Buffer.from(apiVersion)), field(2, Buffer.from(kind))]);
    const whole = Buffer.concat([
      Buffer.from('k8s\0'),
      field(1, type),
      field(2, message),
      field(3, Buffer.from(random.pick(['', 'gzip']))),
    ]);
    const isPut = random.chance(0.2);
    await send({
      method: isPut ? 'PUT' : 'POST',
      path: isPut ? `${path}/${name}` : path,
      contentType: 'application/vnd.kubernetes.protobuf',
      accept: random.pick(['application/json', 'application/vnd.kubernetes.protobuf']),
      body: random.chance(0.5) ? random.damaged(whole) : whole,
    });
  },
};

/** A field of any number and wire type, as often a message as not. */
function part(random: Random, depth: number): Buffer {
  const number = random.pick([1, 2, 3, 4, 5, 12, 15, 16, 100, 536_870_911]);
  switch (random.below(6)) {
    case 0:
      return Buffer.concat([varint((number << 3) >>> 0), varint(random.pick([0, 1, 127, 128, 2 ** 31]))]);
    case 1:
      return Buffer.concat([varint(((number << 3) | 1) >>> 0), random.bytes(8)]);
    case 2:
      return Buffer.concat([varint(((number << 3) | random.pick([3, 4, 5, 6, 7])) >>> 0), random.bytes(4)]);
    case 3:
      return field(number, Buffer.from(anyJson(random, 4)));
    default:
      return field(
        number,
        depth > 4 ? random.bytes(3) : Buffer.concat(random.some(3, () => part(random, depth + 1))),
      );
  }
}

function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint(((number << 3) | 2) >>> 0), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  do {
    const more = left > 127;
    bytes.push((left % 128) + (more ? 128 : 0));
    left = Math.floor(left / 128);
  } while (left > 0);
  return Buffer.from(bytes);
}
