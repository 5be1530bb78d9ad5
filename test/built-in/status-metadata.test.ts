import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/meta/index.ts';
import { type IlkServer, startServer } from '../../src/server.ts';
import { Api } from '../controllers/api.ts';

/** What `/status` of built-in kinds changes besides the status. */

let server: IlkServer;
let api: Api;
beforeAll(async () => {
  server = await startServer({ listen: false });
  api = Api.of(server);
});
afterAll(() => server.close());

const podSpec = { containers: [{ name: 'main', image: 'nginx' }] };
const template = { metadata: { labels: { app: 'web' } }, spec: podSpec };
const workload = { selector: { matchLabels: { app: 'web' } }, template };
const admission = 'admissionregistration.k8s.io';
const policy = {
  matchConstraints: {
    resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
  },
  validations: [{ expression: 'true' }],
};
const owned = (name: string) => [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid: name }];

// Source: PrepareForUpdate of the status strategies in kubernetes, pkg/registry.
test.each<[string, string, JsonObject, ('labels' | 'annotations' | 'ownerReferences')[]]>([
  ['/api/v1/namespaces/default/pods', 'Pod', podSpec, ['ownerReferences']],
  ['/apis/apps/v1/namespaces/default/deployments', 'Deployment', workload, ['labels']],
  ['/apis/apps/v1/namespaces/default/replicasets', 'ReplicaSet', workload, []],
  [
    `/apis/${admission}/v1/validatingadmissionpolicies`,
    'ValidatingAdmissionPolicy',
    policy,
    ['labels', 'annotations', 'ownerReferences'],
  ],
])('the status of %s: %s keeps its metadata', async (path, kind, spec, kept) => {
  const apiVersion = /^\/apis?\/(.+?)\/(namespaces|validating)/.exec(path)?.[1];
  const before = { labels: { app: 'old' }, annotations: { note: 'old' }, ownerReferences: owned('old') };
  const after = { labels: { app: 'new' }, annotations: { note: 'new' }, ownerReferences: owned('new') };
  const made = await api.create(path, { apiVersion, kind, metadata: { name: 'one', ...before }, spec });
  const sent = { ...made, metadata: { ...made.metadata, ...after } };
  const { code, body } = await api.call('PUT', `${path}/one/status`, sent);
  const { labels, annotations, ownerReferences } = body.metadata;
  const expected = { ...after, ...Object.fromEntries(kept.map((field) => [field, before[field]])) };
  expect([code, { labels, annotations, ownerReferences }]).toEqual([200, expected]);
});

test('the status of a pod ignores another deletionTimestamp, and keeps fields that an old client leaves out', async () => {
  const pods = '/api/v1/namespaces/default/pods';
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'leaving' }, spec: podSpec };
  const made = await api.create(pods, pod);
  const now = '2026-01-02T03:04:05Z';
  const status = { phase: 'Running', observedGeneration: 1, resourceClaimStatuses: [{ name: 'gpu' }] };
  const first = await api.call('PUT', `${pods}/leaving/status`, {
    ...made,
    metadata: { ...made.metadata, deletionTimestamp: now },
    status,
  });
  expect([first.code, first.body.metadata.deletionTimestamp]).toEqual([200, undefined]);
  const second = await api.call('PUT', `${pods}/leaving/status`, {
    ...first.body,
    status: { phase: 'Failed' },
  });
  expect(second.body.status).toEqual({ ...status, phase: 'Failed', qosClass: 'BestEffort' });
});
