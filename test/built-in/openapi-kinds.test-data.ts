import type { JsonObject } from '../../src/meta/index.ts';

/** A document as a cluster prints it, written by hand: one namespaced kind, one of the cluster, one only for creating. */

const definition = (name: string) => ({ $ref: `#/definitions/${name}` });
const textField = { type: 'string' };

function described(group: string, version: string, kind: string) {
  const gvk = { group, version, kind };
  const operation = (action: string) => ({
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk,
    responses: {},
  });
  return {
    collection: { get: operation('list'), post: operation('post') },
    item: { get: operation('get'), put: operation('put'), patch: operation('patch') },
    create: { post: operation('post') },
  };
}

const gate = described('doors.k8s.io', 'v1', 'Gate');
const host = described('', 'v1', 'Host');
/** It can only be created, so it is no resource. */
const review = described('doors.k8s.io', 'v1', 'KnockReview');
const gates = '/apis/doors.k8s.io/v1/namespaces/{namespace}/gates';

export const document = {
  swagger: '2.0',
  info: { title: 'Kubernetes', version: 'v1.36.0' },
  paths: {
    '/api/': { get: { description: 'get available API versions' } },
    '/api/v1/hosts': host.collection,
    '/api/v1/hosts/{name}': host.item,
    '/api/v1/hosts/{name}/status': host.item,
    '/api/v1/watch/hosts/{name}': host.item,
    '/apis/doors.k8s.io/v1/knockreviews': review.create,
    '/apis/doors.k8s.io/v1/gates': gate.collection,
    [gates]: gate.collection,
    [`${gates}/{name}`]: gate.item,
    [`${gates}/{name}/status`]: gate.item,
  },
  definitions: {
    'io.k8s.api.doors.v1.Gate': {
      description: 'Gate lets connections in.',
      type: 'object',
      properties: {
        apiVersion: textField,
        kind: textField,
        metadata: definition('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'),
        spec: { ...definition('io.k8s.api.doors.v1.GateSpec'), description: 'What is wanted.' },
        status: { type: 'object', properties: { ready: { type: 'boolean' } } },
      },
      'x-kubernetes-group-version-kind': [{ group: 'doors.k8s.io', kind: 'Gate', version: 'v1' }],
      'x-kubernetes-selectable-fields': [{ fieldPath: 'spec.gateClassName' }],
    },
    'io.k8s.api.doors.v1.GateSpec': {
      type: 'object',
      required: ['gateClassName'],
      properties: {
        gateClassName: { ...textField, description: 'Who serves it.' },
        key: { type: 'string', format: 'byte' },
        size: definition('io.k8s.apimachinery.pkg.api.resource.Quantity'),
        port: definition('io.k8s.apimachinery.pkg.util.intstr.IntOrString'),
        self: definition('io.k8s.api.doors.v1.GateSpec'),
        tls: {
          type: 'array',
          items: { type: 'object', properties: { host: textField, secret: textField } },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['host'],
          'x-kubernetes-patch-merge-key': 'host',
          'x-kubernetes-patch-strategy': 'merge',
        },
        hosts: { type: 'array', items: textField },
        rules: {
          type: 'array',
          items: { type: 'object', properties: { name: textField, path: textField } },
          'x-kubernetes-list-type': 'atomic',
          'x-kubernetes-patch-merge-key': 'name',
          'x-kubernetes-patch-strategy': 'merge',
        },
        policy: { type: 'string', default: 'Prefix' },
        raw: definition('io.k8s.apimachinery.pkg.runtime.RawExtension'),
      },
    },
    'io.k8s.api.core.v1.Host': {
      type: 'object',
      properties: {
        metadata: definition('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'),
        spec: { type: 'object', properties: { unschedulable: { type: 'boolean' } } },
        status: {
          type: 'object',
          properties: {
            capacity: {
              type: 'object',
              additionalProperties: definition('io.k8s.apimachinery.pkg.api.resource.Quantity'),
            },
          },
        },
      },
      'x-kubernetes-group-version-kind': [{ group: '', kind: 'Host', version: 'v1' }],
    },
    'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta': { type: 'object', properties: { name: textField } },
    'io.k8s.apimachinery.pkg.api.resource.Quantity': textField,
    'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: 'string', format: 'int-or-string' },
    'io.k8s.apimachinery.pkg.runtime.RawExtension': { type: 'object' },
  },
} satisfies JsonObject;
