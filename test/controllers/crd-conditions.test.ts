import { expect, test } from 'vitest';
import { Api } from './api.ts';
import { crdOf } from '../fixtures/crd.ts';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const approval = 'api-approved.kubernetes.io';

interface Shown {
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly reason: string }[] };
}

/** The reason of a condition of a CRD, undefined where it has none. */
function reasonOf({ status }: Shown, type: string): string | undefined {
  return status.conditions?.find((condition) => condition.type === type)?.reason;
}

test('a CRD in a protected group tells whether its API was approved', async () => {
  await using api = await Api.start();
  const crd = crdOf('Widget', { group: 'sigs.k8s.io' });
  const annotated = (value: string) => ({ ...crd.metadata, annotations: { [approval]: value } });
  const type = 'KubernetesAPIApprovalPolicyConformant';
  const path = `${crds}/widgets.sigs.k8s.io`;
  await api.create(crds, {
    ...crd,
    metadata: annotated('https://github.com/kubernetes/kubernetes/pull/79724'),
  });
  await api.settles(path, (body) => reasonOf(body, type) === 'ApprovedAnnotation');
  await api.merge(path, { metadata: { annotations: { [approval]: 'unapproved, an experiment' } } });
  await api.settles(path, (body) => reasonOf(body, type) === 'UnapprovedAnnotation');
});

test('other CRDs say nothing about approval', async () => {
  await using api = await Api.start({ crds: [crdOf('Widget')] });
  const { body } = await api.get(`${crds}/widgets.example.com`);
  expect(body.status.conditions.map((condition: { type: string }) => condition.type)).toEqual([
    'NamesAccepted',
    'Established',
  ]);
});

test('a CRD is not established while its webhook has certificates that are none', async () => {
  await using api = await Api.start();
  const crd = crdOf('Widget');
  const service = { namespace: 'default', name: 'example' };
  const webhook = { clientConfig: { caBundle: 'Cg==', service }, conversionReviewVersions: ['v1'] };
  const spec = { ...crd.spec, conversion: { strategy: 'Webhook', webhook } };
  await api.create(crds, { ...crd, spec });
  const path = `${crds}/widgets.example.com`;
  await api.settles(path, (body) => reasonOf(body, 'Established') === 'InvalidCABundle');
  await api.merge(path, { spec: { conversion: { strategy: 'None', webhook: null } } });
  await api.settles(path, (body) => reasonOf(body, 'Established') === 'InitialNamesAccepted');
});

test('discovery shows the subresources of a kind behind it, status before scale', async () => {
  const crd = crdOf('Widget');
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  const versions = crd.spec.versions.map((version) => ({ ...version, subresources: { status: {}, scale } }));
  await using api = await Api.start({
    crds: [{ ...crd, spec: { ...crd.spec, versions } }, crdOf('Apple')],
  });
  const { body } = await api.get('/apis/example.com/v1');
  expect(body.resources.map(({ name }: { name: string }) => name)).toEqual([
    'apples',
    'widgets',
    'widgets/status',
    'widgets/scale',
  ]);
});
