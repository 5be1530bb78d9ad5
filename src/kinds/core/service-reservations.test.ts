import { expect, test } from 'vitest';
import { type JsonObject, type KubeObject, StatusError } from '../../meta/index.ts';
import type { StoredPeers } from '../strategy/strategy.ts';
import { AddressRange } from './address-range.ts';
import { ServiceReservations } from './service-reservations.ts';

const service = (name: string, spec: JsonObject): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'default' },
  spec: { type: 'ClusterIP', ...spec },
});

/** The stored services of one server. */
class Services implements StoredPeers {
  readonly resource = {};
  readonly #stored = new Map<string, KubeObject>();

  async waitForLatest(): Promise<void> {}

  keyOf({ metadata }: KubeObject): string {
    return `/registry/services/default/${String((metadata as JsonObject)['name'])}`;
  }

  store(object: KubeObject): void {
    this.#stored.set(this.keyOf(object), object);
  }

  *all() {
    for (const [key, object] of this.#stored) yield { identity: object, key, object: () => object };
  }
}

const specOf = ({ spec }: KubeObject) => spec as JsonObject;

/** The address that a service gets, or the refusal; it is stored if `keep`. */
async function reserve(reservations: ServiceReservations, services: Services, object: KubeObject) {
  try {
    const { release } = await reservations.reserve(object, undefined, services);
    services.store(object);
    release();
    return specOf(object)['clusterIP'];
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
}

test('each service gets an address of its own, until there is none left', async () => {
  const reservations = new ServiceReservations(new AddressRange('10.96.0.0/29'));
  const services = new Services();
  const given: unknown[] = [];
  for (let index = 0; index < 6; index += 1) {
    given.push(await reserve(reservations, services, service(`s${index}`, {})));
  }
  expect([...given].sort()).toEqual([1, 2, 3, 4, 5, 6].map((last) => `10.96.0.${last}`));
  expect(await reserve(reservations, services, service('late', {}))).toBe(
    'Internal error occurred: failed to allocate a serviceIP: range is full',
  );
});

test('an address that was asked for must be free and of the range', async () => {
  const reservations = new ServiceReservations(new AddressRange('10.96.0.0/24'));
  const services = new Services();
  const asked = (name: string, address: string) =>
    reserve(reservations, services, service(name, { clusterIP: address, clusterIPs: [address] }));
  expect(await asked('a', '10.96.0.10')).toBe('10.96.0.10');
  expect(await asked('b', '10.96.0.10')).toContain(
    'failed to allocate IP 10.96.0.10: provided IP is already allocated',
  );
  expect(await asked('c', '10.97.0.1')).toContain(
    'the provided IP (10.97.0.1) is not in the valid range. The range of valid IPs is 10.96.0.0/24',
  );
});

test('two writes under way do not get the same address or node port', async () => {
  const reservations = new ServiceReservations(new AddressRange('10.96.0.0/24'));
  const services = new Services();
  const port = { port: 80, protocol: 'TCP', nodePort: 30_080 };
  const first = service('a', { type: 'NodePort', ports: [{ ...port }] });
  const second = service('b', { type: 'NodePort', ports: [{ ...port }] });
  const { release } = await reservations.reserve(first, undefined, services);
  await expect(reservations.reserve(second, undefined, services)).rejects.toMatchObject({
    message: expect.stringContaining(
      'spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated',
    ),
  });
  // The first one comes to nothing: what it had is free again.
  release();
  await services.waitForLatest();
  await new Promise(setImmediate);
  await expect(reservations.reserve(second, undefined, services)).resolves.toMatchObject({ claims: [] });
});
