import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../src/meta/index.ts';
import { Widgets } from './widgets.test-support.ts';
import recorded from './go-policy-types.json' with { type: 'json' };

/** What Kubernetes warns of, recorded by `tools/record/policy-types`. */
interface Answer {
  readonly spec: JsonObject;
  readonly warnings: readonly object[] | null;
}
const answers = recorded.answers as readonly Answer[];

function crdOf(kind: 'Plan' | 'Limit', spec: JsonObject): JsonObject {
  const plural = `${kind.toLowerCase()}s`;
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

let widgets: Widgets;
beforeAll(async () => {
  const { Plan, Limit } = recorded.schemas;
  widgets = await Widgets.start({
    crds: [crdOf('Plan', Plan.properties.spec), crdOf('Limit', Limit.properties.spec)],
  });
});
afterAll(() => widgets[Symbol.asyncDispose]());

const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';

/** Replaces the policy `p`, past the checks that a create makes, and gives its status once it is checked. */
async function statusOf(spec: object, name: string) {
  await widgets.call('DELETE', `${path}/${name}`);
  const { code, body } = await widgets.call('POST', path, { metadata: { name }, spec });
  if (code !== 201) return body.message as string;
  return vi.waitFor(
    async () => {
      const { status } = (await widgets.call('GET', `${path}/${name}`)).body;
      expect(status.observedGeneration).toBe(body.metadata.generation);
      return status;
    },
    { timeout: 10_000 },
  );
}

describe('warnings about types', () => {
  test.each(answers.map((answer) => [JSON.stringify(answer.spec['validations']), answer] as const))(
    '%s',
    async (_, { spec, warnings }) => {
      const status = await statusOf(spec, 'p');
      // What cannot be parsed, or uses what there is not, is refused before anybody looks at types.
      if (typeof status === 'string') expect(warnings?.length).toBeGreaterThan(0);
      else expect(status.typeChecking.expressionWarnings ?? null).toEqual(warnings);
    },
  );

  test('are about built-in kinds, too', async () => {
    const rule = { operations: ['*'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };
    const status = await statusOf(
      {
        matchConstraints: { resourceRules: [rule] },
        validations: [
          { expression: 'object.spec.replicas <= 5' },
          { expression: 'object.spec.replica <= 5' },
          { expression: 'object.spec.template.spec.containers.all(c, c.image == 1)' },
        ],
      },
      'built-in',
    );
    expect(status.typeChecking.expressionWarnings).toEqual([
      {
        fieldRef: 'spec.validations[1].expression',
        warning:
          "apps/v1, Kind=Deployment: ERROR: <input>:1:12: undefined field 'replica'\n | object.spec.replica <= 5\n | ...........^\n",
      },
      {
        fieldRef: 'spec.validations[2].expression',
        warning:
          "apps/v1, Kind=Deployment: ERROR: <input>:1:53: found no matching overload for '_==_' applied to '(string, int)'\n | object.spec.template.spec.containers.all(c, c.image == 1)\n | ....................................................^\n",
      },
    ]);
  });

  test('follow the generations of a policy', async () => {
    const [good] = answers;
    await statusOf(good?.spec ?? {}, 'q');
    const { body } = await widgets.call('GET', `${path}/q`);
    const validations = [{ expression: 'object.spec.replica < 5' }];
    await widgets.call('PUT', `${path}/q`, { ...body, spec: { ...body.spec, validations } });
    await vi.waitFor(
      async () => {
        const { status } = (await widgets.call('GET', `${path}/q`)).body;
        expect([status.observedGeneration, status.typeChecking.expressionWarnings?.length]).toEqual([2, 1]);
      },
      { timeout: 10_000 },
    );
  });
});
