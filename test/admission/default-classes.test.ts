import { afterAll, beforeAll, expect, test } from 'vitest';
import { Api } from '../controllers/api.ts';

/** The admission plugins DefaultStorageClass and DefaultIngressClass. */

let api: Api;
beforeAll(async () => {
  api = await Api.start();
  for (const [name, isDefault] of [
    ['slow', 'false'],
    ['b', 'true'],
    ['a', 'true'],
  ] as const) {
    const metadata = (group: string) => ({ name, annotations: { [`${group}/is-default-class`]: isDefault } });
    await api.create('/apis/storage.k8s.io/v1/storageclasses', {
      metadata: metadata('storageclass.kubernetes.io'),
      provisioner: 'example.com/disks',
    });
    await api.create('/apis/networking.k8s.io/v1/ingressclasses', {
      metadata: metadata('ingressclass.kubernetes.io'),
      spec: { controller: 'example.com/web' },
    });
  }
});
afterAll(() => api[Symbol.asyncDispose]());

const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const ingresses = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';
const ingress = { defaultBackend: { service: { name: 'web', port: { number: 80 } } } };

/** Made last; if both were made in one second, its name is the first. */
const newest = /^a$/;

test.each([
  ['a claim without a class', claims, 'storageClassName', claim, {}, newest],
  ['a claim of a class', claims, 'storageClassName', { ...claim, storageClassName: 'slow' }, {}, /^slow$/],
  ['a claim of no class', claims, 'storageClassName', { ...claim, storageClassName: '' }, {}, /^$/],
  [
    'a claim with the older annotation',
    claims,
    'storageClassName',
    claim,
    { 'volume.beta.kubernetes.io/storage-class': 'slow' },
    /^undefined$/,
  ],
  ['an ingress without a class', ingresses, 'ingressClassName', ingress, {}, newest],
  ['an ingress of a class', ingresses, 'ingressClassName', { ...ingress, ingressClassName: 'b' }, {}, /^b$/],
  [
    'an ingress with the older annotation',
    ingresses,
    'ingressClassName',
    ingress,
    { 'kubernetes.io/ingress.class': 'b' },
    /^undefined$/,
  ],
])('%s', async (_, path, field, spec, annotations, expected) => {
  const made = await api.create(path, { metadata: { generateName: 'one-', annotations }, spec });
  expect(String(made.spec[field])).toMatch(expected);
});
