import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/meta/index.ts';
import { Widgets } from './widgets.test-support.ts';
import recorded from './go-mutations.json' with { type: 'json' };
import { crdOf, versionOf } from '../fixtures/crd.ts';

/** What Kubernetes makes of the same mutations, recorded by `tools/record/mutations`. */
interface Answer {
  readonly patchType: string;
  readonly expression: string;
  readonly object?: JsonObject;
  readonly compile?: string;
  readonly error?: string;
  readonly result?: JsonObject;
}
const answers = recorded.answers as readonly Answer[];

const planCrd = crdOf('Plan', { versions: [versionOf({ spec: recorded.schema.properties.spec })] });

let widgets: Widgets;
beforeAll(async () => {
  widgets = await Widgets.start({ crds: [planCrd] });
});
afterAll(() => widgets[Symbol.asyncDispose]());

const root = '/apis/admissionregistration.k8s.io/v1';
const rule = {
  operations: ['CREATE'],
  apiGroups: ['example.com'],
  apiVersions: ['v1'],
  resources: ['plans'],
};

function policyOf({ patchType, expression }: Answer) {
  const field = patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
  return {
    metadata: { name: 'p' },
    spec: {
      matchConstraints: { resourceRules: [rule] },
      reinvocationPolicy: 'Never',
      mutations: [{ patchType, [field]: { expression } }],
    },
  };
}

/** What a mutation can change; null goes where the schema does not allow it. */
function shown({ metadata, spec }: JsonObject) {
  const { name, labels, annotations } = metadata as JsonObject;
  return JSON.parse(JSON.stringify({ name, labels, annotations, spec }), (_, value) => value ?? undefined);
}

/** Ilk says in its own words why a JSON patch cannot be applied; protobuf's spaces are at times unbreakable. */
function comparable(message: string): string {
  return message.replace(/(: JSON Patch: ).*/, '$1').replaceAll('\u00a0', ' ');
}

describe('mutations', () => {
  beforeAll(async () => {
    await widgets.call('POST', `${root}/mutatingadmissionpolicybindings`, {
      metadata: { name: 'b' },
      spec: { policyName: 'p' },
    });
  });

  test.each(answers)('$expression', async (answer) => {
    await widgets.call('DELETE', `${root}/mutatingadmissionpolicies/p`);
    const made = await widgets.call('POST', `${root}/mutatingadmissionpolicies`, policyOf(answer));
    if (answer.compile !== undefined) {
      expect(made.code).toBe(422);
      const [cause] = made.body.details.causes;
      expect(cause.message).toContain(answer.compile);
      return;
    }
    expect(made.body.message ?? made.code).toBe(201);
    const object = answer.object ?? recorded.object;
    const path = '/apis/example.com/v1/namespaces/default/plans?dryRun=All';
    const { code, body } = await widgets.call('POST', path, object);
    if (answer.error !== undefined) {
      const message = `policy 'p' with binding 'b' denied request: ${answer.error}`;
      expect([comparable(body.message), body.reason, code]).toEqual([comparable(message), 'Invalid', 403]);
    } else {
      expect([code, body.message]).toEqual([201, undefined]);
      expect(shown(body)).toEqual(shown(answer.result ?? {}));
    }
  });
});
