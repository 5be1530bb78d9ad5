import { isObject, type JsonObject, type KubeObject, ownObject, ownString } from '../../src/meta/index.ts';
import type { ConvertObject } from './webhook-server.ts';

/**
 * A kind whose versions differ: v1 says `spec.address: "host:port"`, v2 (stored) says `spec.host` and `spec.port`.
 * `spec.data` is the user's own and the same in both.
 */
export const group = 'net.example.com';

const text = { type: 'string' };
const data = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const status = { type: 'object', properties: { phase: text, replicas: { type: 'integer' } } };

function version(name: string, storage: boolean, spec: JsonObject, selectable: string): JsonObject {
  return {
    name,
    served: true,
    storage,
    selectableFields: [{ jsonPath: `.spec.${selectable}` }],
    subresources: {
      status: {},
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    },
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', properties: { ...spec, replicas: { type: 'integer' }, data } },
          status,
        },
      },
    },
  };
}

/** The CRD, converted by a webhook. */
export function endpointCrd(clientConfig: JsonObject, stored: 'v1' | 'v2' = 'v2'): KubeObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `endpoints.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'endpoints', singular: 'endpoint', kind: 'Endpoint' },
      versions: [
        version('v1', stored === 'v1', { address: text }, 'address'),
        version(
          'v2',
          stored === 'v2',
          { host: text, port: { type: 'integer' }, zone: { type: 'string', default: 'here' } },
          'host',
        ),
      ],
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig, conversionReviewVersions: ['v1', 'v1beta1'] },
      },
    },
  };
}

export function endpointsPath(version: 'v1' | 'v2', rest = ''): string {
  return `/apis/${group}/${version}/namespaces/default/endpoints${rest}`;
}

/** An endpoint in v1. */
export function endpointV1(name: string, address: string, more: KubeObject = {}): KubeObject {
  return {
    apiVersion: `${group}/v1`,
    kind: 'Endpoint',
    metadata: { name },
    spec: { address },
    ...more,
  };
}

/** An endpoint in v2. */
export function endpointV2(name: string, host: string, port: number, more: KubeObject = {}): KubeObject {
  return {
    apiVersion: `${group}/v2`,
    kind: 'Endpoint',
    metadata: { name },
    spec: { host, port },
    ...more,
  };
}

/** What the webhook does: `a:80` is host `a` and port 80. An endpoint without a spec stays without. */
export const convertEndpoint: ConvertObject = (object, apiVersion) => {
  const spec = ownObject(object, 'spec');
  if (ownString(object, 'apiVersion') === apiVersion || spec === undefined) return { ...object, apiVersion };
  return { ...object, apiVersion, spec: apiVersion.endsWith('/v1') ? toAddress(spec) : toHostAndPort(spec) };
};

function toAddress({ host, port, zone: _, ...rest }: JsonObject): JsonObject {
  return host === undefined ? rest : { ...rest, address: `${String(host)}:${String(port ?? 0)}` };
}

function toHostAndPort({ address, ...rest }: JsonObject): JsonObject {
  if (typeof address !== 'string') return rest;
  const [, host = '', port = ''] = /^(.*):(\d+)$/s.exec(address) ?? [];
  if (port === '') throw new Error(`no port in ${address}`);
  return { ...rest, host, port: Number(port) };
}

/** The part of an object that its version decides about. */
export function specOf(object: KubeObject): JsonObject {
  const { spec = {} } = object;
  return isObject(spec) ? spec : {};
}
