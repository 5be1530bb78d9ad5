import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileResourceType } from '../../src/crd/index.ts';
import {
  defaultSelectorOptions,
  defaultFeatureGates,
  type KubeObject,
  systemClock,
} from '../../src/meta/index.ts';
import { converterOf } from '../../src/registry/representation/convert.ts';
import { customResourceStrategy } from '../../src/kinds/strategy/custom-resource-strategy.ts';
import { FieldManagement } from '../../src/registry/resource/field-management.ts';
import { Filters } from '../../src/registry/filter/filters.ts';
import {
  inStorageVersion,
  type StorageVersionStep,
} from '../../src/registry/representation/in-storage-version.ts';
import { Resource } from '../../src/registry/resource/resource.ts';
import { RuleEnvironments, SchemaCache } from '../../src/schema/index.ts';
import { createMemoryStore } from '../../src/storage/index.ts';
import { conversionConnector } from '../../src/webhook/index.ts';
import { convertEndpoint, endpointCrd, endpointV1, endpointV2, specOf } from './endpoints.ts';
import { converting, WebhookServer } from './webhook-server.ts';

let webhook: WebhookServer;
beforeAll(async () => {
  webhook = await WebhookServer.start(converting(convertEndpoint));
});
afterAll(() => webhook[Symbol.asyncDispose]());

/** The kind as it is served in a version; converted by the webhook, or by name alone. */
function servedIn(name: 'v1' | 'v2', strategy: 'Webhook' | 'None') {
  const crd = endpointCrd(webhook.clientConfig);
  if (strategy === 'None') Object(crd['spec']).conversion = { strategy };
  const gates = defaultFeatureGates();
  const type = compileResourceType(crd, { gates, schemas: new SchemaCache({ gates }) });
  const random = (bytes: number) => Buffer.alloc(bytes, 1);
  const converter = converterOf(
    type,
    conversionConnector({ services: new Map(), clock: { now: () => 0 }, random }),
  );
  const fields = new FieldManagement(type);
  const rules = { type, strategy: customResourceStrategy, converter, fields };
  const resource = new Resource(rules, {
    store: createMemoryStore(),
    clock: systemClock,
    selectors: defaultSelectorOptions,
    filters: new Filters(() => new RuleEnvironments({ major: 1, minor: 35 }).forNew, systemClock),
  });
  const version = type.versions.find((one) => one.name === name) ?? type.storageVersion;
  const { epoch, changes } = resource;
  return { resource, type, version, epoch, changes };
}

/** Raises the port, and writes down what it saw. */
function raising(seen: unknown[]): StorageVersionStep {
  return ({ object, old }) => {
    seen.push([object['apiVersion'], specOf(object), old && [old['apiVersion'], specOf(old)]]);
    object['spec'] = { ...specOf(object), port: 81 };
    return true;
  };
}

test('in the storage version a step runs on the object itself', () => {
  const seen: unknown[] = [];
  const object = endpointV2('a', 'host', 80);
  expect(inStorageVersion(servedIn('v2', 'Webhook'), { object, old: undefined }, raising(seen))).toBe(object);
  expect(specOf(object)).toEqual({ host: 'host', port: 81 });
});

test('without a webhook it runs at once, and both objects say the storage version meanwhile', () => {
  const seen: unknown[] = [];
  const [object, old] = [
    { ...endpointV2('a', 'host', 80), apiVersion: 'net.example.com/v1' },
    { ...endpointV2('a', 'old', 1), apiVersion: 'net.example.com/v1' },
  ];
  expect(inStorageVersion(servedIn('v1', 'None'), { object, old }, raising(seen))).toBe(object);
  expect(seen).toEqual([
    ['net.example.com/v2', { host: 'host', port: 80 }, ['net.example.com/v2', { host: 'old', port: 1 }]],
  ]);
  expect(object).toMatchObject({ apiVersion: 'net.example.com/v1', spec: { port: 81 } });
  expect(old['apiVersion']).toBe('net.example.com/v1');
});

const withUid = (object: KubeObject) => ({
  ...object,
  metadata: { name: 'a', uid: 'u', resourceVersion: '7' },
});

test('through a webhook it sees both converted by one review, and its change comes back by another', async () => {
  const seen: unknown[] = [];
  const [object, old] = [withUid(endpointV1('a', 'host:80')), withUid(endpointV1('a', 'old:1'))];
  const changed = await inStorageVersion(servedIn('v1', 'Webhook'), { object, old }, raising(seen));
  expect(seen).toEqual([
    ['net.example.com/v2', { host: 'host', port: 80 }, ['net.example.com/v2', { host: 'old', port: 1 }]],
  ]);
  expect(changed).toEqual(withUid(endpointV1('a', 'host:81')));
  expect(webhook.takeCalls()).toEqual([2, 1]);
});

test('a step that changes nothing is not brought back', async () => {
  const object = withUid(endpointV1('a', 'host:80'));
  const result = await inStorageVersion(servedIn('v1', 'Webhook'), { object, old: undefined }, () => false);
  expect(result).toBe(object);
  expect(webhook.takeCalls()).toEqual([1]);
});
